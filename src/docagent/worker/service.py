"""The whole worker: the job runner that fits the database, and the periodic clean-up."""

from __future__ import annotations

import asyncio
import logging

from docagent.bootstrap import Services
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.embedded import EmbeddedRunner
from docagent.worker.execution import Executor
from docagent.worker.jobs import all_work
from docagent.worker.memory import keep_giving_back

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 600.0


async def run_worker(services: Services) -> None:
    """Run jobs and clean up until cancelled."""
    executor = Executor(services.jobs, all_work(services), services.line.name)
    concurrency = services.settings.worker.concurrency
    async with asyncio.TaskGroup() as group:
        group.create_task(_sweep(services))
        group.create_task(keep_giving_back(executor))
        if services.db.dialect == "postgresql":
            # procrastinate and its driver are slow to import, and SQLite does not need them.
            from docagent.worker.postgres import PostgresRunner  # noqa: PLC0415

            runner = PostgresRunner(executor, services.jobs, services.line, services.conninfo, concurrency)
            group.create_task(runner.run())
        else:
            # Workers on a file come and go with their server, so the start is when jobs are found that a dead one left.
            await services.jobs.release_the_gone(services.line)
            embedded = EmbeddedRunner(executor, concurrency)
            services.jobs.on_wake(embedded.wake)
            group.create_task(embedded.run())


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
