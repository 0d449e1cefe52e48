"""What living documents cite, and whether it still says the same."""

from __future__ import annotations

from pydantic import BaseModel

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.rest.projects.projects import BaseVersion, LivingDocumentOut
from docagent.api.router import Router
from docagent.domain.projects.citations import CitationState

router = Router(prefix="/v0/orgs/{organization_id}/projects/{project_id}", tags=["projects"])


class CitationOut(Answer):
    """One citation. `written_from` is what stood there when the passage was written, `now` what stands there today."""

    line: int = at_path("link.line")
    text: str = at_path("link.text")
    address: str = at_path("link.address")
    state: CitationState
    document_id: str = at_path("cited.document_id")
    document_name: str | None
    prompt_id: str | None
    path: str | None
    page: int | None
    written_from: str = at_path("link.title")
    now: str | None
    suggested: str | None


class BoundTableOut(Answer):
    """A table that stands for a sheet. `now` is the table with the present values, `suggested` link and table."""

    line: int = at_path("written.line")
    text: str = at_path("written.text")
    address: str = at_path("written.address")
    state: CitationState
    prompt_id: str = at_path("cited.prompt_id")
    name: str | None
    now: str | None
    suggested: str | None


class UpdateIn(BaseModel):
    base_version: BaseVersion = None


class CitingDocumentOut(Answer):
    id: str = at_path("document.id")
    name: str = at_path("document.name")
    version: int = at_path("document.version")
    citations: list[CitationOut] = at_path("evidence")
    tables: list[BoundTableOut]


class EvidenceOut(Answer):
    documents: list[CitingDocumentOut]


@router.get("/evidence")
async def list_project_citations(project_id: str, member: OrgMember, services: ServicesDep) -> EvidenceOut:
    """Check the citations of all documents of a project; documents that cite nothing are left out."""
    found = await services.evidence.of_project(member, project_id)
    return EvidenceOut.model_validate({"documents": found})


@router.get("/documents/{living_document_id}/evidence")
async def list_citations(
    project_id: str, living_document_id: str, member: OrgMember, services: ServicesDep
) -> CitingDocumentOut:
    """Check the citations of a document's newest version, in the order of the text."""
    found = await services.evidence.of_document(member, project_id, living_document_id)
    return CitingDocumentOut.model_validate(found)


@router.post("/documents/{living_document_id}/evidence/update")
async def update_from_sources(
    project_id: str, living_document_id: str, body: UpdateIn, member: OrgMember, services: ServicesDep
) -> LivingDocumentOut:
    """Make a version in which every stale citation and table has its present value."""
    made = await services.evidence.update(member, project_id, living_document_id, body.base_version)
    return LivingDocumentOut.model_validate(made)
