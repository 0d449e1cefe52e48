"""Counts how often something was tried of late, and refuses more."""

from __future__ import annotations

import asyncio
import logging

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from docagent.domain.clock import now
from docagent.domain.errors import RateLimited

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
