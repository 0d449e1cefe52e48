"""The whole worker: the job runner and the periodic clean-up."""

from __future__ import annotations

import asyncio
import logging

from docagent.bootstrap import Services
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.execution import Executor
from docagent.worker.jobs import all_work
from docagent.worker.memory import keep_giving_back
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
