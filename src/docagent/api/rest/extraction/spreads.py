"""Corrections that spread to documents of the same layout: previewed, applied, counted, undone."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import Seen
from docagent.api.router import Router

router = Router(prefix="/v0/orgs/{organization_id}", tags=["extraction"])


class SpreadChangeOut(Answer):
    document_id: str
    document_name: str
    prompt_revid: str
    revision: int = Field(description="Of the result with the value before")
    path: str
    before: Any
    after: Any


class SpreadPreviewOut(Answer):
    alike: int = Field(description="Other documents of the prompt that look like this one, 40 at most")
    changes: list[SpreadChangeOut] = Field(description="Values that no person has written or verified")


class SpreadIn(BaseModel):
    path: Annotated[str, Field(max_length=500)]
    seen: Annotated[dict[str, Seen], Field(max_length=100)] = Field(
        description="By document, the `revision` that the preview showed; others are left alone"
    )


class SpreadOut(Answer):
    spread_id: str = at_path("id")
    document_id: str
    path: str
    changes: list[SpreadChangeOut]
    created_at: datetime


class EarnedOut(Answer):
    corrections: int = Field(description="Corrections that were spread and not undone")
    values: int = Field(description="Values of other documents that they changed")
    spreads: list[SpreadOut] = Field(description="The newest of them")


class UndoneOut(BaseModel):
    restored: int = Field(description="Documents that have their former values again")
    kept: int = Field(description="Documents that changed since, and stay as they are")


@router.get("/llm/result/{document_id}/spread")
async def preview_spread(
    document_id: str, prompt_revid: str, path: str, member: OrgMember, services: ServicesDep
) -> SpreadPreviewOut:
    """What the value at the path, taken as right, would change in documents that look like this one."""
    return SpreadPreviewOut.model_validate(
        await services.spreading.preview(member, document_id, prompt_revid, path)
    )


@router.post("/llm/result/{document_id}/spread")
async def spread_correction(
    document_id: str, prompt_revid: str, body: SpreadIn, member: OrgMember, services: ServicesDep
) -> SpreadOut:
    """Verify the value, and change the documents of the preview by it, all of them or none."""
    return SpreadOut.model_validate(
        await services.spreading.apply(member, document_id, prompt_revid, body.path, body.seen)
    )


@router.get("/learning/{prompt_id}/spreads")
async def list_spreads(prompt_id: str, member: OrgMember, services: ServicesDep) -> EarnedOut:
    """What the corrections of a prompt's results were worth to other documents."""
    earned, newest = await services.spreading.earned(member, prompt_id)
    return EarnedOut.model_validate(
        {"corrections": earned.corrections, "values": earned.values, "spreads": newest}
    )


@router.post("/learning/spreads/{spread_id}/undo")
async def undo_spread(spread_id: str, member: OrgMember, services: ServicesDep) -> UndoneOut:
    """Restore the documents that a correction changed, except those that changed since."""
    restored, kept = await services.spreading.undo(member, spread_id)
    return UndoneOut(restored=restored, kept=kept)
