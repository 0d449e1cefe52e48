"""Waits for something to become true, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

SECONDS = 30


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = SECONDS) -> None:
    """Check the condition again and again. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)
