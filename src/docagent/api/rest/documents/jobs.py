"""Background work of an organisation, as it stands."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.router import Router
from docagent.domain.jobs import JobKind, JobState

router = Router(prefix="/v0/orgs/{organization_id}/jobs", tags=["jobs"])


class JobOut(Answer):
    id: str
    kind: JobKind
    document_id: str | None = Field(validation_alias="subject_id")
    state: JobState
    attempts: int
    progress: int
    progress_total: int | None
    error: str | None
    error_code: str | None = None
    created_at: datetime
    run_at: datetime
    finished_at: datetime | None


class JobsOut(Page[JobOut]):
    items: list[JobOut] = Field(serialization_alias="jobs")


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
    return JobsOut.model_validate(found)


@router.get("/{job_id}")
async def get_job(job_id: str, member: OrgMember, services: ServicesDep) -> JobOut:
    """One job: its state, progress and what went wrong last."""
    return JobOut.model_validate(await services.jobs.get(member, job_id))
