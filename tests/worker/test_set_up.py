"""The job that sets a document up: one turn however often it is run, none for nobody, and a word when it cannot."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from docagent.bootstrap import Services
from docagent.domain.accounts import Member, Membership, Role
from docagent.domain.clock import now
from docagent.domain.events import Failed
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job, JobKind, JobState, LeaseLost
from docagent.domain.turns import Subject, Turn, TurnState
from docagent.services.documents import NewDocument
from docagent.services.jobs import JobRun
from docagent.services.set_up import GONE, NO_START
from docagent.services.users import create_user
from docagent.settings import Settings
from docagent.store import jobs, organizations, threads, turns
from docagent.worker.execution import Executor
from docagent.worker.jobs import all_work
from tests.conftest import SECRET
from tests.support.databases import EACH_DATABASE
from tests.support.made_documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.worker.member import services_with_member

LEASE = timedelta(seconds=30)


@dataclass
class Bench:
    """A deployment whose jobs run only when a test says so, and a document that is to be set up."""

    settings: Settings
    services: Services
    member: Member
    document_id: str = ""

    async def upload(self) -> None:
        content = base64_of(pdf(["Invoice 4711", "Total: 99.50 EUR"]))
        new = NewDocument("invoice.pdf", content, auto_create=True)
        (uploaded,) = await self.services.documents.upload(self.member, [new])
        self.document_id = uploaded.document.id

    async def run_next(self) -> Job | None:
        """Run the job that is due, as a worker would."""
        executor = Executor(self.services.jobs, all_work(self.services))
        job = await executor.claim()
        if job is not None:
            await executor.run(job)
        return job

    async def claim_at(self, later: timedelta) -> JobRun:
        """Take the job that is due then, such as one whose worker fell silent."""
        async with self.services.db.write() as tx:
            job = await jobs.claim(tx, owner=new_id(), now=now() + later, lease=LEASE)
        assert job is not None
        return JobRun(job, LEASE)

    async def turns(self) -> list[Turn]:
        async with self.services.db.read_org(self.member.organization_id) as tx:
            subject = Subject.document(self.document_id)
            found = await threads.recent(
                tx, user_id=self.member.user_id, subject=subject, search=None, limit=10
            )
            return [turn for thread in found for turn in await turns.of_thread(tx, thread.id)]

    async def settled(self) -> list[Turn]:
        """The turns, once none of them runs."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = await self.turns()
                if found and all(turn.state is not TurnState.RUNNING for turn in found):
                    return found
                await asyncio.sleep(0.02)

    async def job(self, kind: JobKind) -> Job:
        found = (await self.services.jobs.list(self.member, subject_id=None, skip=0, limit=10)).items
        (job,) = [job for job in found if job.kind is kind]
        return job


@pytest.fixture(params=EACH_DATABASE)
async def bench(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bench]:
    async with services_with_member(request, tmp_path) as (settings, services, member):
        made = Bench(settings, services, member)
        await made.upload()
        yield made


async def read(bench: Bench) -> None:
    job = await bench.run_next()
    assert job is not None
    assert job.kind is JobKind.READ_TEXT


async def test_a_job_whose_worker_fell_silent_starts_one_turn(bench: Bench) -> None:
    await read(bench)
    first = await bench.claim_at(timedelta())
    second = await bench.claim_at(2 * LEASE)
    assert first.job.id == second.job.id
    await bench.services.set_up.start(second)
    with pytest.raises(LeaseLost):
        await bench.services.set_up.start(first)
    assert await bench.run_next() is None
    (turn,) = await bench.settled()
    assert turn.state is TurnState.AWAITING_APPROVAL


async def test_a_reading_that_is_repeated_after_a_crash_asks_once(bench: Bench) -> None:
    """Of two workers that read the same file to its end, one is heard."""
    first = await bench.claim_at(timedelta())
    second = await bench.claim_at(2 * LEASE)
    await bench.services.reading.read(second)
    with pytest.raises(LeaseLost):
        await bench.services.reading.read(first)
    assert (await bench.job(JobKind.SET_UP)).state is JobState.QUEUED
    await bench.run_next()
    assert await bench.run_next() is None
    assert len(await bench.settled()) == 1


async def test_nothing_begins_for_a_member_who_is_gone(bench: Bench) -> None:
    await read(bench)
    async with bench.services.db.write() as tx:
        heir = await create_user(
            tx, email=f"{new_id()}@example.com", name="Bo", password_hash=None, role=Role.USER
        )
        await organizations.replace_members(
            tx, bench.member.organization_id, [Membership(heir.id, Role.ADMIN)]
        )
    await bench.run_next()
    job = await bench.job(JobKind.SET_UP)
    assert (job.state, job.error) == (JobState.DONE, GONE)
    assert await bench.turns() == []


async def test_nothing_begins_for_a_document_that_is_deleted(bench: Bench) -> None:
    await read(bench)
    await bench.services.documents.delete(bench.member, bench.document_id)
    await bench.run_next()
    assert (await bench.job(JobKind.SET_UP)).error == GONE
    assert await bench.turns() == []


async def test_a_job_that_is_given_up_says_so_in_the_conversation(bench: Bench) -> None:
    await read(bench)
    run = await bench.claim_at(timedelta())
    await bench.services.jobs.give_up(run.job, "It died.", bench.services.set_up.give_up)
    (turn,) = await bench.turns()
    assert turn.state is TurnState.FAILED
    async with bench.services.db.read_org(bench.member.organization_id) as tx:
        end = (await turns.events(tx, turn.id))[-1].event
    assert end == Failed(NO_START, "internal")
    assert (await bench.services.documents.get(bench.member, bench.document_id)).state == "ocr_completed"


async def test_a_worker_of_its_own_starts_the_turn(bench: Bench) -> None:
    environment = {**os.environ, "DOCAGENT_AUTH__SECRET": SECRET, "DOCAGENT_LOG__LEVEL": "warning"}
    if bench.settings.database.url:
        environment["DOCAGENT_DATABASE__URL"] = bench.settings.database.url
    worker = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("docagent"),
        "worker",
        "--data",
        bench.settings.data,
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        (turn,) = await bench.settled()
    finally:
        worker.terminate()
        await worker.wait()
    assert turn.state is TurnState.AWAITING_APPROVAL
