"""Threads: conversations about a document or a project, private to the user who made them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, NotFound, existing
from docagent.domain.ids import ID_LENGTH, is_id
from docagent.domain.turns.events import Stopped, TurnStarted, payload
from docagent.domain.turns.turns import NEW_THREAD_TITLE, Subject, Thread, Turn, TurnState, WorkingState
from docagent.services.turns.runner import TurnRunner
from docagent.services.turns.subjects import find_subject
from docagent.services.turns.views.turn_views import thread_messages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import threads, turns


@dataclass(frozen=True, slots=True)
class LoadedThread:
    thread: Thread
    messages: list[dict[str, Any]]
    turns: list[Turn]
    has_earlier: bool = False
    """Whether turns come before these."""


class ThreadService:
    def __init__(self, db: Database, runner: TurnRunner) -> None:
        self._db = db
        self._runner = runner

    async def check_subject(self, member: Member, subject: Subject) -> None:
        """Raises NotFound if the subject does not exist."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_subject(tx, subject)

    async def list(
        self, member: Member, subject: Subject, *, search: str | None = None, limit: int = 50
    ) -> list[Thread]:
        async with self._db.read_org(member.organization_id) as tx:
            await find_subject(tx, subject)
            return await threads.recent(
                tx, user_id=member.user_id, subject=subject, search=search, limit=limit
            )

    async def create(self, member: Member, subject: Subject, title: str | None = None) -> str:
        async with self._db.write_org(member.organization_id) as tx:
            await find_subject(tx, subject)
            return await threads.create(
                tx,
                user_id=member.user_id,
                subject=subject,
                title=title or NEW_THREAD_TITLE,
                now=now(),
            )

    async def named(self, member: Member, subject: Subject, name: str) -> Thread:
        """The caller's thread by its id, or by a name that a client made up: its first use makes the thread.

        The id is made from the name, so that no table of names is needed. Nobody else comes to it by the same name.
        """
        if is_id(name):
            async with self._db.read_org(member.organization_id) as tx:
                return await find_thread(tx, member, subject, name)
        owner = (member.organization_id, member.user_id, subject.kind, subject.id)
        thread_id = hashlib.sha256("\n".join((*owner, name)).encode()).hexdigest()[:ID_LENGTH]
        async with self._db.write_org(member.organization_id) as tx:
            await find_subject(tx, subject)
            await threads.create(
                tx,
                user_id=member.user_id,
                subject=subject,
                title=NEW_THREAD_TITLE,
                now=now(),
                thread_id=thread_id,
            )
            return await find_thread(tx, member, subject, thread_id)

    async def open_turn(self, member: Member, thread: Thread) -> Turn | None:
        """The turn of the thread that runs or waits, if there is one."""
        async with self._db.read_org(member.organization_id) as tx:
            return await turns.open_turn(tx, thread.id)

    async def load(
        self,
        member: Member,
        subject: Subject,
        thread_id: str,
        *,
        before: str | None = None,
        limit: int | None = None,
    ) -> LoadedThread:
        """The thread with its turns: all, or the last so many, before the turn with the id `before`."""
        async with self._db.read_org(member.organization_id) as tx:
            thread = await find_thread(tx, member, subject, thread_id)
            position = await _position(tx, thread.id, before) if before is not None else None
            more = None if limit is None else limit + 1
            found = await turns.of_thread(tx, thread.id, before=position, limit=more)
            shown = found if limit is None else found[-limit:]
            logs = await turns.events_of(tx, [turn.id for turn in shown]) if shown else {}
        messages = [message for turn in shown for message in thread_messages(turn.id, logs[turn.id])]
        return LoadedThread(thread, messages, shown, has_earlier=len(found) > len(shown))

    async def rename(self, member: Member, subject: Subject, thread_id: str, title: str) -> Thread:
        async with self._db.write_org(member.organization_id) as tx:
            await find_thread(tx, member, subject, thread_id)
            await threads.rename(tx, thread_id, title)
            return await find_thread(tx, member, subject, thread_id)

    async def delete(self, member: Member, subject: Subject, thread_id: str) -> None:
        """Delete a thread. The audit keeps its turns that changed something. Refused while the agent works."""
        async with self._db.write_org(member.organization_id) as tx:
            await find_thread(tx, member, subject, thread_id)
            current = await turns.open_turn(tx, thread_id)
            if current is not None and current.state is TurnState.RUNNING:
                raise Conflict("The agent is working in this conversation. Stop it first.")
            if current is not None:
                with tx.joined():
                    stopped = Stopped("user", member.user_id)
                    await self._runner.end_waiting(member.organization_id, current.id, lambda _: [stopped])
            await turns.keep_for_audit(tx, thread_id)
            await threads.delete(tx, thread_id)

    async def export(self, member: Member, subject: Subject, thread_id: str) -> dict[str, Any]:
        """Everything that was said and done, including turns that an edited message replaced."""
        async with self._db.read_org(member.organization_id) as tx:
            thread = await find_thread(tx, member, subject, thread_id)
            about = await find_subject(tx, subject)
            found = await turns.of_thread(tx, thread.id, superseded=True)
            logs = await turns.events_of(tx, [turn.id for turn in found]) if found else {}
        return {
            "id": thread.id,
            "title": thread.title,
            f"{subject.kind}_id": subject.id,
            f"{subject.kind}_name": about.name,
            "working_state": thread.state.as_json(),
            "created_at": thread.created_at,
            "updated_at": thread.updated_at,
            "turns": [
                {
                    "id": turn.id,
                    "state": turn.state,
                    "model": turn.model,
                    "strategy": turn.strategy,
                    "superseded": turn.superseded,
                    "created_at": turn.created_at,
                    "events": [
                        {
                            "seq": recorded.seq,
                            "at": recorded.at,
                            "type": recorded.event.type,
                            **payload(recorded.event),
                        }
                        for recorded in logs[turn.id]
                    ],
                }
                for turn in found
            ],
        }


async def find_thread(
    tx: OrgTx, member: Member, subject: Subject, thread_id: str, *, lock: bool = False
) -> Thread:
    thread = await threads.get(tx, thread_id, user_id=member.user_id, subject=subject, lock=lock)
    return existing(thread, "Thread not found")


async def _position(tx: OrgTx, thread_id: str, turn_id: str) -> int:
    turn = await turns.get(tx, turn_id)
    if turn is None or turn.thread_id != thread_id:
        raise NotFound("Turn not found")
    return turn.position


@dataclass(frozen=True, slots=True)
class Cut:
    """What an edited message replaced: the working state before it, and turns that still wait for someone."""

    state: WorkingState | None = None
    waiting: Sequence[Turn] = ()


async def cut_thread(tx: OrgTx, thread_id: str, keep_messages: int) -> Cut:
    """Keep the first messages of a thread; the turn that holds the next one, and all after it, are superseded."""
    found = await turns.of_thread(tx, thread_id)
    logs = await turns.events_of(tx, [turn.id for turn in found]) if found else {}
    count = 0
    for turn in found:
        count += len(thread_messages(turn.id, logs[turn.id]))
        if count > keep_messages:
            if any(later.state is TurnState.RUNNING for later in found if later.position >= turn.position):
                raise Conflict("The agent is still working in this conversation. Stop it first.")
            await turns.supersede_from(tx, thread_id, turn.position)
            replaced = [later for later in found if later.position >= turn.position]
            start = logs[turn.id][0].event
            assert isinstance(start, TurnStarted)
            return Cut(WorkingState.of(start.state), [later for later in replaced if later.state.is_waiting])
    return Cut()
