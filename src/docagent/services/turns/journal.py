"""The journal of a turn in the database: events, and what joined them, in one commit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from docagent.agent.history import message_json, turn_messages
from docagent.agent.ports import KillPoint
from docagent.agent.state import TurnView
from docagent.agent.trimming import estimate_tokens
from docagent.domain.accounts.accounts import Member, Standing
from docagent.domain.clock import now
from docagent.domain.turns.events import Event, Failed, Recorded, Stopped
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.deliveries.bus import Bus
from docagent.services.turns.notices import turn_notices
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import turns


class StoredEntry:
    def __init__(self, tx: OrgTx, journal: StoredJournal) -> None:
        self._tx = tx
        self._journal = journal
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)

    def attempt(self) -> AbstractAsyncContextManager[None]:
        return self._tx.savepoint()

    async def steering(self) -> Sequence[Event]:
        return await self._journal.lock_signals(self._tx)


@dataclass(eq=False)
class StoredJournal:
    """Only the runner that holds the turn's lease writes it, and only while `member` is one, with the same rights and
    with the token or session that the turn works with.

    Every step, every call and every effect is an entry or follows one, so this is where membership and credential are
    asked for again: the commit itself brings the answer. Without a member, the journal takes only the end of a turn.
    """

    _db: Database
    _turn: Turn
    _view: TurnView
    _member: Member | None
    _owner: str
    _lease: timedelta
    _waits: Waits
    _kill: KillPoint
    _bus: Bus
    _recorded: list[Recorded] = field(default_factory=list, init=False)
    signals_waiting: int = field(default=0, init=False)
    stop_requested_by: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._last_seq = self._turn.last_seq

    @asynccontextmanager
    async def entry(self) -> AsyncIterator[StoredEntry]:
        async with self._db.write_org(self._turn.organization_id) as tx:
            entry = StoredEntry(tx, self)
            with tx.joined():
                yield entry
            if not entry.events:
                return
            with turns.still_ours(self._turn.id):
                recorded = await self._write(tx, entry.events)
            for notice in turn_notices(self._turn, self._view, recorded):
                await self._bus.announce(tx, notice)
            self._kill.reached("before commit", entry.events)
        self._last_seq += len(recorded)
        self._recorded += recorded
        self._kill.reached("after commit", entry.events)

    @property
    def last_seq(self) -> int:
        return self._last_seq

    def taken(self) -> Sequence[Recorded]:
        taken, self._recorded = self._recorded, []
        return taken

    def has_signals(self) -> bool:
        return self.signals_waiting > 0

    async def signals(self) -> Sequence[Event]:
        """Messages that steer. The entry that records them removes them, so none is lost or given twice."""
        if not self.signals_waiting:
            return ()
        async with self._db.read_org(self._turn.organization_id) as tx:
            return await turns.peek_signals(tx, self._turn.id)

    async def lock_signals(self, tx: OrgTx) -> Sequence[Event]:
        """The messages that wait, locked. Whoever steers now waits, then finds the turn as this entry leaves it."""
        waiting = await turns.lock_signals(tx, self._turn.id)
        self.signals_waiting = len(waiting)
        return waiting

    async def _write(self, tx: OrgTx, events: Sequence[Event]) -> list[Recorded]:
        moment = now()
        state = self._view.turn_state
        transcript, tokens = None, 0
        if state.is_over:
            transcript, tokens = transcript_of(self._view)
        if self.signals_waiting:
            await turns.drop_signals(tx, self._turn.id, events)
        await turns.add_events(tx, self._turn.id, self._last_seq + 1, events, moment)
        if self._turn.thread_id is not None and state is not TurnState.RUNNING:
            await turns.set_thread_state(tx, self._turn.thread_id, self._view.state.as_json(), moment)
        progress = await turns.advance(
            tx,
            self._turn,
            owner=self._owner,
            last_seq=self._last_seq,
            new_seq=self._last_seq + len(events),
            state=state,
            now=moment,
            lease_until=moment + self._lease,
            waits_until=self._waits.until(self._view, moment),
            transcript=transcript,
            transcript_tokens=tokens,
        )
        self.signals_waiting = progress.signals
        self.stop_requested_by = progress.stop_requested_by
        self._check(progress.standing)
        first = self._last_seq + 1
        return [Recorded(first + position, moment, event) for position, event in enumerate(events)]

    def _check(self, standing: Standing) -> None:
        """Raises what the member lacks, which undoes the entry, unless the entry says that the turn broke off."""
        if isinstance(self._view.end, Stopped | Failed):
            return
        assert self._member is not None
        if (lack := self._member.lacks(standing)) is not None:
            raise lack


def transcript_of(view: TurnView) -> tuple[list[Any], int]:
    """What later turns of the thread see of this one, and its tokens."""
    messages = turn_messages(view.events)
    return [message_json(message) for message in messages], sum(map(estimate_tokens, messages))


class Waits:
    """How long a turn waits for a person."""

    def __init__(self, approval: timedelta | None, answer: timedelta | None) -> None:
        self._approval = approval
        self._answer = answer

    def until(self, view: TurnView, moment: datetime) -> datetime | None:
        waits = {TurnState.AWAITING_APPROVAL: self._approval, TurnState.AWAITING_INPUT: self._answer}
        asked = view.question_to_user
        if view.turn_state is TurnState.AWAITING_INPUT and asked is not None and asked.expires_at is not None:
            return asked.expires_at
        allowed = waits.get(view.turn_state)
        return moment + allowed if allowed else None
