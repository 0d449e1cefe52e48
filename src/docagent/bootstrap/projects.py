"""Projects and their living documents."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.bootstrap.ground import Ground
from docagent.services.living_documents import LivingDocumentService
from docagent.services.projects import ProjectService


@dataclass(frozen=True)
class Projects:
    projects: ProjectService
    living_documents: LivingDocumentService


def build_projects(ground: Ground) -> Projects:
    return Projects(
        ProjectService(ground.db, ground.bus),
        LivingDocumentService(ground.db, ground.bus),
    )
