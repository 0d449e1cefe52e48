"""What the model of a turn is told: the document, mentions, working state, and the conversation before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.agent.context import (
    Block,
    Excerpt,
    deleted_block,
    document_block,
    excerpt_block,
    extraction_block,
    mention_block,
    state_block,
    system_text,
)
from docagent.agent.history import join, message_from_json
from docagent.agent.ports import History, SystemText
from docagent.agent.sanitise import client_messages
from docagent.domain.documents import Document, DocumentState
from docagent.domain.errors import NotFound
from docagent.domain.events import TurnStarted
from docagent.domain.llm import DocumentPart, Message, Situation
from docagent.domain.permission import Rule
from docagent.domain.turns import Turn
from docagent.services.documents import find_document
from docagent.services.text import all_pages
from docagent.services.turns.mentions import Resolved, resolve_present
from docagent.services.turns.sources import passages
from docagent.store import pages, permission_rules, tags, turns
from docagent.store.engine import Database, OrgTx

TURNS_AT_ONCE = 64
PAGES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class ContextSettings:
    rules: str
    """The beginning of the system text."""
    excerpt_characters: int = 8000


class TurnSurroundings:
    """For one run of one turn; keeps what cannot change meanwhile."""

    def __init__(
        self,
        db: Database,
        turn: Turn,
        started: TurnStarted,
        settings: ContextSettings,
        *,
        question: str,
        built_in: bool,
    ) -> None:
        self._db = db
        self._turn = turn
        self._started = started
        self._settings = settings
        self._question = question
        self._passages: list[Block] | None = None
        self._built_in = built_in
        self._excerpts: dict[str, Excerpt] = {}
        self._mentions: list[Resolved] | None = None
        self._parts: dict[str, DocumentPart] = {}
        self._history: History | None = None

    async def system(self, state: Mapping[str, Any]) -> SystemText:
        blocks: list[Block] = []
        document: Document | None = None
        async with self._db.read_org(self._turn.organization_id) as tx:
            if self._turn.document_id is not None:
                document = await _document(tx, self._turn.document_id)
                blocks += await self._document_blocks(tx, self._turn.document_id, document)
            if self._mentions is None:
                self._mentions = await resolve_present(tx, self._started.mentions)
            if self._passages is None:
                self._passages = await passages(tx, self._question, self._started.data_sources)
        blocks += [
            mention_block(item.mention.type, item.name, item.mention.id, item.content)
            for item in self._mentions
        ]
        blocks += [*self._passages, state_block(state), extraction_block(state)]
        situation = await self._situation(document, state) if self._built_in else None
        tainted = self._turn.document_id is not None or bool(self._mentions or self._passages)
        return SystemText(system_text(self._settings.rules, blocks), tainted, situation)

    async def rules(self) -> Sequence[Rule]:
        async with self._db.read_org(self._turn.organization_id) as tx:
            return await permission_rules.for_user(tx, self._turn.user_id)

    async def history(self, budget: int) -> History:
        """The client's own list when it sent one; else the thread, newest first until the budget is used up."""
        if self._history is None:
            self._history = await self._load_history(budget)
        return self._history

    async def _load_history(self, budget: int) -> History:
        if self._started.history:
            return History(client_messages(self._started.history))
        if self._turn.thread_id is None:
            return History(())
        taken: list[tuple[Message, ...]] = []
        used = 0
        position = self._turn.position
        async with self._db.read_org(self._turn.organization_id) as tx:
            while True:
                rows = await turns.transcripts(tx, self._turn.thread_id, before=position, limit=TURNS_AT_ONCE)
                for position, transcript, tokens in rows:
                    if used + tokens > budget:
                        left, left_tokens = await turns.before(tx, self._turn.thread_id, position + 1)
                        return _history(taken, 2 * left, left_tokens)
                    used += tokens
                    taken.append(tuple(message_from_json(item) for item in transcript))
                if len(rows) < TURNS_AT_ONCE:
                    return _history(taken)

    async def _document_blocks(self, tx: OrgTx, document_id: str, document: Document | None) -> list[Block]:
        if document is None:
            return [deleted_block(document_id)]
        names = await tags.names(tx, document.tag_ids) if document.tag_ids else {}
        shown = [{"id": tag_id, "name": names.get(tag_id, tag_id)} for tag_id in document.tag_ids]
        return [
            document_block(
                document_id=document.id,
                name=document.name,
                metadata=document.metadata,
                tags=shown,
                state=document.state,
            ),
            excerpt_block(document.id, await self._excerpt(tx, document)),
        ]

    async def _excerpt(self, tx: OrgTx, document: Document) -> Excerpt:
        run_id = document.text_run_id
        if run_id is None:
            return Excerpt("", 0, 0, False, missing=_no_text(document))
        if run_id not in self._excerpts:
            self._excerpts[run_id] = await self._read_excerpt(tx, document, run_id)
        return self._excerpts[run_id]

    async def _read_excerpt(self, tx: OrgTx, document: Document, run_id: str) -> Excerpt:
        most = self._settings.excerpt_characters
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

    async def _situation(self, document: Document | None, state: Mapping[str, Any]) -> Situation:
        part: DocumentPart | None = None
        if document is not None and document.text_run_id is not None:
            if document.text_run_id not in self._parts:
                found = await all_pages(self._db, document)
                self._parts[document.text_run_id] = DocumentPart(document.name, found, document.metadata)
            part = self._parts[document.text_run_id]
        return Situation(
            document=part,
            document_id=document.id if document else None,
            tag_ids=tuple(document.tag_ids) if document else (),
            state=state,
            mentions=tuple(
                {
                    "type": item.mention.type,
                    "id": item.mention.id,
                    "name": item.name,
                    "content": item.content,
                }
                for item in self._mentions or ()
            ),
        )


def _history(
    newest_first: Sequence[tuple[Message, ...]], left_out: int = 0, left_out_tokens: int = 0
) -> History:
    return History(join(list(reversed(newest_first)), ()), left_out, left_out_tokens)


async def _document(tx: OrgTx, document_id: str) -> Document | None:
    """None when it was deleted, by the turn itself even."""
    try:
        return await find_document(tx, document_id)
    except NotFound:
        return None


def _no_text(document: Document) -> str:
    if document.state in (DocumentState.UPLOADED, DocumentState.OCR_PROCESSING):
        return "The text is still being read. Call get_ocr_text in a moment."
    return f"There is no text. {document.state_reason or ''}".strip()
