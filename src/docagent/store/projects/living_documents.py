"""Queries on the living documents of projects. Callers must find the project first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.artefacts import NameTaken
from docagent.domain.ids import new_id
from docagent.domain.projects.projects import Deleted, LivingDocument, VersionEntry, name_key
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import insert_or
from docagent.store.extraction.revisions import Revisions, Values, version_of
from docagent.store.listing import contains
from docagent.store.mapping import Mapped
from docagent.store.tables import living_document_revisions, living_documents

_ENTRY = Mapped(
    VersionEntry,
    living_document_revisions,
    columns={"id": "head_id", "revid": "id"},
    joined=("name", "project_id", "characters"),
    besides=("content",),
)


class LivingDocuments(Revisions[LivingDocument]):
    """Queries on living documents, whose names are unique within a project."""

    async def create(
        self, tx: OrgTx, project_id: str, name: str, values: Values, created_by: str
    ) -> LivingDocument:
        """Raises NameTaken."""
        revid, heads = new_id(), self.heads
        statement = (
            insert_or(tx, heads)
            .values(id=new_id(), project_id=project_id, version=1, latest_revid=revid, **self._naming(name))
            .on_conflict_do_nothing(
                index_elements=[heads.c.project_id, heads.c.name_key],
                index_where=heads.c.deleted_at.is_(None),
            )
            .returning(heads.c.id, heads.c.version)
        )
        head = (await tx.execute(statement)).first()
        if head is None:
            raise NameTaken(name)
        return await self._add(tx, head, revid, values, created_by)

    async def in_project(self, tx: OrgTx, project_id: str, document_id: str) -> LivingDocument | None:
        """The newest version of the document, if it is in the project."""
        return await self._first(tx, document_id, self._latest(tx).where(*self._is(project_id, document_id)))

    async def named_in(self, tx: OrgTx, project_id: str, name: str) -> LivingDocument | None:
        key = self.name_key(name)
        return await self._first(
            tx,
            project_id,
            self._latest(tx).where(self.heads.c.project_id == project_id, self.heads.c.name_key == key),
        )

    async def of_project(self, tx: OrgTx, project_id: str) -> list[LivingDocument]:
        """The newest version of each document, by name."""
        statement = self._latest(tx).where(self.heads.c.project_id == project_id)
        return self.mapped.each(await tx.rows(statement.order_by(*self._by_name)))

    async def containing(self, tx: OrgTx, project_id: str, *texts: str) -> list[LivingDocument]:
        """The newest version of each document that contains one of the texts, by name."""
        statement = self._latest(tx).where(
            self.heads.c.project_id == project_id,
            sa.or_(*(contains(self.revisions.c.content, text) for text in texts)),
        )
        return self.mapped.each(await tx.rows(statement.order_by(*self._by_name)))

    async def entries(self, tx: OrgTx, project_id: str) -> list[VersionEntry]:
        """The newest version of each document, by name, without the texts."""
        statement = self._latest(tx).where(self.heads.c.project_id == project_id)
        return await _entries(tx, statement.order_by(*self._by_name))

    async def history(self, tx: OrgTx, project_id: str, document_id: str) -> list[VersionEntry]:
        """All versions, newest first, without the texts."""
        statement = self._every(tx).where(*self._is(project_id, document_id))
        return await _entries(tx, statement.order_by(self.revisions.c.version.desc()))

    async def deleted(self, tx: OrgTx, project_id: str, limit: int) -> list[Deleted]:
        """Deleted documents of a project, the last deleted first."""
        heads = self.heads.c
        statement = sa.select(heads.id, heads.name, heads.deleted_at).where(
            heads.project_id == project_id, heads.deleted_at.is_not(None)
        )
        rows = await tx.rows(statement.order_by(heads.deleted_at.desc(), heads.id).limit(limit))
        return [Deleted(row.id, row.name, row.deleted_at) for row in rows]

    async def deleted_name(self, tx: OrgTx, project_id: str, document_id: str) -> str | None:
        """The name of a deleted document; None when it is not deleted."""
        name: str | None = await tx.scalar(
            sa.select(self.heads.c.name).where(
                *self._is(project_id, document_id), self.heads.c.deleted_at.is_not(None)
            )
        )
        return name

    async def texts(self, tx: OrgTx, revids: Sequence[str]) -> dict[str, str]:
        """The texts of versions, also of those whose document was deleted since it was listed."""
        statement = sa.select(self.revisions.c.id, self.revisions.c.content)
        rows = await tx.rows(statement.where(self.revisions.c.id.in_(revids)))
        return {row.id: row.content for row in rows}

    async def move(self, tx: OrgTx, document_id: str, project_id: str, name: str) -> None:
        """Put a document with its versions into another project. Raises NameTaken."""
        await self._change(tx, document_id, name, {"project_id": project_id} | self._naming(name))

    async def copy(self, tx: OrgTx, document: LivingDocument, project_id: str, name: str) -> str:
        """Copy a document with its versions into a project, under a name that is free; return the id of the copy."""
        copy_id = new_id()
        revids = {version: new_id() for version in range(1, document.version + 1)}
        head = {
            "project_id": project_id,
            "version": document.version,
            "latest_revid": revids[document.version],
        }
        await tx.execute(sa.insert(self.heads).values(id=copy_id, **head, **self._naming(name)))
        # One after the other and in their order: texts may be long, and the one that comes last is searched.
        for version, revid in revids.items():
            former = sa.select(self.revisions).where(
                self.revisions.c.head_id == document.id, self.revisions.c.version == version
            )
            row = (await tx.execute(former)).one()
            values = {**row._mapping, "id": revid, "head_id": copy_id}
            await tx.execute(sa.insert(self.revisions).values(**values))
        return copy_id

    @property
    def _by_name(self) -> tuple[sa.ColumnElement[Any], ...]:
        return self.heads.c.name_folded, self.heads.c.id

    def _is(self, project_id: str, document_id: str) -> tuple[sa.ColumnElement[bool], ...]:
        return self.heads.c.id == document_id, self.heads.c.project_id == project_id


async def _entries(tx: OrgTx, statement: sa.Select[Any]) -> list[VersionEntry]:
    versions = living_document_revisions.c
    columns: Sequence[sa.ColumnElement[Any]] = [
        living_documents.c.name,
        living_documents.c.project_id,
        *(column for column in versions if column is not versions.content),
        sa.func.length(versions.content).label("characters"),
    ]
    return _ENTRY.each(await tx.rows(statement.with_only_columns(*columns)))


LIVING_DOCUMENTS = LivingDocuments(
    living_documents,
    living_document_revisions,
    name_key=name_key,
    mapped=version_of(LivingDocument, living_document_revisions, joined=["project_id"]),
    of_head=[living_documents.c.project_id],
)
