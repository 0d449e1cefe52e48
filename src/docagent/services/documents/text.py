"""The text of documents in the forms that clients ask for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.documents.text import Page
from docagent.domain.errors import NotFound
from docagent.export import tables_to_xlsx
from docagent.reading.layout import Table, find_tables, textract_blocks, to_html, to_markdown
from docagent.services.documents.documents import find_document
from docagent.store.documents import pages
from docagent.store.engine.database import Database, OrgTx

PAGES_AT_ONCE = 20
OCR_TYPE = "docagent"


@dataclass(frozen=True, slots=True)
class TextMetadata:
    page_count: int
    read_at: datetime
    notes: dict[int, str]
    """What a person should know about single pages, by page number."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document's text, and where the next one begins. Without `document.text_run_id` there is none."""

    document: Document
    text: str
    first_page: int
    last_page: int | None = None
    next_page: int | None = None
    next_offset: int = 0


class TextService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def text(self, member: Member, document_id: str, page: int | None = None) -> str:
        """The whole text, or the text of one page, counted from 1."""
        document = await self._read(member, document_id, "OCR text not found")
        async with self._db.read_org(member.organization_id, long=page is None) as tx:
            found = await pages.text(tx, document_id, document.text_run_id or "", page)
        if not found:
            raise NotFound("OCR text not found")
        return "\n".join(found)

    async def passage(
        self,
        member: Member,
        document_id: str,
        *,
        first_page: int = 1,
        offset: int = 0,
        most: int,
        one_page: bool = False,
    ) -> Passage:
        """Text from a page on, of any kind of file, until `most` characters are reached.

        `offset` is how much of the first page is passed over. Raises NotFound when there is no such page.
        """
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            if document.text_run_id is None:
                return Passage(document, "", first_page)
            limit = 1 if one_page else PAGES_AT_ONCE
            found = await pages.texts(tx, document_id, document.text_run_id, first_page, limit)
        if not found or found[0][0] != first_page:
            raise NotFound(
                f"There is no page {first_page}: the document has {document.page_count or 0} pages."
            )
        return _passage(document, found, offset, most)

    async def some_pages(
        self, member: Member, document_id: str, first: int, limit: int
    ) -> tuple[Document, list[Page]]:
        """The document and up to `limit` pages from number `first` on, as a person sees them.

        No pages if it is not read yet.
        """
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            if document.text_run_id is None:
                return document, []
            return document, await pages.pages(
                tx, document_id, document.text_run_id, first, limit, whole=True
            )

    async def metadata(self, member: Member, document_id: str) -> TextMetadata:
        document = await self._read(member, document_id, "OCR metadata not found")
        async with self._db.read_org(member.organization_id) as tx:
            notes = await pages.notes(tx, document_id, document.text_run_id or "")
        return TextMetadata(document.page_count or 0, document.text_date or document.upload_date, notes)

    async def blocks_json(self, member: Member, document_id: str, *, bare: bool) -> AsyncIterator[bytes]:
        """Textract-shaped JSON, made page by page: the envelope, or only the list of blocks."""
        document = await self._read(member, document_id, "OCR data not found")
        return self._block_chunks(document, bare=bare)

    async def _block_chunks(self, document: Document, *, bare: bool) -> AsyncIterator[bytes]:
        yield b"[" if bare else b'{"Blocks":['
        separator = b""
        async for part in _batches(self._db, document):
            blocks = await asyncio.to_thread(_encode_blocks, part)
            if blocks:
                yield separator + blocks
                separator = b","
        count = document.page_count or 0
        yield b"]" if bare else b'],"DocumentMetadata":' + orjson.dumps({"Pages": count}) + b"}"

    async def markdown(self, member: Member, document_id: str) -> str:
        found = await self._all_pages(member, document_id)
        return await asyncio.to_thread(to_markdown, found)

    async def html(self, member: Member, document_id: str) -> str:
        document = await self._read(member, document_id, _export_missing(member, document_id))
        found = await self._all_pages(member, document_id)
        return await asyncio.to_thread(to_html, found, document.name)

    async def tables_xlsx(self, member: Member, document_id: str, index: int | None = None) -> bytes:
        """The tables as a workbook; `index` chooses one, counted from 0."""
        found = await self._all_pages(member, document_id)
        tables = await asyncio.to_thread(_all_tables, found)
        if index is not None:
            tables = tables[index : index + 1] if index >= 0 else []
        if not tables:
            raise NotFound("No tables were found in this document.")
        return await asyncio.to_thread(tables_to_xlsx, tables)

    async def _all_pages(self, member: Member, document_id: str) -> list[Page]:
        document = await self._read(member, document_id, _export_missing(member, document_id))
        return await all_pages(self._db, document)

    async def _read(self, member: Member, document_id: str, missing: str) -> Document:
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
        if not document.serves_ocr:
            raise NotFound("OCR not supported for this document extension")
        if document.text_run_id is None:
            raise NotFound(missing)
        return document


def _passage(document: Document, found: list[tuple[int, str]], offset: int, most: int) -> Passage:
    taken: list[str] = []
    left = most
    first = last = found[0][0]
    for number, text in found:
        rest = text[offset:] if number == first else text
        if taken and len(rest) > left:
            return Passage(document, "\n".join(taken), first, last, number)
        last = number
        if len(rest) > left:
            taken.append(rest[:left])
            skipped = (offset if number == first else 0) + left
            return Passage(document, "\n".join(taken), first, last, number, skipped)
        taken.append(rest)
        left -= len(rest) + 1
    following = last + 1 if last < (document.page_count or 0) else None
    return Passage(document, "\n".join(taken), first, last, following)


async def all_pages(db: Database, document: Document, run_id: str | None = None) -> list[Page]:
    """Every page of the reading that counts, without private regions; none when the document was not read.

    With a run's id, every page of that reading as it is: what is made of them must not lose words.
    """
    return [page async for part in _batches(db, document, run_id) for page in part]


async def _batches(db: Database, document: Document, run_id: str | None = None) -> AsyncIterator[list[Page]]:
    """Every page of that reading, a few at a time, so that no transaction is open for long."""
    first, run, whole = 1, run_id or document.text_run_id, run_id is not None
    while run is not None:
        async with db.read_org(document.organization_id, long=True) as tx:
            part = await pages.pages(tx, document.id, run, first, PAGES_AT_ONCE, whole=whole)
        if not part:
            return
        yield part
        first = part[-1].number + 1


def _encode_blocks(part: list[Page]) -> bytes:
    return orjson.dumps(list(textract_blocks(part)))[1:-1]


def _all_tables(found: list[Page]) -> list[tuple[int, Table]]:
    return [(page.number, table) for page in found for table in find_tables(page)]


def _export_missing(member: Member, document_id: str) -> str:
    return f"{member.organization_id}/{document_id}: OCR data not found"


_MOST_NAMED = 8


async def blank_pages_reason(tx: OrgTx, document: Document, run_id: str) -> str | None:
    """A sentence that names the pages without text, and says what to do about them; None if there are none."""
    blank = await pages.without_text(tx, document.id, run_id)
    if not blank:
        return None
    named = [str(number) for number in blank[:_MOST_NAMED]]
    more = len(blank) - len(named)
    last = f"{more} more" if more else named.pop()
    where = f"pages {', '.join(named)} and {last}" if named else f"page {last}"
    return f"No text was found on {where}. If there is something to read, {_advice(document)}."


def _advice(document: Document) -> str:
    if document.extension == ".pdf":
        return "upload a sharper scan"
    if document.mime_type.startswith("image/"):
        return "upload a sharper picture"
    return "print the file to a PDF and upload that"
