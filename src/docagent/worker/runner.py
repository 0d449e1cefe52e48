"""The loop that takes jobs from the table and runs them, on both databases."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from time import monotonic

from docagent.domain.background import end
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.execution import Executor

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0


class JobRunner:
    """Wakes when jobs are written, and every second for retries and for wake-ups that were lost."""

    def __init__(self, executor: Executor, concurrency: int) -> None:
        self._executor = executor
        self._concurrency = concurrency
        self._woken = asyncio.Event()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._release_at = 0.0
        self._lost_an_answer = False

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        """Run jobs until cancelled. Jobs still running are then put back for the next worker."""
        task = asyncio.current_task()
        assert task is not None
        try:
            while not task.cancelling():  # an error of the database can take the place of the cancellation
                self._woken.clear()
                try:
                    await self._look()
                except DATABASE_ERRORS as error:
                    self._lost_an_answer = True
                    logger.warning("cannot look for jobs: %s", error)
                with suppress(TimeoutError):
                    # Python 3.11's wait_for can lose a cancellation that arrives at the same moment as the event.
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._woken.wait()
        finally:
            await end(*self._running.values())
        raise asyncio.CancelledError

    async def _look(self) -> None:
        if self._lost_an_answer:
            await self._executor.put_back_all_but(self._running)
            self._lost_an_answer = False
        if monotonic() >= self._release_at:
            self._release_at = monotonic() + POLL_SECONDS
            await self._executor.jobs.release_the_gone()
        while (free := self._concurrency - len(self._running)) and await self._executor.jobs.has_due():
            claimed = await self._executor.claim(free)
            for job in claimed:
                task = asyncio.create_task(self._executor.run(job), name=f"job {job.id}")
                self._running[job.id] = task
                task.add_done_callback(partial(self._ended, job.id))
            if not claimed:  # other workers were quicker
                return

    def _ended(self, job_id: str, task: asyncio.Task[None]) -> None:
        del self._running[job_id]
        self._woken.set()
