"""Projects and living documents of the caller's own organisation, in the shapes of the `/api` paths."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.rest.projects.projects import Description, Instruction, Markdown, ProjectName
from docagent.api.router import Router
from docagent.domain.ids import time_of
from docagent.domain.projects.projects import Changes, Project

router = Router(prefix="/api/projects", tags=["act"])

AT_ONCE = 200


class ActProjectIn(BaseModel):
    name: ProjectName
    description: Description | None = None


class ActProjectChangeIn(BaseModel):
    name: ProjectName | None = None
    description: Description | None = None


class ActProjectOut(Answer):
    id: str
    user_id: str = at_path("created_by")
    name: str
    description: Annotated[str | None, BeforeValidator(lambda text: text or None)]
    created_at: datetime
    updated_at: datetime


class ActDocumentIn(BaseModel):
    name: ProjectName
    standing_instruction: Instruction | None = None
    content: Markdown | None = None
    project_id: ShortText | None = None
    """Passed over: the path says which project it is."""


class ActDocumentChangeIn(BaseModel):
    name: ProjectName | None = None
    standing_instruction: Instruction | None = None
    content: Markdown | None = None


class ActDocumentOut(Answer):
    id: str
    project_id: str
    user_id: str = at_path("created_by")
    name: str
    standing_instruction: str
    content: str
    created_at: Annotated[datetime, BeforeValidator(time_of)] = at_path("id")
    updated_at: datetime = at_path("created_at")


@router.get("")
async def act_list_projects(member: OwnMember, services: ServicesDep) -> list[ActProjectOut]:
    """List all projects, what changed last first."""
    found: list[Project] = []
    while True:
        page = await services.projects.list(member, skip=len(found), limit=AT_ONCE)
        found += page.items
        if len(found) >= page.total or not page.items:
            return [ActProjectOut.model_validate(one) for one in found]


@router.post("", status_code=201)
async def act_create_project(body: ActProjectIn, member: OwnMember, services: ServicesDep) -> ActProjectOut:
    """Make a project. Its name must be new; case and spacing do not count."""
    made = await services.projects.create(member, body.name, body.description or "")
    return ActProjectOut.model_validate(made)


@router.get("/{project_id}")
async def act_get_project(project_id: str, member: OwnMember, services: ServicesDep) -> ActProjectOut:
    """Read one project."""
    return ActProjectOut.model_validate(await services.projects.get(member, project_id))


@router.put("/{project_id}")
async def act_update_project(
    project_id: str, body: ActProjectChangeIn, member: OwnMember, services: ServicesDep
) -> ActProjectOut:
    """Change what is given; an empty description clears it."""
    changed = await services.projects.update(member, project_id, name=body.name, description=body.description)
    return ActProjectOut.model_validate(changed)


@router.delete("/{project_id}", status_code=204)
async def act_delete_project(project_id: str, member: OwnMember, services: ServicesDep) -> None:
    """Delete a project with its documents. The web client can bring it back for some days."""
    await services.projects.delete(member, project_id)


@router.get("/{project_id}/documents")
async def act_list_documents(
    project_id: str, member: OwnMember, services: ServicesDep
) -> list[ActDocumentOut]:
    """List the documents of a project with their texts, by name."""
    found = await services.living_documents.list(member, project_id)
    return [ActDocumentOut.model_validate(one) for one in found]


@router.post("/{project_id}/documents", status_code=201)
async def act_create_document(
    project_id: str, body: ActDocumentIn, member: OwnMember, services: ServicesDep
) -> ActDocumentOut:
    """Make a document. Its name must be new in the project; case and spacing do not count."""
    made = await services.living_documents.create(
        member, project_id, body.name, body.content or "", body.standing_instruction or ""
    )
    return ActDocumentOut.model_validate(made)


@router.get("/{project_id}/documents/{living_document_id}")
async def act_get_document(
    project_id: str, living_document_id: str, member: OwnMember, services: ServicesDep
) -> ActDocumentOut:
    """Read one document."""
    found = await services.living_documents.get(member, project_id, living_document_id)
    return ActDocumentOut.model_validate(found)


@router.put("/{project_id}/documents/{living_document_id}")
async def act_update_document(
    project_id: str,
    living_document_id: str,
    body: ActDocumentChangeIn,
    member: OwnMember,
    services: ServicesDep,
) -> ActDocumentOut:
    """Change what is given, as a new version; an empty content clears the text."""
    changes = Changes(body.name, body.content, body.standing_instruction)
    changed = await services.living_documents.change(
        member, project_id, living_document_id, changes, base_version=None
    )
    return ActDocumentOut.model_validate(changed)


@router.delete("/{project_id}/documents/{living_document_id}", status_code=204)
async def act_delete_document(
    project_id: str, living_document_id: str, member: OwnMember, services: ServicesDep
) -> None:
    """Delete a document. The web client can bring it back for some days."""
    await services.living_documents.delete(member, project_id, living_document_id)
