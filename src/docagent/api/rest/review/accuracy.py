"""Accuracy: prompts and drafts measured against what people verified. These paths are ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip, only_reads
from docagent.api.fields import JsonObject, LongText, ShortText
from docagent.api.rest.extraction.prompt_runs import PromptRunOut
from docagent.api.router import Router
from docagent.evidence.accuracy import Mark, Score
from docagent.services.review.accuracy_wanted import MOST_DOCUMENTS, Wanted, drafted_as

router = Router(prefix="/v0/orgs/{organization_id}/accuracy", tags=["accuracy"])


class DraftIn(BaseModel):
    """What to try in place of what the prompt says, without saving it."""

    content: LongText | None = Field(None, description="The instruction; the prompt's own when left out")
    json_schema: JsonObject | None = Field(None, description="The schema; the prompt's own when left out")


class MeasureIn(BaseModel):
    prompt_id: ShortText = Field(description="Whose verified results are the truth; `default` is one too")
    prompt_revid: ShortText | None = Field(None, description="A version of the prompt; else the newest")
    draft: DraftIn | None = None
    model: ShortText | None = Field(None, description="Left out, the prompt's model runs")
    limit: Annotated[int, Field(ge=1, le=MOST_DOCUMENTS)] | None = Field(
        None, description="At most so many documents, those that were verified last"
    )


class MeasureEstimateOut(Answer):
    documents: int = Field(description="Verified documents that would be run")
    verified: int = Field(description="Documents of the prompt with something verified")
    pages: int
    credits: int = Field(description="About what it costs, rather too much than too little")
    model: str


class ScoreOut(Answer):
    """Counts of values. Figures are null where there is nothing to count."""

    right: int
    near: int = Field(description="Texts that are nearly the same. They do not count as right")
    wrong: int
    missed: int = Field(description="Verified values that were not given")
    extra: int = Field(description="Values that were given where there is none")
    precision: float | None
    recall: float | None
    f1: float | None


class FieldScoreOut(ScoreOut):
    field: str = Field(description="Names with dots, without positions in lists")


class AccuracyRunOut(PromptRunOut):
    prompt_version: int = Field(description="Of a draft, the version that it would change")
    prompt_name: str
    is_draft: bool
    requested_model: str | None
    model: str
    documents_right: int = Field(description="Documents without any error")
    score: ScoreOut = Field(description="Over all values that are measured so far")
    credits: int
    seconds: float = Field(description="The sum over the documents, of which some are read at the same time")


class AccuracyRunsOut(Page[AccuracyRunOut]):
    items: list[AccuracyRunOut] = Field(serialization_alias="runs")


class AccuracyErrorOut(Answer):
    document_id: str
    document_name: str
    prompt_revid: str | None = Field(
        description="Of the verified result, in which `path` has its place on the page; null if it is deleted"
    )
    field: str = at_path("value.field")
    path: str = at_path("value.path")
    given_path: str | None = at_path("value.given_path")
    mark: Mark = at_path("value.mark")
    expected: Any = at_path("value.expected")
    got: Any = at_path("value.got")
    suspicion: str | None = at_path(
        "value.suspicion", "Why the verified value may be the wrong one, in a sentence"
    )


class AccuracyErrorsOut(Page[AccuracyErrorOut]):
    items: list[AccuracyErrorOut] = Field(serialization_alias="errors")


class AccuracyFailureOut(Answer):
    document_id: str
    document_name: str
    failure: str


class AccuracyDraftOut(Answer):
    content: str | None
    json_schema: dict[str, Any] | None


def _field_scores(fields: Mapping[str, Score]) -> list[FieldScoreOut]:
    scores = {field: ScoreOut.model_validate(score).model_dump() for field, score in fields.items()}
    return [FieldScoreOut(field=field, **score) for field, score in scores.items()]


class AccuracyReportOut(Answer):
    run: AccuracyRunOut
    draft: AccuracyDraftOut | None = at_path("run.draft")
    fields: Annotated[list[FieldScoreOut], BeforeValidator(_field_scores)] = at_path("run.fields")
    suspicious: list[AccuracyErrorOut] = Field(
        description="Verified values that everything else contradicts: look at them again"
    )
    failures: list[AccuracyFailureOut] = Field(description="Documents that could not be measured")


class AccuracyFieldChangeOut(Answer):
    field: str
    before: ScoreOut
    after: ScoreOut
    change: Literal["better", "worse", "same"]


class AccuracyValueChangeOut(Answer):
    document_id: str
    document_name: str
    prompt_revid: str | None
    field: str
    path: str
    expected: Any
    before: Any
    after: Any
    change: Literal["better", "worse", "same"]


class AccuracyComparisonOut(Answer):
    before: AccuracyRunOut
    after: AccuracyRunOut
    documents: int = Field(description="Documents that both measured against the same verified revision")
    left_out: int = Field(description="Documents of either run that cannot be compared")
    score_before: ScoreOut
    score_after: ScoreOut
    fields: list[AccuracyFieldChangeOut]
    values: list[AccuracyValueChangeOut] = Field(
        description="Values that only one of the runs got right, the worse ones first; at most 1000"
    )
    values_total: int


@router.post("/estimate")
@only_reads
async def estimate_accuracy_run(
    body: MeasureIn, member: OrgMember, services: ServicesDep
) -> MeasureEstimateOut:
    """How many verified documents a run would be about, and what it would cost. Nothing is started."""
    return MeasureEstimateOut.model_validate(await services.accuracy.estimate(member, _wanted(body)))


@router.post("/runs")
async def start_accuracy_run(body: MeasureIn, member: OrgMember, services: ServicesDep) -> AccuracyRunOut:
    """Run a prompt, or a draft of one, over verified documents in the background, and measure it.

    No result is touched. Each document is run as if nobody had verified it. What is verified later has no part in it.
    """
    return AccuracyRunOut.model_validate(await services.accuracy.start(member, _wanted(body)))


@router.get("/runs")
async def list_accuracy_runs(
    member: OrgMember,
    services: ServicesDep,
    prompt_id: Annotated[str | None, Query(max_length=24)] = None,
    skip: Skip = 0,
    limit: Limit = 10,
) -> AccuracyRunsOut:
    """The runs of a prompt, or of all, newest first: with version, model and score, for a chart."""
    found = await services.accuracy.runs(member, prompt_id, skip=skip, limit=limit)
    return AccuracyRunsOut.model_validate(found)


@router.get("/runs/{run_id}")
async def get_accuracy_run(run_id: str, member: OrgMember, services: ServicesDep) -> AccuracyReportOut:
    """How far a run has come, its score by field, and verified values that are doubtful themselves."""
    return AccuracyReportOut.model_validate(await services.accuracy.report(member, run_id))


@router.get("/runs/{run_id}/errors")
async def list_accuracy_errors(
    run_id: str,
    member: OrgMember,
    services: ServicesDep,
    field: Annotated[str | None, Query(max_length=500, description="Of this field alone")] = None,
    skip: Skip = 0,
    limit: Limit = 100,
) -> AccuracyErrorsOut:
    """What a run got wrong: document, field, what is verified and what it gave."""
    found = await services.accuracy.errors(member, run_id, field, skip=skip, limit=limit)
    return AccuracyErrorsOut.model_validate(found)


@router.post("/runs/{run_id}/stop")
async def stop_accuracy_run(run_id: str, member: OrgMember, services: ServicesDep) -> AccuracyRunOut:
    """Stop a run. What it has measured is kept; a run that is over stays as it is."""
    return AccuracyRunOut.model_validate(await services.accuracy.stop(member, run_id))


@router.get("/runs/{run_id}/compare/{other_id}")
async def compare_accuracy_runs(
    run_id: str, other_id: str, member: OrgMember, services: ServicesDep
) -> AccuracyComparisonOut:
    """What got better and worse from the first run to the other, on the documents that both measured."""
    found = await services.accuracy_comparing.compare(member, run_id, other_id)
    return AccuracyComparisonOut.model_validate(found)


def _wanted(body: MeasureIn) -> Wanted:
    draft = drafted_as(body.draft.content, body.draft.json_schema) if body.draft else None
    return Wanted(body.prompt_id, body.prompt_revid, draft, body.model, body.limit)
