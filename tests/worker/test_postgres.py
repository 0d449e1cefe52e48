"""The runner for PostgreSQL ends when it is told to, whatever it is doing."""

from __future__ import annotations

import asyncio
from pathlib import Path

from docagent.bootstrap import running_services
from docagent.domain.deliveries.line import AloneOnTheLine
from docagent.domain.errors import DatabaseAway
from docagent.services.jobs import JobService
from docagent.worker.execution import Executor
from docagent.worker.postgres import PostgresRunner
from docagent.worker.service import run_worker
from tests.conftest import make_settings
from tests.support.polling import SECONDS, let_time_pass
from tests.support.postgres import PostgresServer


async def test_it_ends_at_any_moment_of_its_start(postgres: PostgresServer, tmp_path: Path) -> None:
    async with running_services(
        make_settings(tmp_path, postgres.create_database().url), {}, None
    ) as services:
        for milliseconds in range(30):
            working = asyncio.create_task(run_worker(services))
            await let_time_pass(milliseconds / 1000)
            working.cancel()
            await asyncio.wait({working}, timeout=SECONDS)
            assert working.cancelled()


class AwayAtTheEnd(JobService):
    """A database that is gone in the moment when the work is cancelled."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def put_all_back(self, owner: str) -> None:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise DatabaseAway("It is away.") from None


async def test_it_ends_also_when_an_error_takes_the_place_of_the_cancellation() -> None:
    jobs = AwayAtTheEnd()
    runner = PostgresRunner(Executor(jobs, {}, "worker"), jobs, AloneOnTheLine(), "", 1)
    running = asyncio.create_task(runner.run())
    await jobs.asked.wait()
    running.cancel()
    await asyncio.wait({running}, timeout=SECONDS)
    assert running.cancelled()
