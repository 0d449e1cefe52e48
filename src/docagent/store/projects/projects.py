"""Queries on projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from docagent.domain.extraction.artefacts import NameTaken
from docagent.domain.ids import is_id
from docagent.domain.listing import Found, ListQuery
from docagent.domain.projects.projects import Deleted, Project, name_key
from docagent.store.batches import some
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.upsert import insert_or
from docagent.store.listing import name_search, one_page
from docagent.store.mapping import Mapped
from docagent.store.tables import living_documents, permission_rules, projects, threads, turns

_LIVE = projects.c.deleted_at.is_(None)
_PROJECT = Mapped(Project, projects, joined=("document_count",), besides=("name_key",))


async def insert(tx: OrgTx, project: Project) -> None:
    """Raises NameTaken."""
    statement = (
        insert_or(tx, projects)
        .values(**_PROJECT.values(project, name_key=name_key(project.name)))
        .on_conflict_do_nothing(
            index_elements=[projects.c.organization_id, projects.c.name_key], index_where=_LIVE
        )
        .returning(projects.c.id)
    )
    if (await tx.execute(statement)).first() is None:
        raise NameTaken(project.name)


async def get(tx: OrgTx, project_id: str) -> Project | None:
    found = _select(tx).where(projects.c.id == project_id, _LIVE)
    return _PROJECT.found(await tx.first(found)) if is_id(project_id) else None


async def lock(tx: OrgTx, project_id: str) -> bool:
    """Lock a live project until the transaction ends, so that its contents change one at a time."""
    statement = sa.select(projects.c.id).where(projects.c.id == project_id, _LIVE)
    return await tx.first(statement.with_for_update(key_share=True)) is not None


async def named(tx: OrgTx, name: str) -> Project | None:
    return _PROJECT.found(await tx.first(_select(tx).where(projects.c.name_key == name_key(name), _LIVE)))


async def names(tx: OrgTx, project_ids: Sequence[str]) -> dict[str, str]:
    """The names of these projects, by id; ids that are no live project here are left out."""
    statement = sa.select(projects.c.id, projects.c.name).where(projects.c.id.in_(project_ids), _LIVE)
    return {row.id: row.name for row in await tx.rows(statement)}


async def search(tx: OrgTx, text: str | None, query: ListQuery) -> Found[Project]:
    """Projects, last changed first. `text` is looked for in the names."""
    statement = _select(tx).where(_LIVE)
    ordering: list[sa.ColumnElement[Any]] = [projects.c.updated_at.desc(), projects.c.id.desc()]
    if text:
        matches, rank = name_search(projects.c.name_folded, text)
        statement = statement.where(matches)
        ordering = [rank, *ordering]
    rows, total = await one_page(tx, statement, ordering, query)
    return Found(_PROJECT.each(rows), total, query.skip)


async def update(tx: OrgTx, project_id: str, values: Mapping[str, Any]) -> None:
    """Raises NameTaken."""
    if "name" in values:
        values = {**values, "name_key": name_key(values["name"])}
    try:
        await _PROJECT.change(tx, project_id, values)
    except IntegrityError as error:
        raise NameTaken(values.get("name", "")) from error


async def touch(tx: OrgTx, project_id: str, moment: datetime) -> None:
    """Record that something in the project changed."""
    await update(tx, project_id, {"updated_at": moment})


async def deleted(tx: OrgTx, limit: int) -> list[Deleted]:
    """Deleted projects, the last deleted first."""
    statement = sa.select(projects.c.id, projects.c.name, projects.c.deleted_at).where(
        projects.c.deleted_at.is_not(None)
    )
    rows = await tx.rows(statement.order_by(projects.c.deleted_at.desc(), projects.c.id).limit(limit))
    return [Deleted(row.id, row.name, row.deleted_at) for row in rows]


async def purge(tx: Tx, deleted_before: datetime, limit: int = 100) -> int:
    """Permanently remove some living documents and projects that were deleted before the given time. Returns how many.

    With a project go its conversations and what was remembered for it.
    """
    texts = await tx.across(
        some(living_documents, living_documents.c.deleted_at < deleted_before, limit=limit)
    )
    found = sa.select(projects.c.id).where(projects.c.deleted_at < deleted_before).limit(limit)
    purged = [row.id for row in await tx.across(found)]
    for table in (turns, threads, permission_rules):
        await tx.across(sa.delete(table).where(table.c.project_id.in_(purged)))
    await tx.across(sa.delete(projects).where(projects.c.id.in_(purged)))
    return texts.rowcount + len(purged)


async def deleted_name(tx: OrgTx, project_id: str) -> str | None:
    """The name of a deleted project; None if it is not deleted."""
    name: str | None = await tx.scalar(
        sa.select(projects.c.name).where(projects.c.id == project_id, projects.c.deleted_at.is_not(None))
    )
    return name


def _select(tx: OrgTx) -> sa.Select[Any]:
    count = (
        sa.select(sa.func.count())
        .select_from(living_documents)
        .where(
            living_documents.c.organization_id == tx.organization_id,
            living_documents.c.project_id == projects.c.id,
            living_documents.c.deleted_at.is_(None),
        )
        .correlate(projects)
        .scalar_subquery()
    )
    return sa.select(projects, count.label("document_count"))
