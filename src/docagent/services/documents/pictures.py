"""Pictures of pages: kept as blobs beside the document, made as it is read, or when somebody first looks."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.documents.pictures import FIRST, MOST_BYTES, THUMBNAIL, Picture, picture_key, strip
from docagent.domain.errors import ReadFailed
from docagent.domain.ports import BlobMissing, BlobStore, FileReader
from docagent.services.documents.documents import DocumentService, find_document
from docagent.store.documents import documents
from docagent.store.engine.database import Database

logger = logging.getLogger(__name__)

DRAWN_AT_ONCE = 2


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
        pages = document.page_count or 0
        if document.text_run_id is None or not document.has_pdf or picture.first_page > pages:
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
                        # A PDF that we made has no password.
                        password = (
                            self._documents.password_of(document) if document.extension == ".pdf" else None
                        )
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


def _is_drawn(path: Path) -> bool:
    return path.is_file() and 0 < path.stat().st_size <= MOST_BYTES


async def _nothing() -> AsyncIterator[bytes]:
    yield b""


def _key(document: Document, picture: Picture) -> str:
    return picture_key(document.organization_id, document.id, picture)
