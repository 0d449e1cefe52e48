"""The documents of a project from files, as files, and in other projects."""

from __future__ import annotations

from typing import Annotated

from fastapi import File, Query, UploadFile
from pydantic import BaseModel, Field

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.downloads import Download
from docagent.api.rest.projects.projects import LivingDocumentOut, ProjectName
from docagent.api.router import Router
from docagent.services.projects.project_files import Existing, Outcome
from docagent.services.projects.uploaded_texts import UploadedFile

router = Router(prefix="/v0/orgs/{organization_id}/projects", tags=["projects"])


class ImportedFileOut(Answer):
    path: str = Field(description="The path of the file, as it was sent or as the zip has it")
    name: str = Field(description="The name of the document; empty when the file is refused")
    outcome: Outcome
    reason: str | None = Field(description="Why the file is refused")
    document_id: str | None
    version: int | None = Field(description="The newest version of the document")
    is_written: bool


class ImportOut(Answer):
    files: list[ImportedFileOut]
    seen: str = Field(
        description="To be sent with the import: then it is refused if anything is no longer so"
    )


class PlaceIn(BaseModel):
    project_id: str
    name: ProjectName | None = Field(None, description="Left out, the document keeps its name")


@router.post("/{project_id}/import")
async def import_living_documents(
    project_id: str,
    member: OrgMember,
    services: ServicesDep,
    file: Annotated[
        list[UploadFile], File(description="Markdown and text files, named by their paths, and zips of them")
    ],
    dry_run: Annotated[bool, Query(description="Only tell what would happen")] = False,
    existing: Annotated[
        Existing, Query(description="What becomes of files whose names documents have already")
    ] = Existing.SKIP,
    seen: Annotated[str | None, Query(description="`seen` of the dry run; 409 if it is no longer so")] = None,
) -> ImportOut:
    """Make documents, or new versions, of files: of all that are not refused, or of none.

    A folder becomes a part of the name: `guides/Start.md` is the document `guides/Start`.
    """
    files = [UploadedFile(_path(one.filename), one.file) for one in file]
    if dry_run:
        return ImportOut.model_validate(await services.project_files.look(member, project_id, files))
    done = await services.project_files.bring_in(member, project_id, files, existing=existing, seen=seen)
    return ImportOut.model_validate(done)


@router.get(
    "/{project_id}/export",
    response_class=Download,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def export_project(project_id: str, member: OrgMember, services: ServicesDep) -> Download:
    """The newest versions of a project's documents as a zip of markdown files. Imported, it gives the same again."""
    project, chunks = await services.project_files.export(member, project_id)
    return Download(services, member, chunks, "application/zip", f"{project.name}.zip")


@router.post("/{project_id}/documents/{living_document_id}/move")
async def move_living_document(
    project_id: str, living_document_id: str, body: PlaceIn, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Move a document with all its versions to another project. To undo it, move it back."""
    moved = await services.moving.move(member, project_id, living_document_id, body.project_id, body.name)
    return LivingDocumentOut.model_validate(moved)


@router.post("/{project_id}/documents/{living_document_id}/copy")
async def copy_living_document(
    project_id: str, living_document_id: str, body: PlaceIn, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Copy a document with all its versions to another project, or under another name to the same."""
    made = await services.moving.copy(member, project_id, living_document_id, body.project_id, body.name)
    return LivingDocumentOut.model_validate(made)


def _path(filename: str | None) -> str:
    """Browsers write quotation marks in the names of files so."""
    return (filename or "").replace("%22", '"')
