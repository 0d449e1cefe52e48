"""Queries on what was learnt from verified documents: memories by document and prompt, found by their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.store.engine import OrgTx
from docagent.store.tables import documents, learning_switches, learnt_documents, learnt_layouts
from docagent.store.upsert import insert_or


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one verified document taught about a prompt's fields."""

    document_id: str
    document_name: str
    signature: list[int]
    memories: dict[str, Any]
    """By path, as the built-in model keeps them."""
    record: dict[str, dict[str, bool]]
    """By path, and other document of the layout: whether the two agree."""
    learnt_at: datetime


async def is_on(tx: OrgTx) -> bool:
    row = await tx.first(sa.select(learning_switches.c.is_on))
    return row is None or bool(row.is_on)


async def switch(tx: OrgTx, on: bool) -> None:
    insert = insert_or(tx, learning_switches).values(organization_id=tx.organization_id, is_on=on)
    await tx.execute(
        insert.on_conflict_do_update(
            index_elements=[learning_switches.c.organization_id],
            set_={"is_on": on},
            where=learning_switches.c.organization_id == tx.organization_id,
        )
    )


async def keep(
    tx: OrgTx,
    prompt_id: str,
    document_id: str,
    signature: Sequence[int],
    bands: Sequence[int],
    memories: Mapping[str, Any],
    now: datetime,
) -> None:
    """Keep a document's lesson in place of the one that it taught before."""
    await forget(tx, prompt_id, document_id)
    await tx.execute(
        sa.insert(learnt_documents).values(
            document_id=document_id,
            prompt_id=prompt_id,
            signature=list(signature),
            memories=dict(memories),
            record={},
            learnt_at=now,
        )
    )
    if bands:
        rows = [{"document_id": document_id, "prompt_id": prompt_id, "band": band} for band in set(bands)]
        await tx.execute(sa.insert(learnt_layouts), rows)


async def forget(tx: OrgTx, prompt_id: str | None = None, document_id: str | None = None) -> int:
    """Forget one document's lesson, a prompt's, or all. Returns how many documents are forgotten."""
    layouts, lessons = sa.delete(learnt_layouts), sa.delete(learnt_documents)
    if prompt_id is not None:
        layouts = layouts.where(learnt_layouts.c.prompt_id == prompt_id)
        lessons = lessons.where(learnt_documents.c.prompt_id == prompt_id)
    if document_id is not None:
        layouts = layouts.where(learnt_layouts.c.document_id == document_id)
        lessons = lessons.where(learnt_documents.c.document_id == document_id)
    await tx.execute(layouts)
    return int((await tx.execute(lessons)).rowcount)


async def alike(tx: OrgTx, prompt_id: str, bands: Sequence[int], most: int) -> list[Lesson]:
    """The lessons whose layouts share most bands with these."""
    found = learnt_layouts.c
    shared = (
        sa.select(found.document_id, sa.func.count().label("shared"))
        .where(found.organization_id == tx.organization_id, found.prompt_id == prompt_id)
        .where(found.band.in_(list(bands)))
        .group_by(found.document_id)
        .order_by(sa.desc("shared"), found.document_id.desc())
        .limit(most)
        .subquery()
    )
    statement = _lessons(prompt_id).join(shared, shared.c.document_id == learnt_documents.c.document_id)
    return [_lesson(row) for row in await tx.rows(statement)]


async def has_lessons(tx: OrgTx, prompt_id: str) -> bool:
    found = learnt_documents.c
    return (
        await tx.first(sa.select(found.document_id).where(found.prompt_id == prompt_id).limit(1)) is not None
    )


async def get(tx: OrgTx, prompt_id: str, document_id: str) -> Lesson | None:
    row = await tx.first(_lessons(prompt_id).where(learnt_documents.c.document_id == document_id))
    return _lesson(row) if row else None


async def of_prompt(tx: OrgTx, prompt_id: str, most: int) -> list[Lesson]:
    """A prompt's lessons, the newest first."""
    statement = _lessons(prompt_id).order_by(
        learnt_documents.c.learnt_at.desc(), learnt_documents.c.document_id.desc()
    )
    return [_lesson(row) for row in await tx.rows(statement.limit(most))]


async def set_record(
    tx: OrgTx, prompt_id: str, document_id: str, record: Mapping[str, Mapping[str, bool]]
) -> None:
    await tx.execute(
        sa.update(learnt_documents)
        .where(learnt_documents.c.prompt_id == prompt_id, learnt_documents.c.document_id == document_id)
        .values(record={path: dict(judges) for path, judges in record.items()})
    )


def _lessons(prompt_id: str) -> sa.Select[Any]:
    return (
        sa.select(learnt_documents, documents.c.name.label("document_name"))
        .join(documents, documents.c.id == learnt_documents.c.document_id)
        .where(learnt_documents.c.prompt_id == prompt_id, documents.c.deleted_at.is_(None))
    )


def _lesson(row: Any) -> Lesson:
    return Lesson(row.document_id, row.document_name, row.signature, row.memories, row.record, row.learnt_at)
