"""Chats: the caller's own threads about projects, as messages with a role. See `turns/chat_messages.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docagent.agent.state import TurnView
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import existing
from docagent.domain.models.llm import TextPart
from docagent.domain.turns.events import AssistantMessage, Completed, Event, TurnStarted, UserMessage
from docagent.domain.turns.turns import NEW_THREAD_TITLE, POSTED, Subject, Thread, Turn, TurnState
from docagent.services.projects.projects import find_project, lock_project
from docagent.services.turns.journal import transcript_of
from docagent.services.turns.starting import title_of
from docagent.services.turns.views.chat_messages import ChatMessage, Role, chat_messages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import threads, turns

MOST_LISTED = 500


class ChatService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, member: Member) -> Sequence[Thread]:
        """The caller's chats, what changed last first."""
        async with self._db.read_org(member.organization_id) as tx:
            return await threads.about_projects(tx, user_id=member.user_id, limit=MOST_LISTED)

    async def get(self, member: Member, chat_id: str) -> Thread:
        """Raises NotFound, also for a chat of somebody else or about a deleted project."""
        async with self._db.read_org(member.organization_id) as tx:
            return await _find(tx, member, chat_id)

    async def create(self, member: Member, project_id: str, title: str | None = None) -> Thread:
        async with self._db.write_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await _create(tx, member, project_id, title)

    async def of_project(self, member: Member, project_id: str) -> Thread:
        """The caller's latest chat about the project; the first one is made. Two callers at once get the same."""
        subject = Subject.project(project_id)
        async with self._db.write_org(member.organization_id) as tx:
            await lock_project(tx, project_id)
            found = await threads.recent(tx, user_id=member.user_id, subject=subject, search=None, limit=1)
            return found[0] if found else await _create(tx, member, project_id, None)

    async def messages(self, member: Member, chat_id: str) -> Sequence[ChatMessage]:
        """The messages in the order in which they were said."""
        async with self._db.read_org(member.organization_id) as tx:
            await _find(tx, member, chat_id)
            found = await turns.of_thread(tx, chat_id)
            logs = await turns.events_of(tx, [turn.id for turn in found]) if found else {}
        return [message for turn in found for message in chat_messages(turn, logs[turn.id])]

    async def post(
        self, member: Member, chat_id: str, role: Role, content: str, metadata: Mapping[str, Any]
    ) -> ChatMessage:
        """Put a message into the chat as it is. The agent does not answer it, but reads it from then on."""
        moment = now()
        start = TurnStarted(model="", strategy=POSTED, max_steps=0)
        events: list[Event] = [start, UserMessage(content, metadata), Completed("", 0)]
        if role == "assistant":
            events = [
                start,
                AssistantMessage(0, (TextPart(content),), ""),
                Completed(content, 0, metadata=metadata),
            ]
        async with self._db.write_org(member.organization_id) as tx:
            chat = await _find(tx, member, chat_id)
            is_first = role == "user" and chat.title == NEW_THREAD_TITLE
            title = title_of(content) if is_first else chat.title
            turn = Turn.begun(
                member,
                chat.subject,
                events,
                moment,
                thread_id=chat.id,
                position=await threads.next_position(tx, chat.id, moment, title=title),
                state=TurnState.COMPLETED,
            )
            await turns.insert(tx, turn)
            await turns.add_events(tx, turn.id, 1, events, moment)
            await turns.keep_transcript(tx, turn.id, *transcript_of(TurnView.of(events)))
            log = await turns.events(tx, turn.id)
        return chat_messages(turn, log)[-1]


async def _find(tx: OrgTx, member: Member, chat_id: str) -> Thread:
    return existing(await threads.about_project(tx, chat_id, user_id=member.user_id), "Chat not found")


async def _create(tx: OrgTx, member: Member, project_id: str, title: str | None) -> Thread:
    chat_id = await threads.create(
        tx,
        user_id=member.user_id,
        subject=Subject.project(project_id),
        title=title or NEW_THREAD_TITLE,
        now=now(),
    )
    return await _find(tx, member, chat_id)
