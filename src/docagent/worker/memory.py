"""Gives memory back that jobs have freed. The C library keeps it otherwise: hundreds of MiB after a pile of papers."""

from __future__ import annotations

import asyncio
import ctypes

from docagent.worker.execution import Executor

SECONDS_BETWEEN = 10.0


async def keep_giving_back(executor: Executor) -> None:
    """Give memory back soon after jobs have ended."""
    ended = 0
    while True:
        await asyncio.sleep(SECONDS_BETWEEN)
        if executor.ended != ended:
            ended = executor.ended
            await asyncio.to_thread(give_back)


def give_back() -> None:
    """Have the C library give back what is free. Does nothing where it cannot, which is everywhere but with glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
