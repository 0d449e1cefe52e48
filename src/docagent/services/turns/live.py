"""Passes on what a running turn says right now to everyone who watches it in this process.

Turns that run in other processes are watched here too: `relay.py` brings what is said there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from docagent.domain.turns.events import AskedAgain, AssistantMessage, Delta, Observe, Plan, Reason, Recorded

Item = Recorded | Delta
Clock = Callable[[], float]

BEHIND_SECONDS = 0.005
"""A watcher that wakes later than this after a piece came is in a loop that has too much to do."""
GATHERING_SECONDS = 0.02
"""How long pieces are then gathered: sending costs more than the pieces."""

_ENDS_A_REPLY = (AssistantMessage, Reason, Observe, Plan, AskedAgain)


class Watcher:
    """A queue that hands out everything it holds at once, so that a slow reader gets fewer, longer pieces.

    When the loop is behind, it gathers pieces for a moment, so that the loop can catch up.
    """

    def __init__(self, clock: Clock = monotonic) -> None:
        self._items: list[tuple[int, Item]] = []
        self._time = clock
        self._called_at = 0.0
        self._is_called = False
        self._waiting: asyncio.Future[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._rings_at = self._due = 0.0

    def put(self, after: int, item: Item) -> None:
        self._items.append((after, item))
        self._rouse()

    def wake(self) -> None:
        """Let viewers read the log."""
        self._is_called = True
        self._rouse()

    def was_called(self) -> bool:
        """Whether the log may have changed since this was asked last."""
        was_called, self._is_called = self._is_called, False
        return was_called

    def _rouse(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._called_at = self._time()
            self._waiting.set_result(None)

    async def take(self, seconds: float) -> list[tuple[int, Item]]:
        """The items since the last call, each with the number of the last event by then.

        Waits until there is one. Empty after this many seconds, or if called without one.
        """
        if not (self._items or self._is_called):
            loop = asyncio.get_running_loop()
            self._wake_by(loop, loop.time() + seconds)
            self._waiting = loop.create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
            if self._is_behind() and all(isinstance(item, Delta) for _, item in self._items):
                await asyncio.sleep(GATHERING_SECONDS)
        items, self._items = self._items, []
        return items

    def _is_behind(self) -> bool:
        return bool(self._items) and self._time() - self._called_at > BEHIND_SECONDS

    def close(self) -> None:
        if self._clock is not None:
            self._clock.cancel()

    def _wake_by(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        """Use one timer for many waits: setting one for each piece of a reply would cost more than the piece."""
        self._due = due
        if self._clock is None or due < self._rings_at:
            self.close()
            self._rings_at, self._clock = due, loop.call_at(due, self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._clock = None
        if self._due > self._rings_at:
            self._wake_by(loop, self._due)
        else:
            self.wake()


class Outward(Protocol):
    """Hears of what runs here, for other processes."""

    def begins(self, turn_id: str) -> None: ...
    def piece(self, turn_id: str, after: int, delta: Delta) -> None: ...
    def paused(self, turn_id: str) -> None: ...
    def forget(self, turn_id: str) -> None: ...


@dataclass(slots=True)
class _Channel:
    last_seq: int = 0
    runs: bool = False
    silent_up_to: int = -1
    """The event up to which pieces of a reply that began again are not shown: a part of it was shown already."""
    watchers: set[Watcher] = field(default_factory=set)
    so_far: list[Delta] = field(default_factory=list)
    """The pieces of the reply that is not finished yet."""


class LiveTurns:
    """The turns that run here, or are watched here."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self._channels: dict[str, _Channel] = {}
        self._clock = clock
        self.outward: Outward | None = None

    def runs(self, turn_id: str) -> bool:
        channel = self._channels.get(turn_id)
        return channel is not None and channel.runs

    def last_seq(self, turn_id: str) -> int:
        """The number of the last event that was passed on; 0 if there was none."""
        channel = self._channels.get(turn_id)
        return channel.last_seq if channel else 0

    def begins(self, turn_id: str, last_seq: int) -> None:
        """Note that a run begins after this event of the log."""
        channel = self._channels.setdefault(turn_id, _Channel())
        channel.last_seq, channel.runs = last_seq, True
        channel.so_far.clear()
        if self.outward is not None:
            self.outward.begins(turn_id)

    def publish(self, turn_id: str, item: Item) -> None:
        channel = self._channels.get(turn_id)
        if channel is None:
            return
        if isinstance(item, Delta):
            channel.so_far.append(item)
            if self.outward is not None and channel.runs:
                self.outward.piece(turn_id, channel.last_seq, item)
        else:
            channel.last_seq = item.seq
            if isinstance(item.event, _ENDS_A_REPLY):
                channel.so_far.clear()
        for watcher in channel.watchers:
            watcher.put(channel.last_seq, item)

    def catch_up(self, turn_id: str, log: Sequence[Recorded]) -> None:
        """Show what is in the log of a turn that runs here, and was not shown because nobody heard of its commit."""
        channel = self._channels.get(turn_id)
        if channel is not None and channel.runs:
            for recorded in log:
                if recorded.seq > channel.last_seq:
                    self.publish(turn_id, recorded)

    def unfinished_text(self, turn_id: str) -> str:
        """The part of an unfinished reply that has arrived."""
        channel = self._channels.get(turn_id)
        if channel is None:
            return ""
        return "".join(
            delta.text for delta in channel.so_far if delta.kind == "text" and delta.phase == "act"
        )

    def so_far(self, turn_id: str) -> list[tuple[int, Delta]]:
        """The pieces of the unfinished reply, each with the number of the last event before it."""
        channel = self._channels.get(turn_id)
        return [(channel.last_seq, delta) for delta in channel.so_far] if channel else []

    def came(self, turn_id: str, after: int, delta: Delta) -> None:
        """Pass on a piece of a reply that arrives in another process."""
        channel = self._channels.get(turn_id)
        if channel is None or channel.runs or after <= channel.silent_up_to:
            return
        if after > channel.last_seq:
            channel.last_seq = after
            channel.so_far.clear()
        channel.so_far.append(delta)
        for watcher in channel.watchers:
            watcher.put(after, delta)

    def starts_again(self, turn_id: str) -> None:
        """Another process took the turn over. A reply that was shown in part is shown again only when it is whole."""
        channel = self._channels.get(turn_id)
        if channel is not None and channel.so_far and not channel.runs:
            channel.silent_up_to = channel.last_seq
            channel.so_far.clear()

    def wake(self, turn_id: str) -> None:
        """Let all viewers of the turn read its log."""
        channel = self._channels.get(turn_id)
        if channel is not None:
            for watcher in channel.watchers:
                watcher.wake()

    def paused(self, turn_id: str) -> None:
        """Note that the run is over, and keep nothing of it. Watchers wake and look at the log."""
        if self.outward is not None:
            self.outward.paused(turn_id)
        channel = self._channels.get(turn_id)
        if channel is None:
            return
        channel.runs = False
        channel.so_far.clear()
        for watcher in channel.watchers:
            watcher.wake()
        if not channel.watchers:
            del self._channels[turn_id]

    @contextmanager
    def watching(self, turn_id: str) -> Iterator[Watcher]:
        """Watch a turn: first the unfinished reply so far, in few pieces, then everything as it comes."""
        channel = self._channels.setdefault(turn_id, _Channel())
        watcher = Watcher(self._clock)
        for after, delta in joined([(channel.last_seq, delta) for delta in channel.so_far]):
            watcher.put(after, delta)
        channel.watchers.add(watcher)
        try:
            yield watcher
        finally:
            watcher.close()
            channel.watchers.discard(watcher)
            if not channel.watchers and self.outward is not None:
                self.outward.forget(turn_id)
            if not channel.watchers and not channel.runs and self._channels.get(turn_id) is channel:
                del self._channels[turn_id]

    def watched(self, turn_id: str) -> int:
        """How many watchers the turn has in this process."""
        channel = self._channels.get(turn_id)
        return len(channel.watchers) if channel else 0

    def is_quiet(self) -> bool:
        """Whether nothing is kept for any turn."""
        return not self._channels


def joined(pieces: Sequence[tuple[int, Delta]]) -> list[tuple[int, Delta]]:
    """The same text in as few pieces as possible."""
    found: list[tuple[int, Delta]] = []
    for after, delta in pieces:
        if found and found[-1][0] == after and (both := found[-1][1].followed_by(delta)):
            found[-1] = (after, both)
        else:
            found.append((after, delta))
    return found
