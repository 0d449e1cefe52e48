"""Projects and their living documents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import Query, Response
from pydantic import AfterValidator, BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.downloads import download_headers
from docagent.api.fields import Version, storable_text
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.bootstrap import Services
from docagent.domain.projects.projects import (
    MOST_CONTENT_CHARACTERS,
    MOST_DESCRIPTION_CHARACTERS,
    MOST_INSTRUCTION_CHARACTERS,
    MOST_NAME_CHARACTERS,
    MOST_REASON_CHARACTERS,
    Author,
    Changes,
    Deleted,
    VersionEntry,
    Written,
)

router = Router(prefix="/v0/orgs/{organization_id}/projects", tags=["projects"])

ProjectName = Annotated[
    str, Field(min_length=1, max_length=MOST_NAME_CHARACTERS), AfterValidator(storable_text)
]
Description = Annotated[str, Field(max_length=MOST_DESCRIPTION_CHARACTERS), AfterValidator(storable_text)]
Instruction = Annotated[str, Field(max_length=MOST_INSTRUCTION_CHARACTERS), AfterValidator(storable_text)]
Markdown = Annotated[str, Field(max_length=MOST_CONTENT_CHARACTERS), AfterValidator(storable_text)]
Reason = Annotated[str, Field(max_length=MOST_REASON_CHARACTERS), AfterValidator(storable_text)]
BaseVersion = Annotated[
    Version | None,
    Field(description="The version that the change is based on; refused with 409 when there is a newer one"),
]
WantedVersion = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="Left out: the newest")]


class ProjectIn(BaseModel):
    name: ProjectName
    description: Description = ""
    standing_instruction: Instruction = ""


class ProjectChangeIn(BaseModel):
    name: ProjectName | None = None
    description: Description | None = None
    standing_instruction: Instruction | None = None


class ProjectOut(Answer):
    id: str
    name: str
    description: str
    standing_instruction: str
    document_count: int
    created_by: str
    created_at: datetime
    updated_at: datetime


class ProjectsOut(Page[ProjectOut]):
    items: list[ProjectOut] = Field(serialization_alias="projects")


class LivingDocumentIn(BaseModel):
    name: ProjectName
    content: Markdown = ""
    standing_instruction: Instruction = ""
    reason: Reason = ""


class LivingDocumentChangeIn(BaseModel):
    name: ProjectName | None = None
    content: Markdown | None = None
    standing_instruction: Instruction | None = None
    reason: Reason = ""
    base_version: BaseVersion = None


class RestoreIn(BaseModel):
    version: Version
    base_version: BaseVersion = None
    reason: Reason = ""


class _VersionOut(Answer):
    id: str
    project_id: str
    name: str
    version: int
    standing_instruction: str
    author: Author
    reason: str
    turn_id: str | None
    created_by: str
    created_at: datetime


class VersionOut(_VersionOut):
    """One version without its text; `characters` says how long that is."""

    characters: int


class LivingDocumentOut(_VersionOut):
    content: str


class LivingDocumentsOut(BaseModel):
    documents: list[VersionOut]
    total_count: int


class DeletedThingOut(BaseModel):
    """A project or a document that was deleted; it can be brought back until it is removed permanently."""

    id: str
    name: str
    deleted_at: datetime
    removed_at: datetime


class DeletedThingsOut(BaseModel):
    deleted: list[DeletedThingOut]


class VersionsOut(BaseModel):
    versions: list[VersionOut]
    total_count: int


@router.get("")
async def list_projects(
    member: OrgMember,
    services: ServicesDep,
    search: Annotated[str | None, Query(description="A part of the name")] = None,
    skip: Skip = 0,
    limit: Limit = 50,
) -> ProjectsOut:
    """List projects, what changed last first."""
    found = await services.projects.list(member, search=search, skip=skip, limit=limit)
    return ProjectsOut.model_validate(found)


@router.post("")
async def create_project(body: ProjectIn, member: OrgMember, services: ServicesDep) -> ProjectOut:
    """Make a project. Its name must be new in the organisation; case and spacing do not count."""
    made = await services.projects.create(member, body.name, body.description, body.standing_instruction)
    return ProjectOut.model_validate(made)


@router.get("/deleted")
async def list_deleted_projects(member: OrgMember, services: ServicesDep) -> DeletedThingsOut:
    """List the projects that were deleted and can be brought back, the last deleted first."""
    return _deleted_out(services, await services.projects.deleted(member))


@router.post("/{project_id}/undelete")
async def undelete_project(project_id: str, member: OrgMember, services: ServicesDep) -> ProjectOut:
    """Bring back a deleted project with its documents."""
    return ProjectOut.model_validate(await services.projects.bring_back(member, project_id))


@router.get("/{project_id}/deleted")
async def list_deleted_living_documents(
    project_id: str, member: OrgMember, services: ServicesDep
) -> DeletedThingsOut:
    """List the documents of a project that were deleted and can be brought back, the last deleted first."""
    return _deleted_out(services, await services.living_documents.deleted(member, project_id))


@router.post("/{project_id}/documents/{living_document_id}/undelete")
async def undelete_living_document(
    project_id: str, living_document_id: str, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Bring back a deleted document with all its versions."""
    back = await services.living_documents.bring_back(member, project_id, living_document_id)
    return LivingDocumentOut.model_validate(back)


