"""The runner for SQLite ends when it is told to."""

from __future__ import annotations

import asyncio

import pytest

from docagent.worker.embedded import EmbeddedRunner
from docagent.worker.execution import Executor
from tests.support.polling import SECONDS


class Idle(Executor):
    """Has nothing to do."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def has_due(self) -> bool:
        self.asked.set()
        return False


async def test_it_ends_also_when_it_is_woken_in_the_same_moment() -> None:
    idle = Idle()
    runner = EmbeddedRunner(idle, 1)
    running = asyncio.create_task(runner.run())
    await idle.asked.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    runner.wake()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(SECONDS):
            await running
