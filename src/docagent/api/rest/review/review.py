"""The review queue: which results people look at, one document at a time."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, PathOut, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import ShortText, Version
from docagent.api.rest.extraction.results import ResultOut
from docagent.api.router import Router
from docagent.domain.extraction.doubts import USUAL_THRESHOLD, ReviewMode, ReviewPolicy, Standing

router = Router(prefix="/v0/orgs/{organization_id}/review", tags=["review"])

MOST_LEFT_OUT = 100


class PolicyIn(BaseModel):
    mode: ReviewMode = Field(description="`everything`, what is `doubtful`, or `nothing`")
    threshold: Annotated[float, Field(ge=0, le=1)] = Field(
        USUAL_THRESHOLD, description="A value of less confidence is doubtful"
    )
    sample_percent: Annotated[int, Field(ge=0, le=100)] = Field(
        0, description="With `doubtful`: how many of a hundred other results are looked at too"
    )


class QueueOut(Answer):
    prompt_id: str
    name: str
    mode: ReviewMode = at_path("policy.mode")
    threshold: float = at_path("policy.threshold")
    sample_percent: int = at_path("policy.sample_percent")
    waiting: int = at_path("counts.waiting", "Documents in the queue")
    to_check: int = at_path("counts.values", "Values of these that a person should look at")
    taken: int = at_path("counts.taken", "Of these, those that somebody else looks at now")


class QueuesOut(Answer):
    queues: list[QueueOut]


class NextIn(BaseModel):
    without: Annotated[list[ShortText], Field(max_length=MOST_LEFT_OUT)] = Field(
        default_factory=list, description="Documents to pass over: the one that is open, for fetching ahead"
    )


class DoubtOut(Answer):
    path: PathOut = Field(
        description="Where the value stands in the result; empty for a problem of the whole"
    )
    confidence: float
    match: str | None
    problem: str | None


class AssignmentOut(Answer):
    document_id: str = at_path("document.id")
    document_name: str = at_path("document.name")
    result: ResultOut
    json_schema: dict[str, Any] | None = at_path("schema")
    doubts: list[DoubtOut] = Field(description="What a person should look at, in the order of the result")
    kept_until: datetime = at_path("until", "Until then nobody else gets the document")
    waiting: int = at_path("counts.waiting", "Documents in the queue, this one included")


class NextOut(Answer):
    assignment: AssignmentOut | None = Field(description="None when nothing waits that is free")


class ConclusionIn(BaseModel):
    verdict: Literal["accept", "reject"]
    revision: Version = Field(description="The result's revision that was looked at")


class UndoReviewIn(BaseModel):
    revision: Version = Field(description="The revision that the change made, which must be the newest")
    to: Version | None = Field(None, description="The revision to go back to; the one before when left out")


@router.get("")
async def list_review_queues(member: OrgMember, services: ServicesDep) -> QueuesOut:
    """Every prompt that has results: what of them is looked at, and how much waits."""
    return QueuesOut.model_validate({"queues": await services.review.queues(member)})


@router.put("/{prompt_id}")
async def set_review_policy(
    prompt_id: str, body: PolicyIn, member: OrgMember, services: ServicesDep
) -> QueueOut:
    """Say which results of a prompt people look at. Without this, nothing waits for anybody."""
    policy = ReviewPolicy(body.mode, body.threshold, body.sample_percent)
    return QueueOut.model_validate(await services.review.set_policy(member, prompt_id, policy))


@router.post("/{prompt_id}/next")
async def take_next_review(prompt_id: str, body: NextIn, member: OrgMember, services: ServicesDep) -> NextOut:
    """Take the next document of a queue: one that is kept for you already, else the oldest that nobody has."""
    found = await services.review.next(member, prompt_id, body.without)
    return NextOut.model_validate({"assignment": found})


@router.post("/{prompt_id}/{document_id}/keep")
async def keep_review(
    prompt_id: str, document_id: str, member: OrgMember, services: ServicesDep
) -> AssignmentOut:
    """Keep a document for longer, or take this one. Refused while somebody else has it."""
    return AssignmentOut.model_validate(await services.review.keep(member, prompt_id, document_id))


@router.post("/{prompt_id}/{document_id}/release", status_code=204)
async def release_review(
    prompt_id: str, document_id: str, member: OrgMember, services: ServicesDep
) -> Response:
    """Leave a document to others."""
    await services.review.let_go(member, prompt_id, document_id)
    return Response(status_code=204)


@router.post("/{prompt_id}/{document_id}/conclude")
async def conclude_review(
    prompt_id: str, document_id: str, body: ConclusionIn, member: OrgMember, services: ServicesDep
) -> ResultOut:
    """Accept or reject the whole result. Refused if it has changed since it was looked at."""
    standing = Standing.VERIFIED if body.verdict == "accept" else Standing.REJECTED
    result = await services.review.conclude(member, prompt_id, document_id, body.revision, standing)
    return ResultOut.model_validate(result)


@router.post("/{prompt_id}/{document_id}/undo")
async def undo_review(
    prompt_id: str, document_id: str, body: UndoReviewIn, member: OrgMember, services: ServicesDep
) -> AssignmentOut:
    """Take back the newest change of the result: an edit, a verified value, or a conclusion."""
    found = await services.review.undo(member, prompt_id, document_id, body.revision, body.to)
    return AssignmentOut.model_validate(found)
