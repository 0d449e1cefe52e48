"""Waiting for something to become true, with an end to the patience."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

SECONDS = 30


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = SECONDS) -> None:
    """Ask again and again. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)
