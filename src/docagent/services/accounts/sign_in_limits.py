"""Who may try to sign in now: limits of failures by place, by name and in all, and a short fair queue for the checking.

A browser that has signed in before is known by a cookie, and so is a name at a place from which it has signed in. What
strangers do, with whatever name and from wherever, does not count against them. docs/security.md says why.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from docagent.domain.clock import now
from docagent.domain.errors import RateLimited, Unauthenticated

logger = logging.getLogger(__name__)


class CountsInMemory(MemoryStorage):
    """Counts of this process. Their clean-up runs beside them, and stumbles if a count is forgotten meanwhile: limits
    lets that be told as an error that nobody handled, though the next clean-up does what was left."""

    @property
    def timer(self) -> asyncio.Task[None] | None:
        return self._clean_up

    @timer.setter
    def timer(self, clean_up: asyncio.Task[None] | None) -> None:
        self._clean_up = clean_up
        if clean_up is not None:
            clean_up.add_done_callback(_heed)


def _heed(clean_up: asyncio.Task[None]) -> None:
    if not clean_up.cancelled() and (error := clean_up.exception()) is not None:
        logger.debug("cleaning up counts of tries: %r", error)


class Tries:
    """So many tries in so many minutes for each key, counted by this process."""

    def __init__(self, most: int, minutes: int) -> None:
        self._limit = RateLimitItemPerMinute(most, minutes)
        self._limiter = MovingWindowRateLimiter(CountsInMemory())

    async def count(self, key: str, refusal: str) -> None:
        """Count a try before it is made, so that many at once get no further. Raises RateLimited."""
        if not await self._limiter.hit(self._limit, key):
            raise await too_many(self._limiter, self._limit, key, refusal=refusal)

    async def forget(self, key: str) -> None:
        await self._limiter.clear(self._limit, key)


async def too_many(
    counts: MovingWindowRateLimiter, limit: RateLimitItem, *key: str, refusal: str
) -> RateLimited:
    """The refusal of one more, which says when to come again."""
    stats = await counts.get_window_stats(limit, *key)
    wait = max(1, int(stats.reset_time - now().timestamp()) + 1)
    return RateLimited(f"{refusal} Try again in {wait} seconds.", wait)


Key: TypeAlias = tuple[str, ...]
Lane: TypeAlias = deque["_Waiting"]
Lanes: TypeAlias = OrderedDict[Key, Lane]

MINUTES = 5
CHECKED_AT_ONCE = 2 if (os.cpu_count() or 1) > 2 else 1
"""One check keeps two cores busy, and others want to be served meanwhile."""
SECONDS_WHEN_FULL = 2
MOST_KNOWN = 10_000
"""How many names are remembered with the place from which they signed in."""


@dataclass(frozen=True, slots=True)
class SignInLimits:
    """How many failures there may be in five minutes, and how many tries may wait to be checked."""

    by_name_and_place: int = 10
    by_place: int = 30
    by_name: int = 100
    in_all: int = 1000
    waiting: int = 24
    waiting_of_place: int = 4
    refusal_seconds: float = 2.0


class SignInGate:
    """Lets a try in, or says when to come again."""

    def __init__(self, limits: SignInLimits) -> None:
        self._refusal_seconds = limits.refusal_seconds
        self._narrow = RateLimitItemPerMinute(limits.by_name_and_place, MINUTES)
        self._by_place = RateLimitItemPerMinute(limits.by_place, MINUTES)
        self._by_name = RateLimitItemPerMinute(limits.by_name, MINUTES)
        self._in_all = RateLimitItemPerMinute(limits.in_all, MINUTES)
        self._counts = MovingWindowRateLimiter(CountsInMemory())
        self._queue = FairQueue(CHECKED_AT_ONCE, limits.waiting, limits.waiting_of_place)
        self._known: OrderedDict[Key, None] = OrderedDict()

    @asynccontextmanager
    async def attempt(self, name: str, place: str, device: str | None) -> AsyncIterator[None]:
        """One try, which is checked inside. It has failed if Unauthenticated is raised there.

        Whoever is sent away waits for that: a program that tries on and on would keep the server busy with it.
        """
        try:
            async with self._admitted(name, place, device):
                yield
        except RateLimited:
            await asyncio.sleep(self._refusal_seconds)
            raise

    @asynccontextmanager
    async def _admitted(self, name: str, place: str, device: str | None) -> AsyncIterator[None]:
        """A try counts before it is checked, so that many tries at once get no further than one after another."""
        narrow = ("device", device) if device else ("login", place, name)
        is_known = device is not None or narrow in self._known
        wide = [] if is_known else self._wide(name, place)
        for limit, key in [*wide, (self._narrow, narrow)]:
            if not await self._counts.test(limit, *key):
                raise await self._too_many(limit, key)
        goes_first = is_known or await self._is_without_failure(place)
        lane = narrow if is_known else ("place", place)
        async with self._queue.turn(lane, name, goes_first=goes_first):
            if not await self._counts.hit(self._narrow, *narrow):
                raise await self._too_many(self._narrow, narrow)
            try:
                yield
            except Unauthenticated:
                for limit, key in wide:
                    await self._counts.hit(limit, *key)
                raise
            await self._counts.clear(self._narrow, *narrow)
            self._remember(("login", place, name))

    def _remember(self, key: Key) -> None:
        self._known[key] = None
        self._known.move_to_end(key)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    async def _is_without_failure(self, place: str) -> bool:
        stats = await self._counts.get_window_stats(self._by_place, "place", place)
        return bool(stats.remaining == self._by_place.amount)

    def _wide(self, name: str, place: str) -> list[tuple[RateLimitItem, Key]]:
        return [
            (self._in_all, ("all",)),
            (self._by_place, ("place", place)),
            (self._by_name, ("name", name)),
        ]

    async def _too_many(self, limit: RateLimitItem, key: Key) -> RateLimited:
        return await too_many(self._counts, limit, *key, refusal="Too many failed logins.")


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    name: str
    turn: asyncio.Future[None]

    def send_away(self) -> None:
        if not self.turn.done():
            self.turn.set_exception(_queue_is_full())


class FairQueue:
    """Turns for a few at once. Those who wait do so in lanes by their keys, and the lanes take turns.

    Some go first: before all others, and in the place of one of them when the queue is full. Else, when it is full, the
    last of the longest lane gives way to whoever has a shorter one, and within a full lane the last of the name that
    has most there. So a key, and a name, with many waits for itself.
    """

    def __init__(self, at_once: int, waiting: int, waiting_of_key: int) -> None:
        self._free = at_once
        self._most = waiting
        self._most_of_key = waiting_of_key
        self._first: Lanes = OrderedDict()
        self._others: Lanes = OrderedDict()
        self._present: Counter[Key] = Counter()

    @asynccontextmanager
    async def turn(self, key: Key, name: str, *, goes_first: bool) -> AsyncIterator[None]:
        """A turn for a name under the key, of which one at a time goes first. Raises RateLimited."""
        lanes = self._first if goes_first and not self._present[key] else self._others
        self._present[key] += 1
        try:
            await self._enter(key, name, lanes)
            try:
                yield
            finally:
                self._leave()
        finally:
            self._present[key] -= 1
            if not self._present[key]:
                del self._present[key]

    async def _enter(self, key: Key, name: str, lanes: Lanes) -> None:
        if self._free:
            self._free -= 1
            return
        lane = lanes.get(key, deque())
        is_full = len(lane) >= self._most_of_key
        if not (_gives_way(lane, name) if is_full else self._has_room(lane, lanes)):
            raise _queue_is_full()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lanes.setdefault(key, lane).append(_Waiting(name, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _has_room(self, own: Lane, lanes: Lanes) -> bool:
        waiting = [*self._first.values(), *self._others.values()]
        if sum(map(len, waiting)) < self._most:
            return True
        yielding = self._others if lanes is self._first and self._others else lanes
        if not yielding:
            return False
        key, longest = max(yielding.items(), key=lambda item: len(item[1]))
        if yielding is lanes and len(longest) <= len(own) + 1:
            return False
        longest.pop().send_away()
        if not longest:
            del yielding[key]
        return True

    def _leave(self) -> None:
        while lanes := self._first or self._others:
            key, lane = lanes.popitem(last=False)
            turn = lane.popleft().turn
            if lane:
                lanes[key] = lane
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


def _gives_way(lane: Lane, name: str) -> bool:
    """Whether the name that has most in the lane has given up a place for another name that has fewer."""
    present = Counter(waiting.name for waiting in lane)
    crowd, count = present.most_common(1)[0]
    if count <= present[name] + 1:
        return False
    last = next(waiting for waiting in reversed(lane) if waiting.name == crowd)
    lane.remove(last)
    last.send_away()
    return True


def _queue_is_full() -> RateLimited:
    return RateLimited(
        f"Too many people are signing in at this moment. Try again in {SECONDS_WHEN_FULL} seconds.",
        SECONDS_WHEN_FULL,
    )