@router.get("/{project_id}")
async def get_project(project_id: str, member: OrgMember, services: ServicesDep) -> ProjectOut:
    """Read one project."""
    return ProjectOut.model_validate(await services.projects.get(member, project_id))


@router.put("/{project_id}")
async def update_project(
    project_id: str, body: ProjectChangeIn, member: OrgMember, services: ServicesDep
) -> ProjectOut:
    """Change a project. What is left out stays."""
    found = await services.projects.update(member, project_id, **body.model_dump())
    return ProjectOut.model_validate(found)


@router.delete("/{project_id}")
async def delete_project(project_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a project with its documents."""
    await services.projects.delete(member, project_id)
    return MessageOut(message="Project deleted successfully")


@router.get("/{project_id}/documents")
async def list_living_documents(
    project_id: str, member: OrgMember, services: ServicesDep
) -> LivingDocumentsOut:
    """List the documents of a project by name, without their texts."""
    found = _versions_out(await services.living_documents.entries(member, project_id))
    return LivingDocumentsOut(documents=found, total_count=len(found))


@router.post("/{project_id}/documents")
async def create_living_document(
    project_id: str, body: LivingDocumentIn, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Make a document. Its name must be new in the project; case and spacing do not count."""
    made = await services.living_documents.create(
        member,
        project_id,
        body.name,
        body.content,
        body.standing_instruction,
        written=Written(reason=body.reason),
    )
    return LivingDocumentOut.model_validate(made)


@router.get("/{project_id}/documents/{living_document_id}")
async def get_living_document(
    project_id: str,
    living_document_id: str,
    member: OrgMember,
    services: ServicesDep,
    version: WantedVersion = None,
) -> LivingDocumentOut:
    """Read the newest version of a document, or another."""
    found = await services.living_documents.get(member, project_id, living_document_id, version)
    return LivingDocumentOut.model_validate(found)


@router.put("/{project_id}/documents/{living_document_id}")
async def update_living_document(
    project_id: str,
    living_document_id: str,
    body: LivingDocumentChangeIn,
    member: OrgMember,
    services: ServicesDep,
) -> LivingDocumentOut:
    """Make the next version of a document. What is left out stays; when nothing differs, nothing is made.

    A text on an old `base_version` is refused with 409, and `merge` in the answer is the text on top of the newest.
    """
    found = await services.living_documents.change(
        member,
        project_id,
        living_document_id,
        Changes(body.name, body.content, body.standing_instruction),
        base_version=body.base_version,
        written=Written(reason=body.reason),
    )
    return LivingDocumentOut.model_validate(found)


@router.delete("/{project_id}/documents/{living_document_id}")
async def delete_living_document(
    project_id: str, living_document_id: str, member: OrgMember, services: ServicesDep
) -> MessageOut:
    """Delete a document with all its versions."""
    await services.living_documents.delete(member, project_id, living_document_id)
    return MessageOut(message="Document deleted successfully")


@router.get("/{project_id}/documents/{living_document_id}/versions")
async def list_living_document_versions(
    project_id: str, living_document_id: str, member: OrgMember, services: ServicesDep
) -> VersionsOut:
    """List all versions of a document, newest first, without their texts."""
    found = _versions_out(await services.living_documents.versions(member, project_id, living_document_id))
    return VersionsOut(versions=found, total_count=len(found))


@router.post("/{project_id}/documents/{living_document_id}/restore")
async def restore_living_document(
    project_id: str, living_document_id: str, body: RestoreIn, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Make a new version with the text and the standing instruction of an earlier one."""
    found = await services.living_documents.restore(
        member,
        project_id,
        living_document_id,
        body.version,
        base_version=body.base_version,
        written=Written(reason=body.reason),
    )
    return LivingDocumentOut.model_validate(found)


@router.get(
    "/{project_id}/documents/{living_document_id}/download",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}},
)
async def download_living_document(
    project_id: str,
    living_document_id: str,
    member: OrgMember,
    services: ServicesDep,
    version: WantedVersion = None,
) -> Response:
    """The text of a document as a markdown file."""
    document = await services.living_documents.get(member, project_id, living_document_id, version)
    name = document.name if document.name.casefold().endswith(".md") else f"{document.name}.md"
    return Response(document.content, media_type="text/markdown", headers=download_headers(name))


def _deleted_out(services: Services, found: Sequence[Deleted]) -> DeletedThingsOut:
    kept = timedelta(days=services.settings.documents.purge_after_days)
    return DeletedThingsOut(
        deleted=[
            DeletedThingOut(
                id=item.id, name=item.name, deleted_at=item.deleted_at, removed_at=item.deleted_at + kept
            )
            for item in found
        ]
    )


def _versions_out(entries: Sequence[VersionEntry]) -> list[VersionOut]:
    return [VersionOut.model_validate(entry) for entry in entries]
