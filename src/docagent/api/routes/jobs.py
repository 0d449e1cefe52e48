"""Background work of an organisation, as it stands."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel

from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.domain.jobs import Job, JobKind, JobState

router = APIRouter(prefix="/v0/orgs/{organization_id}/jobs", tags=["jobs"])


class JobOut(BaseModel):
    id: str
    kind: JobKind
    document_id: str | None
    state: JobState
    attempts: int
    progress: int
    progress_total: int | None
    error: str | None
    created_at: datetime
    run_at: datetime
    finished_at: datetime | None


class JobsOut(BaseModel):
    jobs: list[JobOut]
    total_count: int
    skip: int


def _out(job: Job) -> JobOut:
    return JobOut(
        id=job.id,
        kind=job.kind,
        document_id=job.subject_id,
        state=job.state,
        attempts=job.attempts,
        progress=job.progress,
        progress_total=job.progress_total,
        error=job.error,
        created_at=job.created_at,
        run_at=job.run_at,
        finished_at=job.finished_at,
    )


@router.get("")
async def list_jobs(
    member: OrgMember,
    services: ServicesDep,
    document_id: str | None = None,
    skip: Skip = 0,
    limit: Limit = 10,
) -> JobsOut:
    """Jobs of the organisation, newest first."""
    found = await services.jobs.list(member, subject_id=document_id, skip=skip, limit=limit)
    return JobsOut(jobs=[_out(job) for job in found.items], total_count=found.total, skip=found.skip)


@router.get("/{job_id}")
async def get_job(job_id: str, member: OrgMember, services: ServicesDep) -> JobOut:
    """One job: its state, progress and what went wrong last."""
    return _out(await services.jobs.get(member, job_id))
