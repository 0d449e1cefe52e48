"""What living documents cite, and whether it still says the same."""

from __future__ import annotations

from pydantic import BaseModel

from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.router import Router
from docagent.domain.projects.citations import CitationState, CitedValue, CitedWords
from docagent.services.projects.evidence import CitingDocument, Evidence

router = Router(prefix="/v0/orgs/{organization_id}/projects/{project_id}", tags=["projects"])


class CitationOut(BaseModel):
    """One citation. `written_from` is what stood there when the passage was written, `now` what stands there today."""

    line: int
    text: str
    address: str
    state: CitationState
    document_id: str
    document_name: str | None
    prompt_id: str | None
    path: str | None
    page: int | None
    written_from: str
    now: str | None
    suggested: str | None


class CitingDocumentOut(BaseModel):
    id: str
    name: str
    version: int
    citations: list[CitationOut]


class EvidenceOut(BaseModel):
    documents: list[CitingDocumentOut]


@router.get("/evidence")
async def list_project_citations(project_id: str, member: OrgMember, services: ServicesDep) -> EvidenceOut:
    """Check the citations of all documents of a project; documents that cite nothing are left out."""
    found = await services.evidence.of_project(member, project_id)
    return EvidenceOut(documents=[_citing_out(one) for one in found])


@router.get("/documents/{living_document_id}/evidence")
async def list_citations(
    project_id: str, living_document_id: str, member: OrgMember, services: ServicesDep
) -> CitingDocumentOut:
    """Check the citations of a document's newest version, in the order of the text."""
    return _citing_out(await services.evidence.of_document(member, project_id, living_document_id))


def _citing_out(citing: CitingDocument) -> CitingDocumentOut:
    document = citing.document
    return CitingDocumentOut(
        id=document.id,
        name=document.name,
        version=document.version,
        citations=[_citation_out(one) for one in citing.evidence],
    )


def _citation_out(evidence: Evidence) -> CitationOut:
    link, cited = evidence.link, evidence.cited
    return CitationOut(
        line=link.line,
        text=link.text,
        address=link.address,
        state=evidence.state,
        document_id=cited.document_id,
        document_name=evidence.document_name,
        prompt_id=cited.prompt_id if isinstance(cited, CitedValue) else None,
        path=cited.path if isinstance(cited, CitedValue) else None,
        page=cited.page if isinstance(cited, CitedWords) else None,
        written_from=link.title,
        now=evidence.now,
        suggested=evidence.suggested,
    )
