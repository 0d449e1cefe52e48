"""The job that prepares a document: one proposal however often it is run, and a word when there is none."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member, Membership, Role
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job, JobKind, JobState, LeaseLost
from docagent.domain.proposals import DocumentProposal, ProposalStatus
from docagent.services.accounts.users import create_user
from docagent.services.documents.documents import NewDocument
from docagent.services.jobs import JobRun
from docagent.services.proposals.preparing import GONE, NO_START
from docagent.settings import Settings
from docagent.store import jobs, proposals
from docagent.store.accounts import organizations
from docagent.worker.execution import Executor, all_work
from tests.conftest import SECRET
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.proposals import ANOTHER_ORDER, NOTHING, ONE_OF_EACH, ORDER, left_over
from tests.support.services.databases import EACH_DATABASE
from tests.worker.member import services_with_member

LEASE = timedelta(seconds=30)


@dataclass
class Bench:
    """A deployment whose jobs run only when a test says so, and a document that is to be prepared."""

    settings: Settings
    services: Services
    member: Member
    document_id: str = ""

    async def upload(self, lines: tuple[str, ...] = ORDER) -> str:
        new = NewDocument("order.pdf", base64_of(pdf(lines)), auto_create=True)
        (uploaded,) = await self.services.documents.upload(self.member, [new])
        return uploaded.document.id

    async def run_next(self) -> Job | None:
        """Run the job that is due, as a worker would."""
        executor = Executor(self.services.jobs, all_work(self.services))
        for job in await executor.claim():
            await executor.run(job)
            return job
        return None

    async def claim_at(self, later: timedelta) -> JobRun:
        """Take the job that is due then, such as one whose worker fell silent."""
        async with self.services.db.write() as tx:
            (job,) = await jobs.claim(tx, owner=new_id(), now=now() + later, lease=LEASE)
        return JobRun(job, LEASE)

    async def proposal(self) -> DocumentProposal | None:
        async with self.services.db.read_org(self.member.organization_id) as tx:
            return await proposals.get(tx, self.document_id)

    async def settled(self) -> DocumentProposal:
        async with asyncio.timeout(SECONDS):
            while True:
                found = await self.proposal()
                if found is not None and found.status is not ProposalStatus.RUNNING:
                    return found
                await asyncio.sleep(0.02)

    async def rows(self) -> dict[str, int]:
        return await left_over(self.services.db, self.member.organization_id)

    async def job(self) -> Job:
        found = (await self.services.jobs.list(self.member, subject_id=None, skip=0, limit=10)).items
        (job,) = [job for job in found if job.kind is JobKind.SET_UP]
        return job


@pytest.fixture(params=EACH_DATABASE)
async def bench(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bench]:
    """The document is uploaded, and its text is read."""
    async with services_with_member(request, tmp_path) as (settings, services, member):
        made = Bench(settings, services, member)
        made.document_id = await made.upload()
        read = await made.run_next()
        assert read is not None
        assert read.kind is JobKind.READ_TEXT
        yield made


async def test_of_two_workers_with_the_same_job_one_is_heard(bench: Bench) -> None:
    """The first fell silent before it began, and comes back when the second is done."""
    first = await bench.claim_at(timedelta())
    second = await bench.claim_at(2 * LEASE)
    assert first.job.id == second.job.id
    await bench.services.preparing.prepare(second)
    found = await bench.settled()
    assert found.status is ProposalStatus.PROPOSED
    with pytest.raises(LeaseLost):
        await bench.services.preparing.prepare(first)
    assert await bench.proposal() == found
    assert await bench.run_next() is None
    assert await bench.rows() == ONE_OF_EACH


async def test_two_workers_at_once_make_one_proposal(bench: Bench) -> None:
    first = await bench.claim_at(timedelta())
    second = await bench.claim_at(2 * LEASE)
    prepare = bench.services.preparing.prepare
    told = await asyncio.gather(prepare(first), prepare(second), return_exceptions=True)
    assert [type(item) for item in told] == [LeaseLost, type(None)]
    assert (await bench.settled()).status is ProposalStatus.PROPOSED
    assert await bench.rows() == ONE_OF_EACH


async def test_a_retry_beside_the_first_job_makes_no_second_proposal(bench: Bench) -> None:
    """Somebody asks for it when the text is just read, and the job waits still."""
    await bench.services.proposals.retry(bench.member, bench.document_id)
    first = await bench.claim_at(timedelta())
    second = await bench.claim_at(timedelta())
    assert first.job.id != second.job.id
    prepare = bench.services.preparing.prepare
    await asyncio.gather(prepare(first), prepare(second))
    while await bench.run_next():
        pass
    assert (await bench.settled()).status is ProposalStatus.PROPOSED
    assert await bench.rows() == ONE_OF_EACH


async def test_nothing_is_prepared_for_a_member_who_is_gone(bench: Bench) -> None:
    async with bench.services.db.write() as tx:
        heir = await create_user(
            tx, email=f"{new_id()}@example.com", name="Bo", password_hash=None, role=Role.USER
        )
        await organizations.replace_members(
            tx, bench.member.organization_id, [Membership(heir.id, Role.ADMIN)]
        )
    await bench.run_next()
    job = await bench.job()
    assert (job.state, job.error) == (JobState.DONE, GONE)
    found = await bench.settled()
    assert (found.status, found.error) == (ProposalStatus.FAILED, GONE)


async def test_nothing_is_prepared_for_a_document_that_is_deleted(bench: Bench) -> None:
    await bench.services.documents.delete(bench.member, bench.document_id)
    await bench.run_next()
    assert (await bench.job()).error == GONE
    assert await bench.proposal() is None
    assert await bench.rows() == NOTHING


async def test_a_job_that_is_given_up_says_so(bench: Bench) -> None:
    run = await bench.claim_at(timedelta())
    async with bench.services.db.write_org(bench.member.organization_id) as tx:
        await proposals.put(tx, DocumentProposal(bench.document_id, ProposalStatus.RUNNING, new_id()))
    await bench.services.jobs.give_up(run.job, "It died.", bench.services.preparing.give_up)
    found = await bench.settled()
    assert (found.status, found.error) == (ProposalStatus.FAILED, NO_START)
    await bench.services.proposals.retry(bench.member, bench.document_id)
    await bench.run_next()
    assert (await bench.settled()).status is ProposalStatus.PROPOSED


async def test_what_fits_is_decided_about_while_it_is_extracted(bench: Bench) -> None:
    """The group that the second document joins is accepted meanwhile: both then belong to the accepted prompt."""
    await bench.run_next()
    first = await bench.settled()
    other = replace(bench, document_id=await bench.upload(ANOTHER_ORDER))
    await bench.run_next()
    run = await bench.claim_at(timedelta())
    await asyncio.gather(
        bench.services.preparing.prepare(run),
        bench.services.proposals.accept(bench.member, bench.document_id),
    )
    while (await other.proposal() or first).status is ProposalStatus.RUNNING:
        await bench.run_next()
    found = await other.settled()
    assert found.status is ProposalStatus.PROPOSED
    assert found.prompt_revid == first.prompt_revid
    assert await bench.rows() == {"schemas": 1, "prompts": 1, "extraction_results": 2}
    accepted = await bench.proposal()
    assert accepted is not None
    assert found.proposal_id == accepted.proposal_id


@pytest.mark.parametrize("bench", ["postgresql"], indirect=True)
async def test_a_worker_of_its_own_prepares_it(bench: Bench) -> None:
    """Started by its command. On SQLite, test_kill.py runs what the command runs."""
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
        found = await bench.settled()
    finally:
        worker.terminate()
        await worker.wait()
    assert found.status is ProposalStatus.PROPOSED
