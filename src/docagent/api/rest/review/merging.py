"""Merging sheets: those that are alike, what would come of a merge, the merge itself and undoing it."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.router import Router

router = Router(prefix="/v0/orgs/{organization_id}/sheet_merges", tags=["sheets"])


class MergeSideOut(Answer):
    prompt_id: str
    name: str
    proposal_id: str | None = Field(description="The proposal that it is a part of; null once accepted")
    documents: int


class AlikeOut(Answer):
    into: MergeSideOut
    source: MergeSideOut
    shared: int = Field(description="Fields that both have")


class AlikeListOut(Answer):
    alike: list[AlikeOut]


class MergedFieldOut(Answer):
    name: str
    ours: str | None = Field(description="Its name in the sheet that remains; null if it is new there")
    theirs: str | None = Field(description="Its name in the other sheet; null if that has none")


class MergePreviewOut(Answer):
    into: MergeSideOut
    source: MergeSideOut
    shared: int
    fields: list[MergedFieldOut] = at_path("merged.fields")
    in_both: int = Field(description="Documents of both sheets: their values in the sheet that remains count")


class MergeIn(BaseModel):
    prompt_id: ShortText = Field(description="The prompt whose sheet remains")
    source_prompt_id: ShortText = Field(description="The prompt whose results move, and which is deleted")


class MergeOut(Answer):
    merge_id: str = at_path("id")
    prompt_id: str
    source_prompt_id: str
    documents: int
    created_at: datetime


class MergesOut(Answer):
    merges: list[MergeOut]


class MergeUndoneOut(BaseModel):
    restored: int = Field(description="Documents that are in their former sheet again")
    kept: int = Field(description="Documents that changed since, and stay in the merged sheet")


@router.get("/alike")
async def list_alike_sheets(member: OrgMember, services: ServicesDep) -> AlikeListOut:
    """Sheets and proposals that have most of their fields in common, so that they could be one."""
    return AlikeListOut.model_validate({"alike": await services.merging.alike(member)})


@router.get("/preview")
async def preview_sheet_merge(
    prompt_id: ShortText, source_prompt_id: ShortText, member: OrgMember, services: ServicesDep
) -> MergePreviewOut:
    """The fields that a merged sheet would have."""
    return MergePreviewOut.model_validate(await services.merging.preview(member, prompt_id, source_prompt_id))


@router.get("")
async def list_sheet_merges(prompt_id: ShortText, member: OrgMember, services: ServicesDep) -> MergesOut:
    """What was merged into a sheet and not undone, the newest first."""
    return MergesOut.model_validate({"merges": await services.merging.into(member, prompt_id)})


@router.post("")
async def merge_sheets(body: MergeIn, member: OrgMember, services: ServicesDep) -> MergeOut:
    """Give a sheet the fields of another one and its results with everything that people corrected.

    The other prompt is deleted; its documents are processed by the one that remains. `undo` restores both.
    """
    return MergeOut.model_validate(
        await services.merging.merge(member, body.prompt_id, body.source_prompt_id)
    )


@router.post("/{merge_id}/undo")
async def undo_sheet_merge(merge_id: str, member: OrgMember, services: ServicesDep) -> MergeUndoneOut:
    """Restore both sheets. Documents that changed since the merge stay in the merged one."""
    restored, kept = await services.merging.undo(member, merge_id)
    return MergeUndoneOut(restored=restored, kept=kept)
