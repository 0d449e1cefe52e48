"""Jobs: written with the change that needs them, visible to the members of the organisation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.line import JOB, AloneOnTheLine, Line
from docagent.domain.errors import NotFound, Noun, existing
from docagent.domain.ids import is_id, new_id
from docagent.domain.jobs import CRASHED, Job, JobKind, LeaseLost, retry_delay
from docagent.domain.listing import Found
from docagent.store import jobs
from docagent.store.engine.database import Database, OrgTx


@dataclass(frozen=True)
class JobRun:
    """A job in the hands of a worker. Its methods raise LeaseLost when another worker has taken it over."""

    job: Job
    lease: timedelta

    async def alive(self, tx: OrgTx, progress: int | None = None, total: int | None = None) -> None:
        await jobs.renew(tx, self.job, now=now(), lease=self.lease, progress=progress, progress_total=total)

    async def finish(self, tx: OrgTx, problem: str | None = None, code: str | None = None) -> None:
        """Mark the job as done in the transaction that holds its effect, so that both happen or neither.

        `problem` says to people why there is no effect, or not all of it; `code` says it to programs.
        """
        await jobs.finish(tx, self.job, now=now(), error=problem, code=code)


Handler = Callable[[JobRun], Awaitable[None]]
GiveUp = Callable[[OrgTx, Job], Awaitable[None]]


class JobService:
    def __init__(self, db: Database, max_attempts: int, lease: timedelta, line: Line | None = None) -> None:
        self._db = db
        self._line = line or AloneOnTheLine()
        self._line.hear(JOB, lambda _: self._tell_listeners())
        self._max_attempts = max_attempts
        self.lease = lease
        self._listeners: list[Callable[[], None]] = []

    def on_wake(self, listener: Callable[[], None]) -> None:
        """Call the listener when there may be work; the worker in this process uses it."""
        self._listeners.append(listener)

    def wake(self) -> None:
        """Tell the workers of all processes that there may be work. Call this after the commit that wrote a job."""
        self._line.say(JOB, "")
        self._tell_listeners()

    def _tell_listeners(self) -> None:
        for listener in self._listeners:
            listener()

    async def enqueue(
        self,
        tx: OrgTx,
        kind: JobKind,
        subject_id: str | None,
        arguments: dict[str, Any] | None = None,
        *,
        max_attempts: int | None = None,
        progress_total: int | None = None,
    ) -> str:
        """Write a job, and wake workers after the commit.

        `max_attempts` is for jobs that are tried more or less often than others.
        """
        moment, tries = now(), max_attempts or self._max_attempts
        job = Job(
            new_id(),
            tx.organization_id,
            kind,
            subject_id,
            arguments or {},
            tries,
            created_at=moment,
            run_at=moment,
            progress_total=progress_total,
        )
        await jobs.insert(tx, job)
        tx.after_commit(self.wake)
        return job.id

    async def list(self, member: Member, *, subject_id: str | None, skip: int, limit: int) -> Found[Job]:
        if subject_id is not None and not is_id(subject_id):
            raise NotFound("Document not found", Noun.DOCUMENT)
        async with self._db.read_org(member.organization_id) as tx:
            return await jobs.recent(tx, subject_id=subject_id, skip=skip, limit=limit)

    async def get(self, member: Member, job_id: str) -> Job:
        async with self._db.read_org(member.organization_id) as tx:
            return existing(await jobs.get(tx, job_id), "Job not found")

    async def make_due(self, tx: OrgTx, kind: JobKind, subject_id: str) -> None:
        """Run such jobs about the subject now that were put off."""
        if await jobs.make_due(tx, kind, subject_id, now()):
            tx.after_commit(self.wake)

    async def is_open(self, tx: OrgTx, kind: JobKind, subject_id: str) -> bool:
        """Whether such a job about the subject is queued or runs."""
        return await jobs.is_open(tx, kind, subject_id)

    # --- for workers ------------------------------------------------------------------------------------------

    async def has_due(self) -> bool:
        async with self._db.read() as tx:
            return await jobs.due(tx, now())

    async def claim(self, owner: str, limit: int = 1) -> Sequence[Job]:
        """Take up to so many jobs that are due."""
        async with self._db.write() as tx:
            return await jobs.claim(tx, owner=owner, now=now(), lease=self.lease, limit=limit)

    async def beat(self, job: Job) -> None:
        """Renew the job's lease. Raises LeaseLost."""
        async with self._db.write() as tx:
            await jobs.renew(tx, job, now=now(), lease=self.lease)

    async def put_back(self, job: Job, delay: timedelta = timedelta(0)) -> None:
        """Put a job that was interrupted back in the queue. The attempt does not count."""
        with suppress(LeaseLost):
            async with self._db.write() as tx:
                await jobs.retry(tx, job, run_at=now() + delay, error=None, counts=False)

    async def put_back_all_but(self, owner: str, running: Collection[str]) -> None:
        """Put back jobs that a worker holds without knowing: the database went away while it claimed them."""
        async with self._db.write() as tx:
            for job in await jobs.held_by(tx, owner):
                if job.id not in running:
                    await jobs.retry(tx, job, run_at=now(), error=None, counts=False)

    async def postpone(self, tx: OrgTx, job: Job, delay: timedelta) -> None:
        """Put a job off that cannot run yet. The attempt does not count."""
        await jobs.retry(tx, job, run_at=now() + delay, error=None, counts=False)

    async def retry_later(self, job: Job, reason: str) -> None:
        with suppress(LeaseLost):
            async with self._db.write() as tx:
                await jobs.retry(tx, job, run_at=now() + retry_delay(job.attempts), error=reason)

    async def give_up(self, job: Job, reason: str, effect: GiveUp) -> None:
        with suppress(LeaseLost):
            async with self._db.write_org(job.organization_id) as tx:
                await jobs.give_up(tx, job, now=now(), error=reason, code=CRASHED)
                await effect(tx, job)

    async def release_the_gone(self) -> None:
        """End the leases of workers that exist no longer, instead of waiting until they run out."""
        async with self._db.read() as tx:
            owners = await jobs.owners(tx, now())
        for owner in await self._line.gone(owners - {self._line.name}):
            async with self._db.write() as tx:
                await jobs.let_go(tx, owner, now())
