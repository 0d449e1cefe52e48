"""Moves and copies living documents, with all their versions, to other projects of the organisation."""

from __future__ import annotations

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput
from docagent.domain.projects.projects import BY_USER, LivingDocument, checked_name
from docagent.services.deliveries.bus import Bus
from docagent.services.projects.living_documents import find_living_document, refuse_taken
from docagent.services.projects.living_notices import announce_arrived, announce_deleted
from docagent.services.projects.projects import lock_project
from docagent.store.engine.database import Database, OrgTx
from docagent.store.projects import projects
from docagent.store.projects.living_documents import LIVING_DOCUMENTS


class MovingService:
    """Versions stay as they are: number, author, reason, time. A new name is the document's; it makes no version."""

    def __init__(self, db: Database, bus: Bus) -> None:
        self._db = db
        self._bus = bus

    async def move(
        self, member: Member, project_id: str, document_id: str, to_project_id: str, name: str | None = None
    ) -> LivingDocument:
        """Raises InvalidInput if the other project has a document of this name."""
        name = None if name is None else checked_name(name)
        async with self._db.write_org(member.organization_id) as tx:
            await _lock_both(tx, project_id, to_project_id)
            document = await find_living_document(tx, project_id, document_id)
            if project_id == to_project_id:
                raise InvalidInput("The document is in this project already. Choose another project.")
            await refuse_taken(tx, to_project_id, name or document.name)
            await LIVING_DOCUMENTS.move(tx, document_id, to_project_id, name or document.name)
            await _touch(tx, project_id, to_project_id)
            moved = await find_living_document(tx, to_project_id, document_id)
            await announce_deleted(self._bus, tx, member, document, BY_USER)
            await announce_arrived(self._bus, tx, member, moved)
            return moved

    async def copy(
        self, member: Member, project_id: str, document_id: str, to_project_id: str, name: str | None = None
    ) -> LivingDocument:
        """Raises InvalidInput if the other project, or the same, has a document of this name."""
        name = None if name is None else checked_name(name)
        async with self._db.write_org(member.organization_id, long=True) as tx:
            await _lock_both(tx, project_id, to_project_id)
            document = await find_living_document(tx, project_id, document_id)
            await refuse_taken(tx, to_project_id, name or document.name)
            copy_id = await LIVING_DOCUMENTS.copy(tx, document, to_project_id, name or document.name)
            await _touch(tx, to_project_id)
            copied = await find_living_document(tx, to_project_id, copy_id)
            await announce_arrived(self._bus, tx, member, copied)
            return copied


async def _lock_both(tx: OrgTx, *project_ids: str) -> None:
    """Always in the same order, so that two moves in opposite directions do not deadlock."""
    for project_id in sorted(set(project_ids)):
        await lock_project(tx, project_id)


async def _touch(tx: OrgTx, *project_ids: str) -> None:
    for project_id in project_ids:
        await projects.touch(tx, project_id, now())
