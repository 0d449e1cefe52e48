"""Living documents: markdown in versions. A change makes the next version and names the one that it is based on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, Noun, Outdated, existing
from docagent.domain.ids import is_id
from docagent.domain.projects.projects import (
    BY_USER,
    MOST_CONTENT_CHARACTERS,
    MOST_INSTRUCTION_CHARACTERS,
    MOST_REASON_CHARACTERS,
    Changes,
    Deleted,
    LivingDocument,
    Project,
    VersionEntry,
    Written,
    check_text,
    checked_name,
    is_storable,
    name_key,
)
from docagent.domain.shown import quoted
from docagent.markdown import Clash, merge
from docagent.services.deliveries.bus import Bus
from docagent.services.projects.living_notices import (
    announce_back,
    announce_created,
    announce_deleted,
    announce_version,
)
from docagent.services.projects.passages import (
    MOST_PLACES_OF_A_WORD,
    MOST_WORDS,
    PLACES_LOOKED_AT,
    most_promising,
    word_weights,
)
from docagent.services.projects.projects import MOST_DELETED, find_project, lock_project
from docagent.store.engine.database import Database, OrgTx
from docagent.store.projects import projects
from docagent.store.projects.living_documents import LIVING_DOCUMENTS
from docagent.store.search import living_search

_UNCHANGED = Changes()


class LivingDocumentService:
    """Every use case looks for the project first, so the documents of a deleted project are out of reach.

    Writers lock the project, so that its documents change one at a time.
    """

    def __init__(self, db: Database, bus: Bus) -> None:
        self._db = db
        self._bus = bus

    # --- read -------------------------------------------------------------------------------------------------

    async def list(self, member: Member, project_id: str) -> Sequence[LivingDocument]:
        """The newest version of each document, by name."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await LIVING_DOCUMENTS.of_project(tx, project_id)

    async def entries(self, member: Member, project_id: str) -> Sequence[VersionEntry]:
        """The newest version of each document, by name, without the texts."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await LIVING_DOCUMENTS.entries(tx, project_id)

    async def get(
        self, member: Member, project_id: str, document_id: str, version: int | None = None
    ) -> LivingDocument:
        """The newest version, or the one that is asked for."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            newest = await find_living_document(tx, project_id, document_id)
            return newest if version is None else await _version(tx, newest, version)

    async def named(self, member: Member, project_id: str, name: str) -> LivingDocument | None:
        """The newest version of the document that has this name; case and spacing do not matter."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await LIVING_DOCUMENTS.named_in(tx, project_id, name) if is_storable(name) else None

    async def versions(self, member: Member, project_id: str, document_id: str) -> Sequence[VersionEntry]:
        """All versions, newest first, without their texts."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            found = (
                await LIVING_DOCUMENTS.history(tx, project_id, document_id) if is_id(document_id) else None
            )
            return existing(found or None, "Document not found", Noun.LIVING_DOCUMENT)

    async def likely(self, member: Member, project_id: str, words: Sequence[str]) -> Sequence[LivingDocument]:
        """The documents that hold most of the words, by the index. Words are folded as `search_words` folds them."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            places = {
                word: await living_search.holding(tx, word, [project_id], MOST_PLACES_OF_A_WORD)
                for word in words[:MOST_WORDS]
            }
            likely = most_promising(places, word_weights(places), PLACES_LOOKED_AT)
            return await LIVING_DOCUMENTS.several(tx, [place.document_id for place in likely])

    # --- write ------------------------------------------------------------------------------------------------

    async def create(
        self,
        member: Member,
        project_id: str,
        name: str,
        content: str = "",
        standing_instruction: str = "",
        *,
        written: Written = BY_USER,
    ) -> LivingDocument:
        """Make a document. Raises InvalidInput if the project has one of this name."""
        name = checked_name(name)
        values = _Values(content, standing_instruction, written)
        values.check()
        async with self._db.write_org(member.organization_id, long=True) as tx:
            await lock_project(tx, project_id)
            await refuse_taken(tx, project_id, name)
            made = await LIVING_DOCUMENTS.create(tx, project_id, name, values.columns, member.user_id)
            await projects.touch(tx, project_id, made.created_at)
            await announce_created(self._bus, tx, made)
        return made

    async def change(
        self,
        member: Member,
        project_id: str,
        document_id: str,
        changes: Changes,
        *,
        base_version: int | None,
        written: Written = BY_USER,
    ) -> LivingDocument:
        """Make the next version, or return the present one if nothing differs.

        Raises Outdated, with a merge as a proposal, if `base_version` is no longer the newest. Without it, the newest
        version is changed, whichever that is.
        """
        name = checked_name(changes.name) if changes.name is not None else None
        _Values(changes.content or "", changes.standing_instruction or "", written).check()
        async with self._db.write_org(member.organization_id, long=True) as tx:
            project = await lock_project(tx, project_id)
            current = await find_living_document(tx, project_id, document_id)
            if base_version in (None, current.version):
                return await _next(
                    self._bus, tx, member, project, current, replace(changes, name=name), written
                )
            known = base_version is not None and 1 <= base_version < current.version
            base = await LIVING_DOCUMENTS.version(tx, document_id, base_version) if known else None
        raise Outdated(_outdated(current, base_version), await _merged(base, changes.content, current))

    async def restore(
        self,
        member: Member,
        project_id: str,
        document_id: str,
        version: int,
        *,
        base_version: int | None = None,
        written: Written = BY_USER,
    ) -> LivingDocument:
        """Make a new version with the text and the standing instruction of an earlier one. The name stays."""
        _Values("", "", written).check()
        async with self._db.write_org(member.organization_id, long=True) as tx:
            project = await lock_project(tx, project_id)
            current = await find_living_document(tx, project_id, document_id)
            _check_base(current, base_version)
            former = await _version(tx, current, version)
            changes = Changes(None, former.content, former.standing_instruction)
            because = written.reason or f"Back to version {version}"
            written = replace(written, reason=because)
            return await _next(self._bus, tx, member, project, current, changes, written, version)

    async def delete(
        self,
        member: Member,
        project_id: str,
        document_id: str,
        *,
        base_version: int | None = None,
        written: Written = BY_USER,
    ) -> None:
        """Delete the document with all versions. Raises Conflict if a given `base_version` is no longer the newest."""
        async with self._db.write_org(member.organization_id) as tx:
            await lock_project(tx, project_id)
            current = await find_living_document(tx, project_id, document_id)
            _check_base(current, base_version)
            moment = now()
            await LIVING_DOCUMENTS.delete(tx, document_id, moment)
            await projects.touch(tx, project_id, moment)
            await announce_deleted(self._bus, tx, member, current, written)

    async def deleted(self, member: Member, project_id: str) -> Sequence[Deleted]:
        """Documents of the project that can still be brought back, the last deleted first."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await LIVING_DOCUMENTS.deleted(tx, project_id, MOST_DELETED)

    async def undelete(
        self, member: Member, project_id: str, document_id: str, *, written: Written = BY_USER
    ) -> LivingDocument:
        """Bring back a document with all versions. Raises Conflict if its name is taken or it is not deleted."""
        async with self._db.write_org(member.organization_id) as tx:
            back = await _brought_back(tx, project_id, document_id)
            if back is None:
                raise Conflict("The document is no longer deleted, or was removed permanently.")
            await announce_back(self._bus, tx, member, back, written)
            return back

    async def bring_back(self, member: Member, project_id: str, document_id: str) -> LivingDocument:
        """The same for a person, who may ask twice: a document that is not deleted stays as it is. Raises NotFound."""
        async with self._db.write_org(member.organization_id) as tx:
            back = await _brought_back(tx, project_id, document_id)
            if back is None:
                return await find_living_document(tx, project_id, document_id)
            await announce_back(self._bus, tx, member, back, BY_USER)
            return back


