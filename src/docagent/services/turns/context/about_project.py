"""What the model gets about the project of a conversation."""

from __future__ import annotations

from dataclasses import replace

from docagent.agent.context import Block
from docagent.agent.project_context import deleted_project_block, project_blocks
from docagent.domain.errors import NotFound
from docagent.domain.models.llm import ProjectDocument, ProjectSituation, Situation
from docagent.domain.projects.projects import LivingDocument, Project
from docagent.services.projects.projects import find_project
from docagent.store.engine.database import OrgTx
from docagent.store.projects.living_documents import LIVING_DOCUMENTS


class AboutProject:
    def __init__(self, project_id: str, excerpt_characters: int, open_document_id: str | None) -> None:
        self._project_id = project_id
        self._excerpt_characters = excerpt_characters
        self._open_document_id = open_document_id
        self._project: Project | None = None
        self._documents: list[LivingDocument] = []

    def changed(self) -> None:
        """Nothing is kept that could be outdated: other people write the same documents."""

    def known_blocks(self) -> list[Block] | None:
        return None

    async def blocks(self, tx: OrgTx) -> list[Block]:
        try:
            self._project = await find_project(tx, self._project_id)
        except NotFound:
            self._project, self._documents = None, []
            return [deleted_project_block(self._project_id)]
        self._documents = await LIVING_DOCUMENTS.of_project(tx, self._project_id)
        return project_blocks(
            self._project, self._documents, self._excerpt_characters, self._open_document_id
        )

    @property
    def holds_outside_text(self) -> bool:
        """Whether text of documents is included, as it was when `blocks` was last called."""
        return any(document.content.strip() for document in self._documents)

    async def situation(self, known: Situation) -> Situation:
        """Add the project to the situation, as it was when `blocks` was last called."""
        if self._project is None:
            return known
        documents = tuple(
            ProjectDocument(item.id, item.name, item.version, item.content, item.standing_instruction)
            for item in self._documents
        )
        project = ProjectSituation(self._project.id, self._project.name, documents, self._open_document_id)
        return replace(known, project=project)
