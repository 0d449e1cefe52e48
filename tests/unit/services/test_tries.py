"""Counting tries: what is forgotten while old counts are cleaned up is no error."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

from limits import RateLimitItemPerMinute
from limits.aio.strategies import MovingWindowRateLimiter

from docagent.services.accounts.sign_in_limits import CountsInMemory


def test_a_count_forgotten_during_the_clean_up_is_no_unhandled_error() -> None:
    assert asyncio.run(_told_of_a_forgotten_count()) == []


async def _told_of_a_forgotten_count() -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    counts = CountsInMemory()
    limiter, limit = MovingWindowRateLimiter(counts), RateLimitItemPerMinute(5)
    await limiter.hit(limit, "first")
    assert counts.timer is not None
    await counts.timer
    (key,) = counts.events
    async with counts.locks[key]:
        await limiter.hit(limit, "second")
        await asyncio.sleep(0)
        del counts.events[key]
    await asyncio.wait({counts.timer})
    assert await limiter.hit(limit, "first")
    await asyncio.wait({counts.timer})
    gc.collect()
    return told
