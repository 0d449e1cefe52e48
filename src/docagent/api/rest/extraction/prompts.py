"""Prompts and their versions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import ListParameters, OrgMember, ServicesDep, comma_separated
from docagent.api.fields import LongText, Name, ShortText, Version
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.extraction.seeing import Pictures
from docagent.services.extraction.prompts import PromptConfig

router = Router(tags=["prompts"])


class Include(BaseModel):
    """What of the document goes to the model beside the instruction."""

    ocr_text: bool = True
    metadata_keys: list[ShortText] = Field(default_factory=list)
    pdf: bool = Field(True, description="False sends neither pictures nor the PDF")
    pictures: Pictures | None = Field(
        None, description="When pages go as pictures; left out, as the organisation says"
    )


class PromptIn(BaseModel):
    name: Name
    content: LongText
    schema_id: ShortText | None = None
    schema_version: Version | None = None
    tag_ids: list[ShortText] = Field(default_factory=list)
    model: ShortText | None = Field(None, description="Left out, the organisation's default model runs.")
    kb_id: ShortText | None = None
    peer_match_keys: list[ShortText] = Field(default_factory=list)
    include: Include = Field(default_factory=Include)


class ProposedPromptOut(Answer):
    name: str
    content: str
    schema_id: str | None
    schema_version: int | None
    tag_ids: list[str]
    model: str
    prompt_revid: str = Field(validation_alias="revid")
    prompt_id: str = Field(validation_alias="id")
    prompt_version: int = Field(validation_alias="version")


class PromptOut(ProposedPromptOut):
    effective_model: str = Field(description="The model that runs: `model` when it can be called.")
    kb_id: str | None
    peer_match_keys: list[str]
    include: Include
    created_at: datetime
    created_by: str


class PromptsOut(Page[PromptOut]):
    items: list[PromptOut] = Field(serialization_alias="prompts")


@router.post("/v0/orgs/{organization_id}/prompts")
async def create_prompt(body: PromptIn, member: OrgMember, services: ServicesDep) -> PromptOut:
    """Make a prompt, or a new version of the prompt that has this name."""
    return PromptOut.model_validate(await services.prompts.create(member, _config(body)))


@router.get("/v0/orgs/{organization_id}/prompts")
async def list_prompts(
    query: ListParameters,
    member: OrgMember,
    services: ServicesDep,
    document_id: Annotated[
        str | None, Query(description="Only prompts that share a tag with this document")
    ] = None,
    tag_ids: Annotated[str | None, Query(description="Only prompts with all of these tags")] = None,
) -> PromptsOut:
    """List the newest version of each prompt."""
    found = await services.prompts.list(
        member, query, tag_ids=comma_separated(tag_ids), document_id=document_id or None
    )
    return PromptsOut.model_validate(found)


@router.get("/v0/orgs/{organization_id}/prompts/{prompt_revid}")
async def get_prompt(prompt_revid: str, member: OrgMember, services: ServicesDep) -> PromptOut:
    """Read one version of a prompt."""
    return PromptOut.model_validate(await services.prompts.get(member, prompt_revid))


@router.get("/v0/orgs/{organization_id}/prompts/{prompt_id}/versions")
async def list_prompt_versions(prompt_id: str, member: OrgMember, services: ServicesDep) -> PromptsOut:
    """List all versions of a prompt, newest first."""
    return PromptsOut.model_validate(await services.prompts.versions(member, prompt_id))


@router.put("/v0/orgs/{organization_id}/prompts/{prompt_id}")
async def update_prompt(
    prompt_id: str, body: PromptIn, member: OrgMember, services: ServicesDep
) -> PromptOut:
    """Replace the whole configuration: what is left out goes back to its default."""
    return PromptOut.model_validate(await services.prompts.update(member, prompt_id, _config(body)))


@router.delete("/v0/orgs/{organization_id}/prompts/{prompt_id}")
async def delete_prompt(prompt_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete all versions of a prompt."""
    await services.prompts.delete(member, prompt_id)
    return MessageOut(message="Prompt deleted successfully")


def _config(body: PromptIn) -> PromptConfig:
    return PromptConfig(**body.model_dump())
