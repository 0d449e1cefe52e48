"""Waits for something to become true, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

SECONDS = 150
"""A crowded machine may need long; how long is not what is tested."""


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = SECONDS) -> None:
    """Check the condition again and again. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)


async def true_soon(holds: Callable[[], bool]) -> None:
    """Wait for something that nobody announces."""
    async with asyncio.timeout(SECONDS):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)


async def let_time_pass(seconds: float) -> None:
    """Where time itself is the case. Nothing may depend on what others do meanwhile."""
    await asyncio.sleep(seconds)