async def _brought_back(tx: OrgTx, project_id: str, document_id: str) -> LivingDocument | None:
    """The document; None if it is not deleted, or not there. Raises Conflict if its name is taken."""
    await lock_project(tx, project_id)
    if not is_id(document_id):
        return None
    name = await LIVING_DOCUMENTS.deleted_name(tx, project_id, document_id)
    if name is None:
        return None
    if await LIVING_DOCUMENTS.named_in(tx, project_id, name) is not None:
        raise Conflict(
            f"Another document of the project is named {quoted(name)} now. Rename or delete that one first."
        )
    back = await LIVING_DOCUMENTS.undelete(tx, document_id)
    assert back is not None  # the project is locked, so nobody else brought it back
    await projects.touch(tx, project_id, now())
    return back


async def find_living_document(tx: OrgTx, project_id: str, document_id: str) -> LivingDocument:
    """The newest version of a document of this project. Raises NotFound."""
    found = await LIVING_DOCUMENTS.in_project(tx, project_id, document_id)
    return existing(found, "Document not found", Noun.LIVING_DOCUMENT)


@dataclass(frozen=True, slots=True)
class _Values:
    """What is stored with a version."""

    content: str
    standing_instruction: str
    written: Written

    def check(self) -> None:
        check_text("The content", self.content, MOST_CONTENT_CHARACTERS)
        check_text("The standing instruction", self.standing_instruction, MOST_INSTRUCTION_CHARACTERS)
        check_text("The reason", self.written.reason, MOST_REASON_CHARACTERS)

    @property
    def columns(self) -> dict[str, str | None]:
        return {
            "content": self.content,
            "standing_instruction": self.standing_instruction,
            "author": self.written.author.value,
            "reason": self.written.reason,
            "turn_id": self.written.turn_id,
        }


