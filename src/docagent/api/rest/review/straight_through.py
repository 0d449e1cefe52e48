"""Straight-through processing: what needs no review, beside the policy of the review queue."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.router import Router

router = Router(prefix="/v0/orgs/{organization_id}/review/{prompt_id}/straight-through", tags=["review"])


class StraightThroughIn(BaseModel):
    precision: Annotated[float, Field(ge=0.5, le=0.999)] = Field(
        0.99, description="The share of values that must be right among those that nobody looks at"
    )
    auto_verify: bool = Field(
        False, description="Whether results that reach it are marked `auto_verified` from now on"
    )


class ShareOut(Answer):
    share: float = Field(description="The part that needs no review, 0 to 1")
    threshold: float | None = Field(description="From which confidence on; null if nothing may")
    precision: float | None = Field(description="How right that part was, as measured")


class SwitchedOut(Answer):
    at: datetime
    by: str
    precision: float
    auto_verify: bool


class StraightThroughOut(Answer):
    prompt_id: str
    name: str
    precision: float = at_path("policy.precision", "The target precision")
    auto_verify: bool = at_path("policy.auto_verify")
    remark: str = Field(description="What the figures say, or that too few values are verified")
    verified_values: int = at_path("measured.verified_values")
    verified_documents: int = at_path(
        "measured.verified_documents", "Documents of which a person verified everything"
    )
    needed_values: int = at_path("measured.needed", "How many verified values it takes at this precision")
    values: ShareOut | None = at_path("measured.values", "Null while too few values are verified")
    documents: ShareOut | None = at_path(
        "measured.documents",
        "Documents whose least sure value is sure enough; the precision is that of all their values",
    )
    auto_verified: int = at_path("gone_on", "Documents that skipped review and nobody has looked at since")
    history: list[SwitchedOut] = at_path("policy.history", "Who decided what, the newest first")


@router.get("")
async def get_straight_through(
    prompt_id: str, member: OrgMember, services: ServicesDep
) -> StraightThroughOut:
    """The share of values and documents that need no review, as measured on verified results."""
    return StraightThroughOut.model_validate(await services.straight_through.of(member, prompt_id))


@router.put("")
async def decide_straight_through(
    prompt_id: str, body: StraightThroughIn, member: OrgMember, services: ServicesDep
) -> StraightThroughOut:
    """Set the target precision, and whether results that reach it skip review. For administrators."""
    found = await services.straight_through.decide(
        member, prompt_id, precision=body.precision, auto_verify=body.auto_verify
    )
    return StraightThroughOut.model_validate(found)
