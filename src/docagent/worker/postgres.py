"""The job runner for PostgreSQL: procrastinate carries the ids of jobs from any process to any worker."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

import procrastinate
from procrastinate.jobs import DeleteJobCondition, Status

from docagent.domain.background import end
from docagent.domain.deliveries.line import Line
from docagent.services.jobs import JobService
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.store.jobs import QUEUE, TASK
from docagent.worker.execution import Executor

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 1.0
TROUBLE = (*DATABASE_ERRORS, procrastinate.exceptions.ConnectorException)


class PostgresRunner:
    """A procrastinate worker that also looks regularly for jobs whose worker died."""

    def __init__(
        self, executor: Executor, jobs: JobService, line: Line, conninfo: str, concurrency: int
    ) -> None:
        self._executor = executor
        self._jobs = jobs
        self._line = line
        self._concurrency = concurrency
        self._stopping = False
        connector = procrastinate.PsycopgConnector(conninfo=conninfo, min_size=1, max_size=4)
        self._app = procrastinate.App(connector=connector)
        self._app.task(name=TASK, queue=QUEUE)(self._run_job)

    async def run(self) -> None:
        """Run jobs until cancelled. Jobs still running are then put back for the next worker.

        procrastinate's worker stops when the database goes away. A new one begins when it is back.
        """
        working = asyncio.create_task(self._keep_working())
        try:
            await asyncio.wait({working})
        finally:
            self._stopping = True
            await end(working)
        await working

    async def _keep_working(self) -> None:
        while not self._stopping:
            try:
                await self._jobs.put_all_back(self._executor.owner)
                await self._work()
            except TROUBLE as error:
                logger.warning("the worker waits for the database: %s", error)
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    async def _work(self) -> None:
        async with self._app.open_async():
            rescue = asyncio.create_task(self._rescue())
            try:
                await self._app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=self._concurrency,
                    delete_jobs=DeleteJobCondition.ALWAYS,
                    fetch_job_polling_interval=1.0,
                    shutdown_graceful_timeout=0,
                    install_signal_handlers=False,
                )
            finally:
                await end(rescue)

    async def _run_job(self, job_id: str) -> None:
        job = await self._executor.claim(job_id)
        if job is not None:
            await self._executor.run(job)

    async def _rescue(self) -> None:
        """Look for workers that are gone, and now and then for jobs that were lost in any other way."""
        period = self._jobs.lease.total_seconds() / 2
        announced = monotonic()
        while True:
            await asyncio.sleep(min(period, SECONDS_BETWEEN_LOOKS))
            try:
                some_are_gone = await self._jobs.release_the_gone(self._line)
                if not some_are_gone and monotonic() - announced < period:
                    continue
                announced = monotonic()
                await self._jobs.announce_lost()
                for stalled in await self._app.job_manager.get_stalled_jobs(
                    seconds_since_heartbeat=self._jobs.lease.total_seconds()
                ):
                    await self._app.job_manager.finish_job(stalled, Status.FAILED, delete_job=True)
            except TROUBLE:
                logger.exception("cannot look for lost jobs")
