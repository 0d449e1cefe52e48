"""What a conversation is about: a document or a project of the organisation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docagent.domain.documents.documents import Document
from docagent.domain.proposals import DocumentProposal
from docagent.domain.turns.turns import Subject
from docagent.services.documents.documents import find_document
from docagent.services.projects.projects import find_project
from docagent.store.documents import documents
from docagent.store.engine.database import OrgTx
from docagent.store.projects import projects


@dataclass(frozen=True, slots=True)
class FoundSubject:
    name: str
    line: str
    """The subject as the model sees it in the list of files."""
    proposal: DocumentProposal | None = None
    """What was prepared for it, if it is a document."""


async def find_subject(tx: OrgTx, subject: Subject) -> FoundSubject:
    """Look the subject up. Raises NotFound."""
    if subject.project_id is not None:
        project = await find_project(tx, subject.project_id)
        return FoundSubject(project.name, f"project {project.name} ({project.id})")
    document = await find_document(tx, subject.id)
    return FoundSubject(document.name, _document_line(document), document.proposal)


async def subject_names(tx: OrgTx, subjects: Iterable[Subject | None]) -> dict[Subject, str]:
    """The names of the subjects that still exist."""
    wanted = {subject for subject in subjects if subject is not None}
    document_ids = sorted(subject.id for subject in wanted if subject.document_id)
    project_ids = sorted(subject.id for subject in wanted if subject.project_id)
    found: dict[Subject, str] = {}
    if document_ids:
        names = await documents.names(tx, document_ids)
        found |= {Subject.document(document_id): name for document_id, name in names.items()}
    if project_ids:
        names = await projects.names(tx, project_ids)
        found |= {Subject.project(project_id): name for project_id, name in names.items()}
    return found


def _document_line(document: Document) -> str:
    pages = f", {document.page_count} pages" if document.page_count else ""
    return f"{document.name} ({document.id}{pages})"
