"""Queries on jobs. The row is the truth; workers claim from the table on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from docagent.domain.jobs import ERROR_CODE, Job, JobKind, JobState, LeaseLost, crash_delay
from docagent.domain.listing import Found
from docagent.store.batches import some
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.locking import skipping_locked, unlocked
from docagent.store.mapping import Mapped
from docagent.store.tables import jobs

_JOB = Mapped(Job, jobs, besides=("lease_until",))
insert, get = _JOB.insert, _JOB.get


async def recent(
    tx: OrgTx, *, subject_id: str | None, skip: int, limit: int, kind: JobKind | None = None
) -> Found[Job]:
    statement = sa.select(jobs)
    if kind is not None:
        statement = statement.where(jobs.c.kind == kind)
    if subject_id is not None:
        statement = statement.where(jobs.c.subject_id == subject_id)
    return await _JOB.page(tx, statement, skip=skip, limit=limit)


async def make_due(tx: OrgTx, kind: JobKind, subject_id: str, now: datetime) -> bool:
    """Let such jobs about the subject that wait for a later time run now. False if there are none."""
    waits = (jobs.c.state == JobState.QUEUED) & (jobs.c.run_at > now)
    changed = await tx.execute(
        sa.update(jobs).where(jobs.c.kind == kind, jobs.c.subject_id == subject_id, waits).values(run_at=now)
    )
    return bool(changed.rowcount)


async def queued(tx: OrgTx, kind: JobKind, subject_id: str) -> list[Job]:
    """Such jobs about the subject that wait or run."""
    return _JOB.each(await tx.rows(_open(sa.select(jobs), kind, subject_id)))


async def is_open(tx: OrgTx, kind: JobKind, subject_id: str) -> bool:
    return await tx.first(_open(sa.select(jobs.c.id), kind, subject_id).limit(1)) is not None


def _open(found: sa.Select[Any], kind: JobKind, subject_id: str) -> sa.Select[Any]:
    return found.where(jobs.c.kind == kind, jobs.c.subject_id == subject_id, jobs.c.state.in_(_OPEN))


async def due(tx: Tx, now: datetime) -> bool:
    found = sa.or_(_IDS.where(_silent(now)).exists(), _IDS.where(_is_due(now)).exists())
    return bool((await tx.across(sa.select(found))).scalar())


async def claim(tx: Tx, *, owner: str, now: datetime, lease: timedelta, limit: int = 1) -> list[Job]:
    """Take up to so many jobs that are due. Reads as many rows of an index as it takes, however many wait."""
    await _release(tx, now, limit)
    taken = await tx.across(
        sa.update(jobs)
        .where(jobs.c.id.in_(unlocked(_IDS.where(_is_due(now)).limit(limit))))
        .values(
            state=JobState.RUNNING,
            attempts=jobs.c.attempts + 1,
            lease_owner=owner,
            lease_until=now + lease,
        )
        .returning(jobs)
    )
    return sorted((_JOB.of(row) for row in taken.all()), key=lambda job: (job.run_at, job.id))


async def _release(tx: Tx, now: datetime, limit: int) -> None:
    """Queue jobs again whose worker fell silent. That is no failure of theirs: it is counted apart."""
    silent = await tx.across(skipping_locked(sa.select(jobs).where(_silent(now)).limit(limit)))
    for job in _JOB.each(silent.all()):
        crashes = job.crashes + 1
        delay = crash_delay(crashes)
        values: dict[str, Any] = {"state": JobState.QUEUED, "crashes": crashes, "attempts": job.attempts - 1}
        if delay:
            values["run_at"] = now + delay
        await tx.across(sa.update(jobs).where(jobs.c.id == job.id).values(**values, **_NO_LEASE))


async def renew(
    tx: Tx,
    job: Job,
    *,
    now: datetime,
    lease: timedelta,
    progress: int | None = None,
    progress_total: int | None = None,
) -> None:
    """Record that the job is alive and how far it has got. Raises LeaseLost."""
    known = {"progress": progress, "progress_total": progress_total}
    values = {name: value for name, value in known.items() if value is not None}
    await _change(tx, job, {"lease_until": now + lease, **values})


async def finish(
    tx: Tx, job: Job, *, now: datetime, error: str | None = None, code: str | None = None
) -> None:
    """Mark the job as done, in the transaction that holds its effect. Raises LeaseLost, so that no effect is kept."""
    await _end(tx, job, JobState.DONE, now, error, code)


async def give_up(tx: Tx, job: Job, *, now: datetime, error: str, code: str) -> None:
    await _end(tx, job, JobState.FAILED, now, error, code)


async def _end(tx: Tx, job: Job, state: JobState, now: datetime, error: str | None, code: str | None) -> None:
    values: dict[str, Any] = {"state": state, "finished_at": now, "error": error, **_NO_LEASE}
    if code is not None:
        values["arguments"] = {**job.arguments, ERROR_CODE: code}
    await _change(tx, job, values)


async def retry(tx: Tx, job: Job, *, run_at: datetime, error: str | None, counts: bool = True) -> None:
    """Put the job back in the queue. `counts` is false if it was interrupted through no fault of its own."""
    values: dict[str, Any] = {"state": JobState.QUEUED, "run_at": run_at, "error": error, **_NO_LEASE}
    if not counts:
        values["attempts"] = job.attempts - 1
    await _change(tx, job, values)


async def go_on(
    tx: Tx, job: Job, *, arguments: dict[str, Any], progress: int, run_at: datetime, error: str | None
) -> None:
    """Put a job that works in steps back in the queue, with what its next step must know. Raises LeaseLost."""
    values = {
        "state": JobState.QUEUED,
        "arguments": arguments,
        "progress": progress,
        "run_at": run_at,
        "error": error,
        "attempts": job.attempts - 1,
        "crashes": 0,
        **_NO_LEASE,
    }
    await _change(tx, job, values)


async def end_steps(tx: Tx, job: Job, *, arguments: dict[str, Any], now: datetime, error: str | None) -> None:
    """End a job that works in steps, with what its last step came to. Raises LeaseLost."""
    state = JobState.FAILED if error else JobState.DONE
    values = {"state": state, "arguments": arguments, "finished_at": now, "error": error, **_NO_LEASE}
    await _change(tx, job, values)


async def stop(tx: OrgTx, job_id: str, now: datetime) -> bool:
    """End a job that is not over. Its worker finds that the lease is lost. False if it is over already."""
    stopped = (
        sa.update(jobs)
        .where(jobs.c.id == job_id, jobs.c.state.in_(_OPEN))
        .values(state=JobState.STOPPED, finished_at=now, error=None, **_NO_LEASE)
    )
    return (await tx.execute(stopped)).rowcount == 1


async def owners(tx: Tx, now: datetime) -> set[str]:
    """Who runs jobs, as far as their leases say."""
    statement = sa.select(jobs.c.lease_owner).distinct()
    running = statement.where(jobs.c.state == JobState.RUNNING, jobs.c.lease_until > now)
    return {row.lease_owner for row in (await tx.across(running)).all() if row.lease_owner}


async def held_by(tx: Tx, owner: str) -> list[Job]:
    statement = sa.select(jobs).where(jobs.c.lease_owner == owner, jobs.c.state == JobState.RUNNING)
    return [_JOB.of(row) for row in (await tx.across(statement)).all()]


async def let_go(tx: Tx, owner: str, now: datetime) -> None:
    """Let others take over the jobs of a worker that is gone, at once."""
    of_owner = sa.select(jobs.c.id).where(jobs.c.state == JobState.RUNNING, jobs.c.lease_owner == owner)
    await tx.across(sa.update(jobs).where(jobs.c.id.in_(unlocked(of_owner))).values(lease_until=now))


async def delete_finished(tx: Tx, before: datetime) -> int:
    return (await tx.across(some(jobs, jobs.c.finished_at < before))).rowcount


_OPEN = (JobState.QUEUED, JobState.RUNNING)
_NO_LEASE = {"lease_owner": None, "lease_until": None}
_IDS = sa.select(jobs.c.id).order_by(jobs.c.run_at, jobs.c.id)
"""In the order in which they are taken."""


def _silent(now: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(jobs.c.state == JobState.RUNNING, jobs.c.lease_until <= now)


def _is_due(now: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(jobs.c.state == JobState.QUEUED, jobs.c.run_at <= now)


async def _change(tx: Tx, job: Job, values: dict[str, Any]) -> None:
    result = await tx.across(
        sa.update(jobs)
        .where(
            jobs.c.id == job.id,
            jobs.c.organization_id == job.organization_id,
            jobs.c.lease_owner == job.lease_owner,
            jobs.c.attempts == job.attempts,
            jobs.c.crashes == job.crashes,
        )
        .values(**values)
    )
    if result.rowcount != 1:
        raise LeaseLost(job.id)