async def _next(
    bus: Bus,
    tx: OrgTx,
    member: Member,
    project: Project,
    current: LivingDocument,
    changes: Changes,
    written: Written,
    restored_version: int | None = None,
) -> LivingDocument:
    changed = changed_fields(current, changes)
    if changed == _UNCHANGED:
        return current
    name = current.name if changed.name is None else changed.name
    if name_key(name) != name_key(current.name):
        await refuse_taken(tx, project.id, name)
    if changed.name is not None and not written.reason:
        written = replace(written, reason=f"Renamed from {quoted(current.name)}")
    values = _Values(
        current.content if changed.content is None else changed.content,
        current.standing_instruction
        if changed.standing_instruction is None
        else changed.standing_instruction,
        written,
    )
    made = await LIVING_DOCUMENTS.next_version(tx, current.id, name, values.columns, member.user_id)
    await projects.touch(tx, project.id, made.created_at)
    await announce_version(bus, tx, current, made, restored_version)
    return made


def changed_fields(current: LivingDocument, changes: Changes) -> Changes:
    """The changes that really change something."""

    def differing(new: str | None, old: str) -> str | None:
        return None if new == old else new

    return Changes(
        differing(changes.name, current.name),
        differing(changes.content, current.content),
        differing(changes.standing_instruction, current.standing_instruction),
    )


def _check_base(current: LivingDocument, base_version: int | None) -> None:
    if base_version not in (None, current.version):
        raise Conflict(_outdated(current, base_version))


def _outdated(current: LivingDocument, base_version: int | None) -> str:
    return (
        f"{quoted(current.name)} is at version {current.version}, and this change is based on version {base_version}. "
        "Nothing was changed. Read the newest version and make the change on top of it."
    )


async def _merged(
    base: LivingDocument | None, content: str | None, current: LivingDocument
) -> dict[str, Any] | None:
    """A text on top of the newest version, as a proposal; None if there is no text, or none that it is based on."""
    if base is None or content is None:
        return None
    made = await asyncio.to_thread(merge, base.content, content, current.content)
    return {
        "base_version": base.version,
        "version": current.version,
        "clean": made.text is not None,
        "content": made.text,
        "parts": None if made.text is not None else [_part(part) for part in made.parts],
    }


def _part(part: str | Clash) -> dict[str, str]:
    if isinstance(part, str):
        return {"text": part}
    return {"base": part.base, "mine": part.mine, "theirs": part.theirs}


async def _version(tx: OrgTx, newest: LivingDocument, version: int) -> LivingDocument:
    if version == newest.version:
        return newest
    found = await LIVING_DOCUMENTS.version(tx, newest.id, version) if 1 <= version < newest.version else None
    return existing(
        found, f"Version not found: {quoted(newest.name)} has the versions 1 to {newest.version}."
    )


async def refuse_taken(tx: OrgTx, project_id: str, name: str) -> None:
    """Refuse a name that is taken. The project is locked, so nobody else can take the name meanwhile."""
    if (taken := await LIVING_DOCUMENTS.named_in(tx, project_id, name)) is not None:
        raise InvalidInput(
            f"The project already has a document named '{taken.name}'. "
            "Choose another name, or change that document."
        )
