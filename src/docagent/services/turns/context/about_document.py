"""What the model gets about the document of a conversation."""

from __future__ import annotations

from dataclasses import replace

from docagent.agent.context import Block, Excerpt, deleted_block, document_block, excerpt_block
from docagent.domain.documents.documents import Document, DocumentState
from docagent.domain.errors import NotFound
from docagent.domain.models.llm import DocumentPart, Situation
from docagent.services.documents.documents import find_document
from docagent.services.documents.text import all_pages
from docagent.store.documents import pages, tags
from docagent.store.engine.database import Database, OrgTx

PAGES_AT_ONCE = 20
_IN_WORK = (DocumentState.UPLOADED, DocumentState.OCR_PROCESSING, DocumentState.LLM_PROCESSING)


class AboutDocument:
    """Serves one run of one turn, and keeps the document's text: the text of one reading never changes.

    The document is read once, and again after the turn has changed something, or while its text is being read.
    """

    def __init__(self, db: Database, document_id: str, excerpt_characters: int) -> None:
        self._db = db
        self._document_id = document_id
        self._excerpt_characters = excerpt_characters
        self._document: Document | None = None
        self._excerpts: dict[str, Excerpt] = {}
        self._parts: dict[str, DocumentPart] = {}
        self._blocks: list[Block] | None = None

    def changed(self) -> None:
        self._blocks = None

    def known_blocks(self) -> list[Block] | None:
        return self._blocks

    async def blocks(self, tx: OrgTx) -> list[Block]:
        self._document = document = await _document(tx, self._document_id)
        if document is None:
            return [deleted_block(self._document_id)]
        names = await tags.names(tx, document.tag_ids) if document.tag_ids else {}
        shown = [{"id": tag_id, "name": names.get(tag_id, tag_id)} for tag_id in document.tag_ids]
        blocks = [
            document_block(
                document_id=document.id,
                name=document.name,
                metadata=document.metadata,
                tags=shown,
                state=document.state,
            ),
            excerpt_block(document.id, await self._excerpt(tx, document)),
        ]
        if document.state not in _IN_WORK:
            self._blocks = blocks
        return blocks

    @property
    def holds_outside_text(self) -> bool:
        """Whether text that others wrote is included. The name of an uploaded file is such a text."""
        return True

    async def situation(self, known: Situation) -> Situation:
        """Add the document to the situation, as it was when `blocks` was last called."""
        document = self._document
        if document is None:
            return known
        part: DocumentPart | None = None
        if document.text_run_id is not None:
            if document.text_run_id not in self._parts:
                found = await all_pages(self._db, document)
                self._parts[document.text_run_id] = DocumentPart(document.name, found, document.metadata)
            part = self._parts[document.text_run_id]
        return replace(known, document=part, document_id=document.id, tag_ids=tuple(document.tag_ids))

    async def _excerpt(self, tx: OrgTx, document: Document) -> Excerpt:
        run_id = document.text_run_id
        if run_id is None:
            return Excerpt("", 0, 0, False, missing=_no_text(document))
        if run_id not in self._excerpts:
            self._excerpts[run_id] = await self._read_excerpt(tx, document, run_id)
        return self._excerpts[run_id]

    async def _read_excerpt(self, tx: OrgTx, document: Document, run_id: str) -> Excerpt:
        most = self._excerpt_characters
        if not most:
            return Excerpt(
                "", 0, 0, False, missing="The text is not shown here. Call get_ocr_text to read it."
            )
        written: list[str] = []
        length, number, count = 0, 0, document.page_count or 0
        while length < most:
            found = await pages.texts(tx, document.id, run_id, number + 1, PAGES_AT_ONCE)
            for number, text in found:
                piece = f"[page {number}]\n{text}\n"
                written.append(piece[: most - length])
                length += len(piece)
                if length >= most:
                    break
            if len(found) < PAGES_AT_ONCE:
                break
        complete = length <= most and number >= count
        if not any(piece.strip() for piece in written):
            return Excerpt("", count, number, True, missing="The document holds no text.")
        return Excerpt("".join(written), count, number, complete)


async def _document(tx: OrgTx, document_id: str) -> Document | None:
    """The document; None if it was deleted, perhaps by the turn itself."""
    try:
        return await find_document(tx, document_id)
    except NotFound:
        return None


def _no_text(document: Document) -> str:
    if document.state in (DocumentState.UPLOADED, DocumentState.OCR_PROCESSING):
        return "The text is still being read. Call get_ocr_text in a moment."
    return f"There is no text. {document.state_reason or ''}".strip()
