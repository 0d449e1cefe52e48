"""Learning: what a prompt learnt from verified documents, switched off and forgotten."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.router import Router

router = Router(prefix="/v0/orgs/{organization_id}/learning", tags=["extraction"])


class SwitchIn(BaseModel):
    enabled: bool
    examples: bool | None = Field(None, description="Left as it is when left out")


class SwitchOut(Answer):
    enabled: bool = at_path(
        "is_on", "Whether the organisation learns from what it verifies; it does by default"
    )
    examples: bool = at_path(
        "examples_on",
        "Whether models other than the built-in one are shown verified documents of the same layout",
    )


class LearntFieldOut(Answer):
    path: str
    right: int = Field(description="In how many other verified documents of the layout the memory was right")
    wrong: int
    doubtful: bool = at_path("is_doubtful", "Wrong more often than right: it is not used")


class LearntFromOut(Answer):
    document_id: str = at_path("lesson.document_id")
    document_name: str = at_path("lesson.document_name")
    learnt_at: datetime = at_path("lesson.learnt_at")
    doubtful: bool = at_path(
        "is_doubtful", "Other verified documents contradict it: look at what was corrected there"
    )
    fields: list[LearntFieldOut]


class LearntOut(Answer):
    documents: list[LearntFromOut] = Field(description="Those in doubt first, then the newest")


class ForgottenOut(BaseModel):
    forgotten: int = Field(description="How many documents are forgotten")


@router.get("")
async def get_learning(member: OrgMember, services: ServicesDep) -> SwitchOut:
    """Whether the organisation learns from verified documents."""
    return SwitchOut.model_validate(await services.learning.switches(member))


@router.put("")
async def switch_learning(body: SwitchIn, member: OrgMember, services: ServicesDep) -> SwitchOut:
    """Switch learning or its examples on or off. What was learnt is kept, and not used while it is off."""
    return SwitchOut.model_validate(await services.learning.switch(member, body.enabled, body.examples))


@router.delete("")
async def forget_all(member: OrgMember, services: ServicesDep) -> ForgottenOut:
    """Forget everything that was learnt. Verified results stay."""
    return ForgottenOut(forgotten=await services.learning.forget_all(member))


@router.get("/{prompt_id}")
async def list_learnt(prompt_id: str, member: OrgMember, services: ServicesDep) -> LearntOut:
    """The documents that a prompt learnt from, and how what they taught fared in others."""
    return LearntOut.model_validate({"documents": await services.learning.learnt_from(member, prompt_id)})


@router.delete("/{prompt_id}/documents/{document_id}")
async def forget_document(
    prompt_id: str, document_id: str, member: OrgMember, services: ServicesDep
) -> ForgottenOut:
    """Forget what a prompt learnt from one document, until that is verified again."""
    return ForgottenOut(forgotten=await services.learning.forget(member, prompt_id, document_id))
