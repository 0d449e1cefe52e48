"""Pictures of pages: kept as blobs beside the document, made as it is read, or when somebody first looks."""

from __future__ import annotations

import asyncio
import base64
import logging
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.documents.pictures import (
    FIRST,
    MOST_BYTES,
    THUMBNAIL,
    Drawing,
    Picture,
    drawing_name,
    picture_key,
    strip,
)
from docagent.domain.documents.text import Box, Line, Page
from docagent.domain.errors import ReadFailed
from docagent.domain.models.llm import ImagePart, PageView, TextPart
from docagent.domain.models.pictures import USUAL, Eyes
from docagent.domain.ports import BlobMissing, BlobStore, FileReader
from docagent.reading.page_codec import decode_page
from docagent.services.documents.documents import DocumentService, find_document
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database

logger = logging.getLogger(__name__)

DRAWN_AT_ONCE = 2
CLOSELY = 300 / 72
"""Pixels for each point of a region that is read again."""


class PictureService:
    def __init__(
        self, db: Database, blobs: BlobStore, reader: FileReader, document_service: DocumentService
    ) -> None:
        self._db = db
        self._blobs = blobs
        self._reader = reader
        self._documents = document_service
        self._places = asyncio.Semaphore(DRAWN_AT_ONCE)
        self._under_way: dict[str, asyncio.Task[None]] = {}

    async def first(self, member: Member, document_id: str) -> bytes | None:
        """The first page, large enough to be read. None if there is no picture, or not yet. Raises NotFound."""
        return await self._picture(member, document_id, FIRST)

    async def thumbnail(self, member: Member, document_id: str) -> bytes | None:
        return await self._picture(member, document_id, THUMBNAIL)

    async def strip(self, member: Member, document_id: str, part: int) -> bytes | None:
        """Small pictures of some pages, one below the other; parts are counted from 0."""
        return await self._picture(member, document_id, strip(part), part)

    async def shown(
        self, document: Document, shown: Sequence[Page], eyes: Eyes, region: Box | None = None
    ) -> list[TextPart | ImagePart]:
        """Pictures of pages, or of a region of them, at the sizes for a model's provider, each after its caption.

        What cannot be drawn is left out, with the reason in its place.
        """
        pieces = [
            (page, piece)
            for page in shown
            for piece in ([eyes.region_of(page, region)] if region else eyes.pieces_of(page))
        ]
        drawings = [
            Drawing(page.number, piece.region, *piece.size, _private(document, page.number))
            for page, piece in pieces
        ]
        try:
            files = await self.drawn(document, drawings)
        except (ReadFailed, BlobMissing) as failure:
            logger.info("no picture sent", extra={"document_id": document.id, "failure": str(failure)})
            return [TextPart("(The pages cannot be drawn. Use their text.)")]
        parts: list[TextPart | ImagePart] = []
        for (page, piece), file in zip(pieces, files, strict=True):
            view = PageView(document.id, page.number, piece.region if piece.name else None)
            encoded = base64.b64encode(file).decode("ascii")
            parts += [
                TextPart(
                    f"Picture of page {page.number}{piece.name and f', {piece.name}'} of {document.name}:"
                ),
                ImagePart(encoded, "image/jpeg", eyes.tokens(piece.size), *piece.size, view),
            ]
        return parts

    async def of_page(self, organization_id: str, view: PageView, eyes: Eyes) -> list[TextPart | ImagePart]:
        """Pictures of a page or a part of it, or why there are none. Raises NotFound."""
        async with self._db.read_org(organization_id) as tx:
            document = await find_document(tx, view.document_id)
            found = await pages.pages(tx, document.id, document.text_run_id or "", view.page, 1)
        if not found or found[0].number != view.page:
            return [TextPart(f"(Page {view.page} is no longer there.)")]
        return await self.shown(document, found, eyes, view.region)

    async def as_shown(self, member: Member, view: PageView) -> bytes | None:
        """A part of a page as a model is shown it. None if it cannot be drawn. Raises NotFound."""
        parts = await self.of_page(member.organization_id, view, USUAL)
        return next((base64.b64decode(part.data) for part in parts if isinstance(part, ImagePart)), None)

    async def drawn(self, document: Document, drawings: Sequence[Drawing]) -> list[bytes]:
        """Pictures of parts of pages, as files in JPEG format. Raises ReadFailed, and BlobMissing.

        A photograph has just been read when its pages are wanted, and may have no PDF yet.
        """
        if not document.has_pdf:
            await self._documents.make_pdf(document)
        async with self._places:
            with tempfile.TemporaryDirectory(prefix="docagent-") as name:
                folder = Path(name)
                async with self._blobs.local_copy(document.pdf_key) as pdf:
                    password = self._password(document)
                    await self._reader.draw(pdf, folder, drawings=drawings, password=password)
                paths = [folder / drawing_name(number) for number in range(len(drawings))]
                return [await asyncio.to_thread(path.read_bytes) for path in paths]

    async def reread(
        self, document: Document, own_pages: Sequence[Page], places: Sequence[tuple[int, Box]]
    ) -> list[tuple[Line, ...]]:
        """What our readers read of regions of pages when they look closely: the lines of each, placed on its page."""
        sizes = {page.number: (page.width, page.height) for page in own_pages}
        drawings = [
            Drawing(
                number,
                region,
                max(1, int(sizes[number][0] * region.width * CLOSELY)),
                max(1, int(sizes[number][1] * region.height * CLOSELY)),
                _private(document, number),
            )
            for number, region in places
        ]
        try:
            async with self._places, self._blobs.local_copy(document.pdf_key) as pdf:
                read = await self._reader.reread(pdf, drawings, password=self._password(document))
        except (ReadFailed, BlobMissing) as failure:
            logger.info("no region read", extra={"document_id": document.id, "failure": str(failure)})
            read = []
        lines = [
            tuple(_placed(line, region) for line in decode_page(one.layout).lines)
            for one, (_, region) in zip(read, places, strict=False)
        ]
        return lines + [()] * (len(places) - len(lines))

    def _password(self, document: Document) -> str | None:
        """A PDF that we made has no password."""
        return self._documents.password_of(document) if document.extension == ".pdf" else None

    async def keep(self, document: Document, folder: Path) -> None:
        """Store the pictures that reading has left in the folder. There may be none."""
        for picture in (FIRST, THUMBNAIL):
            if _is_drawn(folder / picture.name):
                await self._blobs.put_file(_key(document, picture), folder / picture.name)

    async def _picture(
        self, member: Member, document_id: str, picture: Picture, part: int | None = None
    ) -> bytes | None:
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
        last_page = document.page_count or 0
        if document.text_run_id is None or not document.has_pdf or picture.first_page > last_page:
            return None
        found = await self._stored(document, picture)
        if found is None:
            await self._make_once(document, part)
            found = await self._stored(document, picture)
        return found or None

    async def _stored(self, document: Document, picture: Picture) -> bytes | None:
        """None if it was not made yet; empty if it cannot be made."""
        try:
            return b"".join([chunk async for chunk in self._blobs.open(_key(document, picture))])
        except BlobMissing:
            return None

    async def _make_once(self, document: Document, part: int | None) -> None:
        """However many ask for a picture, it is made once, and to its end, even if nobody waits any longer."""
        name = f"{document.id} {part}"
        task = self._under_way.get(name)
        if task is None:
            task = asyncio.create_task(self._make(document, part))
            self._under_way[name] = task
            task.add_done_callback(lambda _: self._under_way.pop(name))
        await asyncio.shield(task)

    async def _make(self, document: Document, part: int | None) -> None:
        wanted = (FIRST, THUMBNAIL) if part is None else (strip(part),)
        async with self._places:
            with tempfile.TemporaryDirectory(prefix="docagent-") as name:
                folder = Path(name)
                try:
                    async with self._blobs.local_copy(document.pdf_key) as pdf:
                        password = self._password(document)
                        await self._reader.draw(pdf, folder, strip=part, password=password)
                except (ReadFailed, BlobMissing) as failure:
                    logger.info(
                        "no picture made", extra={"document_id": document.id, "failure": str(failure)}
                    )
                for picture in wanted:
                    await self._put(document, picture, folder / picture.name)
        async with self._db.read_org(document.organization_id) as tx:
            is_there = await documents.exists(tx, document.id)
        if not is_there:
            await self._blobs.delete(_key(document, picture) for picture in wanted)

    async def _put(self, document: Document, picture: Picture, path: Path) -> None:
        """Store a picture; if it could not be made, an empty one, so that nobody tries again at every look."""
        if _is_drawn(path):
            await self._blobs.put_file(_key(document, picture), path)
        else:
            await self._blobs.put(_key(document, picture), _nothing())


def _placed(line: Line, region: Box) -> Line:
    """A line of a region as a line of the page."""
    return Line(tuple(replace(word, box=region.part(word.box)) for word in line.words))


def _private(document: Document, page: int) -> tuple[Box, ...]:
    return tuple(Box(*one.box) for one in document.private_regions or () if one.page == page)


def _is_drawn(path: Path) -> bool:
    return path.is_file() and 0 < path.stat().st_size <= MOST_BYTES


async def _nothing() -> AsyncIterator[bytes]:
    yield b""


def _key(document: Document, picture: Picture) -> str:
    return picture_key(document.organization_id, document.id, picture)
