"""Watching the caller's own turns: their state, their logs, and everything as it happens. Changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import replace

from docagent.agent.state import TurnView
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import DatabaseAway, NotFound
from docagent.domain.turns.events import Delta, Recorded, RequestedCall, Terminal
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.accounts.members import check_member
from docagent.services.accounts.open_streams import HEARTBEAT_SECONDS, OpenStream
from docagent.services.turns.live import Item, Watcher
from docagent.services.turns.own import NO_TURN, own_turn
from docagent.services.turns.runner import TurnRunner
from docagent.store.engine.database import Database
from docagent.store.turns import turns

SECONDS_BETWEEN_TRIES = 0.5
"""How often to look whether a database that was away is back."""


class TurnWatching:
    def __init__(
        self, db: Database, runner: TurnRunner, heartbeat_seconds: float = HEARTBEAT_SECONDS
    ) -> None:
        self._db = db
        self._runner = runner
        self.heartbeat_seconds = heartbeat_seconds

    async def get(self, member: Member, turn_id: str) -> Turn:
        return await own_turn(self._db, member, turn_id)

    async def answered(self, turn: Turn, after: int) -> tuple[Turn, list[Recorded]] | None:
        """The turn and its log as they were when it first paused or ended after an event; None if it never did.

        So whoever repeats a request gets the answer of the first one, whatever has happened since.
        """
        async with self._db.read_org(turn.organization_id) as tx:
            log = await turns.events(tx, turn.id)
        view = TurnView.of(item.event for item in log[: max(after, 1)])
        for place in range(max(after, 1), len(log) + 1):
            if place > max(after, 1):
                view.apply(log[place - 1].event)
            if view.turn_state is not TurnState.RUNNING:
                return replace(turn, state=view.turn_state, last_seq=place), log[:place]
        return None

    async def settled(self, member: Member, turn: Turn) -> tuple[Turn, list[Recorded]]:
        """The turn and its whole log, once it pauses or ends, wherever it runs."""
        await self._runner.wait(turn.id)
        log, current = await self._after(member, turn, 0)
        if current.state is TurnState.RUNNING:
            async for _ in self.watch(member, turn.id, after=current.last_seq, until_pause=True):
                pass
            log, current = await self._after(member, turn, 0)
        return current, log

    async def events(self, member: Member, turn_id: str, after: int = 0) -> list[Recorded]:
        turn = await own_turn(self._db, member, turn_id)
        async with self._db.read_org(member.organization_id) as tx:
            return await turns.events(tx, turn.id, after=after)

    async def log(self, turn: Turn) -> list[Recorded]:
        """The events of a turn up to the moment at which the caller was given it."""
        async with self._db.read_org(turn.organization_id) as tx:
            recorded = await turns.events(tx, turn.id)
        return [item for item in recorded if item.seq <= turn.last_seq]

    async def watch(
        self,
        member: Member,
        turn_id: str,
        *,
        after: int = 0,
        until_pause: bool = False,
        known: Turn | None = None,
        checked: bool = True,
    ) -> AsyncGenerator[list[Item]]:
        """Yield the events after a number, then everything as it happens until the turn is over.

        An empty list now and then says that the connection lives. With `until_pause` it also ends when the turn
        waits for a person. `known` is the turn, if the caller was just given it. Raises Forbidden when the caller has
        left the organisation meanwhile, and Unauthenticated when their token or session is gone, unless the caller
        asks for that itself (not `checked`). While the database is away it continues, as far as that is possible.
        """
        turn = known or await own_turn(self._db, member, turn_id)
        if turn.deserted_at is not None:
            await self._come_back(turn)
        with (
            self._runner.live.watching(turn_id) as watcher,
            self.open(member, watcher.wake) if checked else nullcontext() as stream,
        ):
            place = _Place(after, self.heartbeat_seconds)
            while True:
                self._runner.relay.watch(turn_id)
                looked = await self._look(member, turn, place.seen, is_new=turn is known)
                if looked is None:
                    if place.is_silent():
                        yield place.spoken([])
                    continue
                stored, turn = looked
                if stored:
                    place.seen = stored[-1].seq
                    yield place.spoken(list(stored))
                if turn.state.is_over or (until_pause and turn.state.is_waiting):
                    return
                async with aclosing(self._listen(turn_id, watcher, place, stream)) as groups:
                    async for items in groups:
                        yield items
                        if items and _is_end(items[-1]):
                            await self._runner.wait(turn_id)
                            return

    async def _listen(
        self, turn_id: str, watcher: Watcher, place: _Place, stream: OpenStream | None
    ) -> AsyncGenerator[list[Item]]:
        """What is said while the turn runs here. Of a turn that runs elsewhere, what is said until the log is due.

        Pieces of a reply are no reason to look at the log: their event comes with a call of its own.
        """
        clock = asyncio.get_running_loop().time
        due = clock() + self._patience(turn_id)
        while True:
            items, place.seen = _in_order(await watcher.take(self._patience(turn_id)), place.seen)
            is_called = watcher.was_called()
            if stream is not None:
                await stream.check()
            if items or place.is_silent():
                yield place.spoken(items)
            if self._runner.runs(turn_id):
                due = clock() + self._patience(turn_id)
            elif is_called or clock() >= due or not _are_pieces(items):
                return

    async def _look(
        self, member: Member, turn: Turn, seen: int, *, is_new: bool
    ) -> tuple[list[Recorded], Turn] | None:
        """The events since, and the turn. None, after a moment, if the database is away."""
        try:
            return await self._after(member, turn, seen, is_new=is_new)
        except DatabaseAway:
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)
            return None

    def _patience(self, turn_id: str) -> float:
        """How long to listen before looking at the log: another process may write it, and the line may be cut."""
        if self._db.dialect == "sqlite" or self._runner.runs(turn_id):
            return self.heartbeat_seconds
        return min(self.heartbeat_seconds, self._runner.relay.seconds_between_looks)

    def open(
        self, member: Member, wake: Callable[[], None] = lambda: None
    ) -> AbstractContextManager[OpenStream]:
        """Note that the member has a stream or a socket open."""
        streams, organization_id = self._runner.streams, member.organization_id
        return streams.open(member.principal, organization_id, self.heartbeat_seconds, wake)

    async def _come_back(self, turn: Turn) -> None:
        """Note that someone is there again, so that the turn is not stopped."""
        async with self._db.write_org(turn.organization_id) as tx:
            await turns.set_deserted(tx, turn.id, None)

    async def _after(
        self, member: Member, turn: Turn, seen: int, *, is_new: bool = False
    ) -> tuple[list[Recorded], Turn]:
        """The events since, and the turn. The turn is read first: what it says is then in the events.

        Nothing need be read of a new turn that this process has just begun.
        """
        if is_new and not seen and (opening := self._runner.opening(turn)) is not None:
            return opening, turn
        async with self._db.read_org(turn.organization_id) as tx:
            current = await turns.get(tx, turn.id)
            stored = await turns.events(tx, turn.id, after=seen)
        if current is None:
            async with self._db.read() as tx:
                await check_member(tx, member)
            raise NotFound(NO_TURN)
        return stored, current

    async def pending(self, turn: Turn) -> list[RequestedCall]:
        """All calls of the batch that waits: those that need a verdict and those that wait with them."""
        view = await self._view(turn)
        if not view.undecided:
            return []
        return [
            view.requested[call.id]
            for call in view.outstanding
            if call.id in view.requested and not view.is_decided(call.id)
        ]

    async def _view(self, turn: Turn) -> TurnView:
        async with self._db.read_org(turn.organization_id) as tx:
            recorded = await turns.events(tx, turn.id)
        return TurnView.of(item.event for item in recorded)


class _Place:
    """How far somebody who watches has seen, and when they were last spoken to."""

    def __init__(self, seen: int, heartbeat_seconds: float) -> None:
        self.seen = seen
        self._heartbeat_seconds = heartbeat_seconds
        clock = asyncio.get_running_loop().time
        self._clock = clock
        self._spoke = clock()

    def spoken(self, items: list[Item]) -> list[Item]:
        self._spoke = self._clock()
        return items

    def is_silent(self) -> bool:
        return self._clock() - self._spoke >= self._heartbeat_seconds


def _is_end(item: Item) -> bool:
    return isinstance(item, Recorded) and isinstance(item.event, Terminal)


def _are_pieces(items: Sequence[Item]) -> bool:
    return all(isinstance(item, Delta) for item in items)


def _in_order(items: Sequence[tuple[int, Item]], seen: int) -> tuple[list[Item], int]:
    """The items without events that were already shown, and without pieces of replies that were shown whole."""
    fresh: list[Item] = []
    for after, item in items:
        if isinstance(item, Recorded):
            if item.seq <= seen:
                continue
            seen = item.seq
        elif seen > after:
            continue
        fresh.append(item)
    return fresh, seen
