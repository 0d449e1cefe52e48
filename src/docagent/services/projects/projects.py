"""Projects: living documents that belong together. All members of an organisation share its projects."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, NotFound, existing
from docagent.domain.extraction.artefacts import NameTaken
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, ListQuery, check_search
from docagent.domain.projects.projects import (
    BY_USER,
    MOST_DESCRIPTION_CHARACTERS,
    MOST_INSTRUCTION_CHARACTERS,
    Deleted,
    Project,
    check_text,
    checked_name,
    name_key,
)
from docagent.domain.shown import quoted
from docagent.services.deliveries.bus import Bus
from docagent.services.projects.living_notices import announce_back, announce_deleted
from docagent.store.engine.database import Database, OrgTx
from docagent.store.projects import projects
from docagent.store.projects.living_documents import LIVING_DOCUMENTS

NOT_FOUND = "Project not found"
MOST_DELETED = 200


class ProjectService:
    def __init__(self, db: Database, bus: Bus) -> None:
        self._db = db
        self._bus = bus

    async def list(
        self, member: Member, *, search: str | None = None, skip: int = 0, limit: int = 50
    ) -> Found[Project]:
        """List projects, last changed first. `search` looks in the names and puts whole names first."""
        check_search("search", search)
        async with self._db.read_org(member.organization_id) as tx:
            return await projects.search(tx, search, ListQuery(skip, limit))

    async def get(self, member: Member, project_id: str) -> Project:
        async with self._db.read_org(member.organization_id) as tx:
            return await find_project(tx, project_id)

    async def create(
        self, member: Member, name: str, description: str = "", standing_instruction: str = ""
    ) -> Project:
        name = checked_name(name)
        _check(description, standing_instruction)
        moment = now()
        project = Project(new_id(), name, description, standing_instruction, member.user_id, moment, moment)
        async with self._db.write_org(member.organization_id) as tx:
            await _refuse_taken(tx, name)
            try:
                await projects.insert(tx, project)
            except NameTaken as error:
                raise _name_taken(name) from error
        return project

    async def update(
        self,
        member: Member,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        standing_instruction: str | None = None,
    ) -> Project:
        """Change a project. None leaves a field as it is."""
        name = checked_name(name) if name is not None else None
        _check(description or "", standing_instruction or "")
        wanted = {"name": name, "description": description, "standing_instruction": standing_instruction}
        async with self._db.write_org(member.organization_id) as tx:
            project = await lock_project(tx, project_id)
            changes = {
                field: value
                for field, value in wanted.items()
                if value is not None and value != getattr(project, field)
            }
            if not changes:
                return project
            if name is not None and name_key(name) != name_key(project.name):
                await _refuse_taken(tx, name)
            try:
                await projects.update(tx, project_id, {**changes, "updated_at": now()})
            except NameTaken as error:
                raise _name_taken(name or project.name) from error
            return await find_project(tx, project_id)

    async def delete(self, member: Member, project_id: str) -> None:
        """Delete the project with its documents, which are reached only through it."""
        async with self._db.write_org(member.organization_id) as tx:
            await lock_project(tx, project_id)
            await projects.update(tx, project_id, {"deleted_at": now()})
            for document in await LIVING_DOCUMENTS.entries(tx, project_id):
                await announce_deleted(self._bus, tx, member, document, BY_USER)

    async def deleted(self, member: Member) -> Sequence[Deleted]:
        """Projects that can still be brought back, the last deleted first."""
        async with self._db.read_org(member.organization_id) as tx:
            return await projects.deleted(tx, MOST_DELETED)

    async def bring_back(self, member: Member, project_id: str) -> Project:
        """Bring back a project with its documents. Raises NotFound, and Conflict if its name is taken.

        A person may ask twice: a project that is not deleted stays as it is.
        """
        async with self._db.write_org(member.organization_id) as tx:
            back = await _brought_back(tx, project_id)
            if back is None:
                return await find_project(tx, project_id)
            for document in await LIVING_DOCUMENTS.entries(tx, project_id):
                await announce_back(self._bus, tx, member, document, BY_USER)
            return back


async def _brought_back(tx: OrgTx, project_id: str) -> Project | None:
    """The project; None if it is not deleted, or not there. Raises Conflict if its name is taken."""
    name = await projects.deleted_name(tx, project_id) if is_id(project_id) else None
    if name is None:
        return None
    taken = Conflict(f"Another project is named {quoted(name)} now. Rename or delete that one first.")
    if await projects.named(tx, name) is not None:
        raise taken
    try:
        await projects.update(tx, project_id, {"deleted_at": None})
    except NameTaken as error:
        raise taken from error
    return await find_project(tx, project_id)


async def find_project(tx: OrgTx, project_id: str) -> Project:
    """The live project with this id. Raises NotFound."""
    return existing(await projects.get(tx, project_id), NOT_FOUND)


async def lock_project(tx: OrgTx, project_id: str) -> Project:
    """The live project, locked: nobody else changes it or its documents until the transaction ends."""
    if not is_id(project_id) or not await projects.lock(tx, project_id):
        raise NotFound(NOT_FOUND)
    return await find_project(tx, project_id)


def _check(description: str, standing_instruction: str) -> None:
    check_text("The description", description, MOST_DESCRIPTION_CHARACTERS)
    check_text("The standing instruction", standing_instruction, MOST_INSTRUCTION_CHARACTERS)


async def _refuse_taken(tx: OrgTx, name: str) -> None:
    """Refuse a taken name, as the other project writes it. A refusal by the database would end the transaction."""
    if (taken := await projects.named(tx, name)) is not None:
        raise _name_taken(taken.name)


def _name_taken(name: str) -> InvalidInput:
    return InvalidInput(f"A project named '{name}' already exists. Choose another name, or use that project.")
