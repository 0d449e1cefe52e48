"""A job's life: claimed once, retried with growing pauses, given up, put back, never done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Role
from docagent.domain.clock import now
from docagent.domain.errors import FilesAway
from docagent.domain.ids import new_id
from docagent.domain.jobs import (
    CRASHES_WITHOUT_DELAY,
    LONGEST_CRASH_DELAY,
    MOST_CRASHES,
    Job,
    JobKind,
    JobState,
    LeaseLost,
    crash_delay,
)
from docagent.services.accounts.users import create_user
from docagent.services.jobs import JobRun, JobService
from docagent.store import jobs
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.tables import tags
from docagent.worker.execution import Executor, Work

LEASE = timedelta(seconds=30)


@dataclass
class Bench:
    """A queue with one organisation, and a handler that tests choose."""

    db: Database
    organization_id: str
    service: JobService
    given_up: list[str] = field(default_factory=list)

    def executor(
        self, handler: Callable[[JobRun], Awaitable[None]], *, seconds_between_tries: float = 1.0
    ) -> Executor:
        async def give_up(tx: OrgTx, job: Job) -> None:
            self.given_up.append(job.id)

        work = {JobKind.READ_TEXT: Work(handler, give_up)}
        return Executor(self.service, work, seconds_between_tries=seconds_between_tries)

    async def enqueue(self) -> str:
        async with self.db.write_org(self.organization_id) as tx:
            return await self.service.enqueue(tx, JobKind.READ_TEXT, None)

    async def job(self, job_id: str) -> Job:
        async with self.db.read_org(self.organization_id) as tx:
            job = await jobs.get(tx, job_id)
        assert job is not None
        return job

    async def claim_at(self, executor: Executor, moment: timedelta) -> Job | None:
        """Claim as if it were later."""
        async with self.db.write() as tx:
            claimed = await jobs.claim(tx, owner=executor.owner, now=now() + moment, lease=LEASE)
        return claimed[0] if claimed else None

    async def claim_after_crashes(self, executor: Executor, crashes: int) -> Job:
        """Claim as if so many workers had died with the job before, each a day after the other."""
        claimed = await self.claim_at(executor, timedelta(0))
        for days in range(1, crashes + 1):
            moment = timedelta(days=days)
            claimed = await self.claim_at(executor, moment) or await self.claim_at(
                executor, moment + LONGEST_CRASH_DELAY
            )
        assert claimed is not None
        return claimed

    async def tag_names(self) -> list[str]:
        async with self.db.read_org(self.organization_id) as tx:
            return [row.name for row in await tx.rows(sa.select(tags.c.name))]

    async def make_tag(self, tx: OrgTx, name: str) -> None:
        folded = {"name_folded": name.casefold()}
        await tx.execute(
            sa.insert(tags).values(
                id=new_id(), name=name, color="", created_at=now(), created_by=new_id(), **folded
            )
        )


@pytest.fixture
async def bench(database: Database) -> Bench:
    async with database.write() as tx:
        user = await create_user(
            tx, email=f"{new_id()}@example.com", name="Ada", password_hash=None, role=Role.USER
        )
        (organization_id,) = await organizations.of_user(tx, user.id)
    return Bench(database, organization_id, JobService(database, max_attempts=3, lease=LEASE))


async def test_a_job_exists_only_if_its_transaction_commits(bench: Bench) -> None:
    class Undecided(Exception):
        pass

    async def change_of_mind() -> None:
        async with bench.db.write_org(bench.organization_id) as tx:
            await bench.service.enqueue(tx, JobKind.READ_TEXT, None)
            raise Undecided

    with pytest.raises(Undecided):
        await change_of_mind()
    assert not await bench.service.has_due()
    await bench.enqueue()
    assert await bench.service.has_due()


async def test_a_job_is_claimed_by_one_worker_only(bench: Bench) -> None:
    async def idle(run: JobRun) -> None:
        raise AssertionError("not to be run")

    expected = {await bench.enqueue() for _ in range(5)}
    workers = [bench.executor(idle) for _ in range(4)]
    claimed = await asyncio.gather(*(worker.claim() for worker in workers for _ in range(3)))
    ids = [job.id for batch in claimed for job in batch]
    assert sorted(ids) == sorted(expected)


async def test_effect_and_end_happen_together(bench: Bench) -> None:
    async def effect(run: JobRun) -> None:
        async with bench.db.write_org(bench.organization_id) as tx:
            await bench.make_tag(tx, "done")
            await run.finish(tx)

    job_id = await bench.enqueue()
    executor = bench.executor(effect)
    (job,) = await executor.claim()
    await executor.run(job)
    assert (await bench.job(job_id)).state is JobState.DONE
    assert await bench.tag_names() == ["done"]
    assert await executor.claim() == []


async def test_a_worker_that_lost_its_lease_keeps_no_effect(bench: Bench) -> None:
    async def effect(run: JobRun) -> None:
        async with bench.db.write_org(bench.organization_id) as tx:
            await bench.make_tag(tx, run.job.lease_owner or "")
            await run.finish(tx)

    await bench.enqueue()
    slow, quick = bench.executor(effect), bench.executor(effect)
    (lost,) = await slow.claim()
    taken = await bench.claim_at(quick, LEASE * 2)
    assert taken is not None
    assert taken.id == lost.id
    await slow.run(lost)
    assert await bench.tag_names() == []
    await quick.run(taken)
    assert await bench.tag_names() == [quick.owner]
    with pytest.raises(LeaseLost):
        await bench.service.beat(lost)


async def test_a_failing_job_is_retried_with_growing_pauses_then_given_up(bench: Bench) -> None:
    async def broken(run: JobRun) -> None:
        raise RuntimeError("the disk is on fire")

    job_id = await bench.enqueue()
    executor = bench.executor(broken)
    pauses = []
    for _ in range(3):
        job = await bench.claim_at(executor, timedelta(days=1))
        assert job is not None
        await executor.run(job)
        after = await bench.job(job_id)
        pauses.append((after.run_at - now()).total_seconds())
    assert after.state is JobState.FAILED
    assert after.error == "RuntimeError: the disk is on fire"
    assert bench.given_up == [job_id]
    assert 3 < pauses[0] <= 5
    assert 18 < pauses[1] <= 20
    assert await bench.claim_at(executor, timedelta(days=2)) is None


async def test_a_worker_that_dies_costs_a_job_no_try(bench: Bench) -> None:
    async def broken(run: JobRun) -> None:
        raise RuntimeError("the disk is on fire")

    job_id = await bench.enqueue()
    executor = bench.executor(broken)
    last = await bench.claim_after_crashes(executor, MOST_CRASHES)
    assert (last.attempts, last.crashes) == (1, MOST_CRASHES)
    await executor.run(last)
    after = await bench.job(job_id)
    assert (after.state, after.error) == (JobState.QUEUED, "RuntimeError: the disk is on fire")


async def test_a_job_whose_worker_keeps_dying_waits_longer_each_time(bench: Bench) -> None:
    async def never(run: JobRun) -> None:
        raise AssertionError("nothing runs here")

    job_id = await bench.enqueue()
    executor = bench.executor(never)
    await bench.claim_after_crashes(executor, CRASHES_WITHOUT_DELAY)
    assert await bench.claim_at(executor, timedelta(days=50)) is None
    assert await bench.claim_at(executor, timedelta(days=50) + crash_delay(4)) is not None
    assert (await bench.job(job_id)).crashes == CRASHES_WITHOUT_DELAY + 1
    assert [crash_delay(crashes).total_seconds() for crashes in (1, 3, 4, 5, 6)] == [0, 0, 1, 2, 4]
    assert crash_delay(MOST_CRASHES) == LONGEST_CRASH_DELAY


async def test_a_worker_that_died_cannot_write_though_the_same_one_took_the_job_again(bench: Bench) -> None:
    async def never(run: JobRun) -> None:
        raise AssertionError("nothing runs here")

    await bench.enqueue()
    executor = bench.executor(never)
    before = await bench.claim_at(executor, timedelta(0))
    again = await bench.claim_at(executor, LEASE * 2)
    assert before is not None
    assert again is not None
    with pytest.raises(LeaseLost):
        await bench.service.beat(before)
    await bench.service.beat(again)


async def test_a_job_that_kills_its_worker_every_time_is_given_up(bench: Bench) -> None:
    async def never(run: JobRun) -> None:
        raise AssertionError("a job that killed so many workers must not run")

    job_id = await bench.enqueue()
    executor = bench.executor(never)
    await executor.run(await bench.claim_after_crashes(executor, MOST_CRASHES + 1))
    assert (await bench.job(job_id)).state is JobState.FAILED
    assert bench.given_up == [job_id]


async def test_a_job_waits_for_files_that_are_away_however_long_that_takes(bench: Bench) -> None:
    tries: list[int] = []

    async def read(run: JobRun) -> None:
        tries.append(run.job.attempts)
        if len(tries) <= 2 * run.job.max_attempts:
            raise FilesAway("The file store does not answer.")
        async with bench.db.write_org(bench.organization_id) as tx:
            await run.finish(tx)

    job_id = await bench.enqueue()
    executor = bench.executor(read, seconds_between_tries=0)
    while (await bench.job(job_id)).state is not JobState.DONE:
        job = await bench.claim_at(executor, timedelta(minutes=1))
        assert job is not None
        await executor.run(job)
    assert tries == [1] * 7, "none of them counts"
    assert bench.given_up == []


async def test_a_stopped_worker_puts_its_job_back_uncounted(bench: Bench) -> None:
    started = asyncio.Event()

    async def endless(run: JobRun) -> None:
        started.set()
        await asyncio.Event().wait()

    job_id = await bench.enqueue()
    executor = bench.executor(endless)
    (job,) = await executor.claim()
    running = asyncio.create_task(executor.run(job))
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    after = await bench.job(job_id)
    assert (after.state, after.attempts) == (JobState.QUEUED, 0)
    assert len(await executor.claim()) == 1
