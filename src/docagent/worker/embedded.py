"""The job runner for SQLite: a loop in this process that takes jobs from the table."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from docagent.domain.background import end
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.execution import Executor

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0


class EmbeddedRunner:
    """Wakes when a service of this process calls, and regularly, for retries and for jobs of other processes."""

    def __init__(self, executor: Executor, concurrency: int) -> None:
        self._executor = executor
        self._concurrency = concurrency
        self._woken = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        """Run jobs until cancelled. Jobs still running are then put back for the next worker."""
        try:
            while True:
                self._woken.clear()
                try:
                    await self._take_all()
                except DATABASE_ERRORS:
                    logger.exception("cannot look for jobs")
                with suppress(TimeoutError):
                    # Python 3.11's wait_for can lose a cancellation that arrives at the same moment as the event.
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._woken.wait()
        finally:
            await end(*self._running)

    async def _take_all(self) -> None:
        while len(self._running) < self._concurrency and await self._executor.has_due():
            job = await self._executor.claim()
            if job is None:
                return
            task = asyncio.create_task(self._executor.run(job), name=f"job {job.id}")
            self._running.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._woken.set()
