"""Tags."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import ListParameters, OrgMember, ServicesDep
from docagent.api.fields import LongText, Name, ShortText
from docagent.api.messages import MessageOut
from docagent.api.router import Router

router = Router(tags=["tags"])


class TagIn(BaseModel):
    name: Name
    color: ShortText | None = None
    description: LongText | None = None


class TagOut(Answer):
    id: str
    name: str
    color: str
    description: str | None
    created_at: datetime
    created_by: str


class TagsOut(Page[TagOut]):
    items: list[TagOut] = Field(serialization_alias="tags")


@router.post("/v0/orgs/{organization_id}/tags")
async def create_tag(body: TagIn, member: OrgMember, services: ServicesDep) -> TagOut:
    """Make a tag. Its name must be new in the organisation."""
    made = await services.tags.create(member, name=body.name, color=body.color, description=body.description)
    return TagOut.model_validate(made)


@router.get("/v0/orgs/{organization_id}/tags")
async def list_tags(query: ListParameters, member: OrgMember, services: ServicesDep) -> TagsOut:
    """List tags, newest first unless sorted otherwise."""
    return TagsOut.model_validate(await services.tags.list(member, query))


@router.get("/v0/orgs/{organization_id}/tags/{tag_id}")
async def get_tag(tag_id: str, member: OrgMember, services: ServicesDep) -> TagOut:
    """Read one tag."""
    return TagOut.model_validate(await services.tags.get(member, tag_id))


@router.put("/v0/orgs/{organization_id}/tags/{tag_id}")
async def update_tag(tag_id: str, body: TagIn, member: OrgMember, services: ServicesDep) -> TagOut:
    """Change a tag. An empty colour keeps the old one; the description is replaced."""
    found = await services.tags.update(
        member, tag_id, name=body.name, color=body.color, description=body.description
    )
    return TagOut.model_validate(found)


@router.delete("/v0/orgs/{organization_id}/tags/{tag_id}")
async def delete_tag(tag_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a tag that no document, prompt or form carries."""
    await services.tags.delete(member, tag_id)
    return MessageOut(message="Tag deleted successfully")
