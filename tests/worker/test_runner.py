"""The runner takes jobs from the table, as many as it has places for, and ends when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import cast

import pytest

from docagent.bootstrap import running_services
from docagent.domain.errors import DatabaseAway
from docagent.services.jobs import JobService
from docagent.worker.execution import Executor
from docagent.worker.runner import JobRunner
from docagent.worker.service import run_worker
from tests.conftest import make_settings
from tests.support.polling import SECONDS, let_time_pass
from tests.support.services.postgres import PostgresServer


class Idle(Executor):
    """Has nothing to do."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.jobs = cast("JobService", self)  # the table of jobs, as far as a runner asks it

    async def has_due(self) -> bool:
        self.asked.set()
        return False

    async def release_the_gone(self) -> None:
        """Knows no other worker."""

    async def put_back_all_but(self, running: Collection[str]) -> None:
        """Holds nothing."""


class AwayAtTheEnd(Idle):
    """A database that goes away in the moment when the work is cancelled."""

    async def has_due(self) -> bool:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise DatabaseAway("It is away.") from None
        return False


async def test_it_ends_also_when_it_is_woken_in_the_same_moment() -> None:
    idle = Idle()
    runner = JobRunner(idle, 1)
    running = asyncio.create_task(runner.run())
    await idle.asked.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    runner.wake()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(SECONDS):
            await running


async def test_it_ends_also_when_an_error_takes_the_place_of_the_cancellation() -> None:
    away = AwayAtTheEnd()
    running = asyncio.create_task(JobRunner(away, 1).run())
    await away.asked.wait()
    running.cancel()
    await asyncio.wait({running}, timeout=SECONDS)
    assert running.cancelled()


async def test_it_ends_at_any_moment_of_its_start_on_postgresql(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    async with running_services(
        make_settings(tmp_path, postgres.create_database().url), {}, None
    ) as services:
        for milliseconds in range(30):
            working = asyncio.create_task(run_worker(services))
            await let_time_pass(milliseconds / 1000)
            working.cancel()
            await asyncio.wait({working}, timeout=SECONDS)
            assert working.cancelled()
