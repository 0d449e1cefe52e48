"""A project's documents from files and as files. An import is looked at first, and then written as a whole."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict
from docagent.domain.projects.project_files import NAMES_FILE, archive_paths, names_no_file_has
from docagent.domain.projects.projects import (
    MOST_REASON_CHARACTERS,
    Changes,
    Project,
    VersionEntry,
    Written,
    name_key,
)
from docagent.export import ArchivedFile, zipped
from docagent.services.projects.living_documents import LivingDocumentService
from docagent.services.projects.projects import find_project, lock_project
from docagent.services.projects.uploaded_texts import ReadText, UploadedFile, read_texts
from docagent.store.engine.database import Database, OrgTx
from docagent.store.projects.living_documents import LIVING_DOCUMENTS

MOST_CHARACTERS_AT_ONCE = 1_000_000
"""Of texts that are read together for an export."""
CHARACTERS_OF_A_ROW = 1000
"""What a short text counts as, so that there are not too many of them."""
CHANGED_MEANWHILE = (
    "The project or the files have changed since they were looked at. Nothing was imported. Look again."
)


class Outcome(StrEnum):
    NEW = "new"
    EXISTS = "exists"
    """The project has a document of this name with another text."""
    UNCHANGED = "unchanged"
    """The project has this document with this text."""
    REFUSED = "refused"


class Existing(StrEnum):
    """What becomes of a file whose name a document has already."""

    VERSION = "version"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class ImportedFile:
    path: str
    name: str
    outcome: Outcome
    reason: str | None = None
    """Why it is refused."""
    document_id: str | None = None
    version: int | None = None
    """The newest version of the document; none before a new one is written."""
    is_written: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    files: Sequence[ImportedFile]
    seen: str
    """Stands for the files and for what the project had of them: the same if both are the same."""


class ProjectFileService:
    def __init__(self, db: Database, documents: LivingDocumentService) -> None:
        self._db = db
        self._documents = documents

    async def look(self, member: Member, project_id: str, files: Sequence[UploadedFile]) -> Import:
        """Tell what an import of these files would do."""
        read = await asyncio.to_thread(read_texts, files)
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            return await _looked_at(tx, project_id, read)

    async def bring_in(
        self,
        member: Member,
        project_id: str,
        files: Sequence[UploadedFile],
        *,
        existing: Existing,
        seen: str | None,
    ) -> Import:
        """Write all files that are not refused, or none. Raises Conflict if they are not what was `seen`."""
        read = await asyncio.to_thread(read_texts, files)
        async with self._db.write_org(member.organization_id, long=True) as tx:
            await lock_project(tx, project_id)
            found = await _looked_at(tx, project_id, read)
            if seen is not None and seen != found.seen:
                raise Conflict(CHANGED_MEANWHILE)
            with tx.joined():
                written = [
                    await self._written(member, project_id, file, text, existing)
                    for file, text in zip(found.files, read, strict=True)
                ]
        return replace(found, files=written)

    async def _written(
        self, member: Member, project_id: str, file: ImportedFile, read: ReadText, existing: Existing
    ) -> ImportedFile:
        by = Written(reason=f"Imported from {file.path}"[:MOST_REASON_CHARACTERS])
        if file.outcome is Outcome.NEW:
            made = await self._documents.create(member, project_id, file.name, read.text, written=by)
        elif file.outcome is Outcome.EXISTS and existing is Existing.VERSION:
            assert file.document_id is not None
            changes = Changes(content=read.text)
            made = await self._documents.change(
                member, project_id, file.document_id, changes, base_version=file.version, written=by
            )
        else:
            return file
        return replace(file, document_id=made.id, version=made.version, is_written=True)

    async def export(self, member: Member, project_id: str) -> tuple[Project, AsyncIterator[bytes]]:
        """The project, and its documents as a zip in chunks. Each text is read when its turn comes."""
        async with self._db.read_org(member.organization_id) as tx:
            project = await find_project(tx, project_id)
            entries = await LIVING_DOCUMENTS.entries(tx, project_id)
        names = [entry.name for entry in entries]
        paths = archive_paths(names)
        texts = _Texts(self._db, member, entries)
        files = [
            ArchivedFile(path, entry.created_at, partial(texts.of, entry.revid))
            for path, entry in zip(paths, entries, strict=True)
        ]
        if unlike := names_no_file_has(names, paths):
            said = orjson.dumps(unlike, option=orjson.OPT_INDENT_2)
            files.insert(0, ArchivedFile(NAMES_FILE, now(), partial(_chunk, said)))
        return project, zipped(files)


class _Texts:
    """The texts of a project in the order of its entries, some read at once, and no more in memory."""

    def __init__(self, db: Database, member: Member, entries: Sequence[VersionEntry]) -> None:
        self._db = db
        self._organization_id = member.organization_id
        self._to_come = deque((entry.revid, entry.characters) for entry in entries)
        self._read: dict[str, str] = {}

    async def of(self, revid: str) -> AsyncGenerator[bytes]:
        if revid not in self._read:
            revids: list[str] = []
            characters = 0
            while self._to_come and (not revids or characters < MOST_CHARACTERS_AT_ONCE):
                next_revid, length = self._to_come.popleft()
                revids.append(next_revid)
                characters += length + CHARACTERS_OF_A_ROW
            async with self._db.read_org(self._organization_id, long=True) as tx:
                self._read = await LIVING_DOCUMENTS.texts(tx, revids)
        yield self._read.pop(revid).encode()


async def _chunk(content: bytes) -> AsyncGenerator[bytes]:
    yield content


async def _looked_at(tx: OrgTx, project_id: str, read: Sequence[ReadText]) -> Import:
    wanted = {name_key(one.name): len(one.text) for one in read if one.refused is None}
    entries = {name_key(entry.name): entry for entry in await LIVING_DOCUMENTS.entries(tx, project_id)}
    # Texts of another length differ, so they need not be read: there may be many long ones.
    alike = [entry.id for key, entry in entries.items() if wanted.get(key) == entry.characters]
    texts = {document.id: document.content for document in await LIVING_DOCUMENTS.several(tx, alike)}
    files = [_outcome(one, entries.get(name_key(one.name)), texts) for one in read]
    return Import(files, _stands_for(files, read))


def _outcome(read: ReadText, entry: VersionEntry | None, texts: Mapping[str, str]) -> ImportedFile:
    if read.refused is not None:
        return ImportedFile(read.path, read.name, Outcome.REFUSED, read.refused)
    if entry is None:
        return ImportedFile(read.path, read.name, Outcome.NEW)
    outcome = Outcome.UNCHANGED if texts.get(entry.id) == read.text else Outcome.EXISTS
    return ImportedFile(read.path, entry.name, outcome, None, entry.id, entry.version)


def _stands_for(files: Sequence[ImportedFile], read: Sequence[ReadText]) -> str:
    sums = hashlib.sha256()
    for file, one in zip(files, read, strict=True):
        text = hashlib.sha256(one.text.encode()).hexdigest()
        sums.update(orjson.dumps([file.path, file.name, file.outcome, file.document_id, file.version, text]))
    return sums.hexdigest()[:32]
