"""Tags."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel

from docagent.api.deps import ListParameters, OrgMember, ServicesDep
from docagent.api.fields import LongText, Name, ShortText
from docagent.api.messages import MessageOut
from docagent.domain.artefacts import Tag

router = APIRouter(tags=["tags"])


class TagIn(BaseModel):
    name: Name
    color: ShortText | None = None
    description: LongText | None = None


class TagOut(BaseModel):
    id: str
    name: str
    color: str
    description: str | None
    created_at: datetime
    created_by: str


class TagsOut(BaseModel):
    tags: list[TagOut]
    total_count: int
    skip: int


@router.post("/v0/orgs/{organization_id}/tags")
async def create_tag(body: TagIn, member: OrgMember, services: ServicesDep) -> TagOut:
    """Make a tag. Its name must be new in the organisation."""
    return _out(
        await services.tags.create(member, name=body.name, color=body.color, description=body.description)
    )


@router.get("/v0/orgs/{organization_id}/tags")
async def list_tags(query: ListParameters, member: OrgMember, services: ServicesDep) -> TagsOut:
    """List tags, newest first unless sorted otherwise."""
    found = await services.tags.list(member, query)
    return TagsOut(tags=[_out(tag) for tag in found.items], total_count=found.total, skip=found.skip)


@router.get("/v0/orgs/{organization_id}/tags/{tag_id}")
async def get_tag(tag_id: str, member: OrgMember, services: ServicesDep) -> TagOut:
    """Read one tag."""
    return _out(await services.tags.get(member, tag_id))


@router.put("/v0/orgs/{organization_id}/tags/{tag_id}")
async def update_tag(tag_id: str, body: TagIn, member: OrgMember, services: ServicesDep) -> TagOut:
    """Change a tag. An empty colour keeps the old one; the description is replaced."""
    return _out(
        await services.tags.update(
            member, tag_id, name=body.name, color=body.color, description=body.description
        )
    )


@router.delete("/v0/orgs/{organization_id}/tags/{tag_id}")
async def delete_tag(tag_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a tag that no document, prompt or form carries."""
    await services.tags.delete(member, tag_id)
    return MessageOut(message="Tag deleted successfully")


def _out(tag: Tag) -> TagOut:
    return TagOut(
        id=tag.id,
        name=tag.name,
        color=tag.color,
        description=tag.description,
        created_at=tag.created_at,
        created_by=tag.created_by,
    )
