"""The whole worker: the job runner, the periodic clean-up, and giving back memory that jobs have freed."""

from __future__ import annotations

import asyncio
import ctypes
import logging

from docagent.bootstrap import Services
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.execution import Executor, all_work
from docagent.worker.runner import JobRunner

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 600.0


async def run_worker(services: Services) -> None:
    """Run jobs and clean up until cancelled."""
    executor = Executor(services.jobs, all_work(services), services.line.name)
    async with asyncio.TaskGroup() as group:
        group.create_task(_sweep(services))
        group.create_task(keep_giving_back(executor))
        runner = JobRunner(executor, services.settings.worker.concurrency)
        services.jobs.on_wake(runner.wake)
        group.create_task(runner.run())


async def _sweep(services: Services) -> None:
    while True:
        try:
            purged = await services.housekeeping.sweep()
        except DATABASE_ERRORS:
            logger.exception("clean-up failed")
        else:
            if purged:
                logger.info("deleted documents removed", extra={"count": purged})
        await asyncio.sleep(SWEEP_SECONDS)


SECONDS_BETWEEN = 10.0


async def keep_giving_back(executor: Executor) -> None:
    """Give memory back soon after jobs have ended. Otherwise the C library keeps it: hundreds of MiB, after many."""
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
