"""Projects and their living documents."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.bootstrap.ground import Ground
from docagent.services.projects.evidence import EvidenceService
from docagent.services.projects.living_documents import LivingDocumentService
from docagent.services.projects.moving import MovingService
from docagent.services.projects.project_files import ProjectFileService
from docagent.services.projects.projects import ProjectService
from docagent.services.search.finding import FindingService
from docagent.services.search.searching import SearchService


@dataclass(frozen=True)
class Projects:
    projects: ProjectService
    living_documents: LivingDocumentService
    project_files: ProjectFileService
    finding: FindingService
    moving: MovingService
    evidence: EvidenceService
    searching: SearchService


def build_projects(ground: Ground) -> Projects:
    living_documents = LivingDocumentService(ground.db, ground.bus)
    finding = FindingService(ground.db)
    return Projects(
        ProjectService(ground.db, ground.bus),
        living_documents,
        ProjectFileService(ground.db, living_documents),
        finding,
        MovingService(ground.db, ground.bus),
        EvidenceService(ground.db, living_documents),
        SearchService(ground.db, finding),
    )
