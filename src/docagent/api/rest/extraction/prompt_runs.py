"""Runs of one prompt over many documents. These paths are ours; DocRouter has none like them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip, only_reads
from docagent.api.fields import ShortText
from docagent.api.repeats import OrgRepeat
from docagent.api.router import Router
from docagent.domain.extraction.runs import RunMode, RunState, Selection
from docagent.services.extraction.prompt_runs import MOST_CHOSEN

router = Router(prefix="/v0/orgs/{organization_id}/prompts/{prompt_id}/runs", tags=["runs"])


class SelectionIn(BaseModel):
    """Which documents: those named, or those with a tag, or all of the organisation."""

    document_ids: Annotated[list[ShortText], Field(max_length=MOST_CHOSEN)] | None = None
    tag_id: ShortText | None = None
    mode: RunMode = Field(
        "missing", description="`missing`: without a result; `outdated`: without one of the newest version"
    )


class EstimateOut(Answer):
    documents: int = Field(description="Documents that would be run")
    pages: int
    credits: int = Field(description="About what it costs, rather too much than too little")
    model: str
    unread: int = Field(description="Chosen documents without text, which are left out")


class PromptRunOut(Answer):
    id: str
    prompt_id: str
    prompt_revid: str
    state: RunState = Field(description="`waiting` continues by itself once there are credits")
    total: int = Field(description="How many documents it was about when it began")
    done: int
    failed: int
    reason: str | None = Field(description="Why it waits or failed, or why the last document failed")
    created_by: str
    created_at: datetime
    finished_at: datetime | None


class PromptRunsOut(Page[PromptRunOut]):
    items: list[PromptRunOut] = Field(serialization_alias="runs")


@router.post("/estimate")
@only_reads
async def estimate_prompt_run(
    prompt_id: str, body: SelectionIn, member: OrgMember, services: ServicesDep
) -> EstimateOut:
    """How many documents and pages a run would be about, and what it would cost. Nothing is started."""
    found = await services.prompt_runs.estimate(member, prompt_id, _selection(body))
    return EstimateOut.model_validate(found)


@router.post("")
async def start_prompt_run(
    prompt_id: str, body: SelectionIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> PromptRunOut:
    """Run the newest version of a prompt in the background, on documents that have no result of it yet.

    A run without credits waits until there are some. A prompt has one run at a time.
    """
    run = await services.prompt_runs.start(member, prompt_id, _selection(body), repeat)
    return PromptRunOut.model_validate(run)


@router.get("")
async def list_prompt_runs(
    prompt_id: str, member: OrgMember, services: ServicesDep, skip: Skip = 0, limit: Limit = 10
) -> PromptRunsOut:
    """The runs of a prompt, newest first."""
    found = await services.prompt_runs.of_prompt(member, prompt_id, skip=skip, limit=limit)
    return PromptRunsOut.model_validate(found)


@router.get("/{run_id}")
async def get_prompt_run(
    prompt_id: str, run_id: str, member: OrgMember, services: ServicesDep
) -> PromptRunOut:
    """How far a run has come."""
    return PromptRunOut.model_validate(await services.prompt_runs.get(member, prompt_id, run_id))


@router.post("/{run_id}/stop")
async def stop_prompt_run(
    prompt_id: str, run_id: str, member: OrgMember, services: ServicesDep
) -> PromptRunOut:
    """Stop a run. Results that it has made are kept; a run that is over stays as it is."""
    return PromptRunOut.model_validate(await services.prompt_runs.stop(member, prompt_id, run_id))


def _selection(body: SelectionIn) -> Selection:
    return Selection(body.document_ids, body.tag_id, body.mode)
