"""Finding what projects hold by words: living documents, and the caller's own conversations about projects."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from docagent.domain.accounts.accounts import Member
from docagent.domain.listing import Found, ListQuery, check_search
from docagent.services.projects.passages import MOST_WORDS, Excerpt, excerpt, folded, hits, words_as_typed
from docagent.services.projects.projects import find_project
from docagent.store.engine.database import Database, OrgTx
from docagent.store.search import chat_search, living_search
from docagent.store.search.chat_search import Chat, Said
from docagent.store.search.living_search import FoundLivingDocument

MOST_CHATS = 200
MOST_MESSAGES = 1000
"""Only so much of what was said is searched, the newest first."""


class FindingKind(StrEnum):
    DOCUMENT = "document"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Finding:
    """A living document, or a conversation, that holds all of the words; and a piece of it that shows them."""

    kind: FindingKind
    project_id: str
    project_name: str
    name: str
    """The name of the document, or the title of the conversation."""
    document_id: str | None
    version: int | None
    thread_id: str | None
    excerpt: Excerpt


class FindingService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def find(
        self,
        member: Member,
        text: str,
        *,
        project_id: str | None = None,
        kind: FindingKind | None = None,
        skip: int = 0,
        limit: int = 20,
    ) -> Found[Finding]:
        """Documents before conversations. Raises NotFound if there is no such project."""
        check_search("q", text)
        words = dict(list(words_as_typed(text).items())[:MOST_WORDS])
        async with self._db.read_org(member.organization_id) as tx:
            if project_id is not None:
                await find_project(tx, project_id)
            if not words:
                return Found([], 0, skip)
            documents, document_count = await _documents(tx, words, project_id, kind, ListQuery(skip, limit))
            chats, said = await _chats(tx, member, project_id, kind)
        # A document may hold much text, and looking through it takes a while.
        found = await asyncio.to_thread(_findings, documents, list(words))
        talked = await asyncio.to_thread(_chats_with, chats, said, list(words))
        first = max(0, skip - document_count)
        page = [*found, *talked[first : first + limit - len(found)]]
        return Found(page, document_count + len(talked), skip)


async def _documents(
    tx: OrgTx, words: Mapping[str, str], project_id: str | None, kind: FindingKind | None, query: ListQuery
) -> tuple[list[FoundLivingDocument], int]:
    if kind is FindingKind.CHAT:
        return [], 0
    places, total = await living_search.matching(tx, words, project_id, query)
    read = {found.document_id: found for found in await living_search.read(tx, places)}
    return [read[place.document_id] for place in places if place.document_id in read], total


async def _chats(
    tx: OrgTx, member: Member, project_id: str | None, kind: FindingKind | None
) -> tuple[list[Chat], list[Said]]:
    if kind is FindingKind.DOCUMENT:
        return [], []
    chats = await chat_search.own_chats(tx, member.user_id, project_id, MOST_CHATS)
    return chats, await chat_search.said_in(tx, chats, MOST_MESSAGES)


def _findings(documents: Sequence[FoundLivingDocument], words: Sequence[str]) -> list[Finding]:
    return [
        Finding(
            FindingKind.DOCUMENT,
            found.project_id,
            found.project_name,
            found.document_name,
            found.document_id,
            found.number,
            None,
            excerpt(found.text, words),
        )
        for found in documents
    ]


def _chats_with(chats: Sequence[Chat], said: Sequence[Said], words: Sequence[str]) -> list[Finding]:
    """One finding for each conversation with a message, or a title, that holds all of the words."""
    shown: dict[str, str] = {chat.thread_id: chat.title for chat in chats if _holds(chat.title, words)}
    for message in reversed(said):
        if _holds(message.text, words):
            shown[message.thread_id] = message.text
    return [
        Finding(
            FindingKind.CHAT,
            chat.project_id,
            chat.project_name,
            chat.title,
            None,
            None,
            chat.thread_id,
            excerpt(shown[chat.thread_id], words),
        )
        for chat in chats
        if chat.thread_id in shown
    ]


def _holds(text: str, words: Sequence[str]) -> bool:
    plain = folded(unicodedata.normalize("NFC", text))
    return all(hits(word, plain) for word in words)
