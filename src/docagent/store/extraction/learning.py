"""Queries on what was learnt from verified documents: memories by document and prompt, found by their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.learning_switches import LearningSwitches
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import HELD, held
from docagent.store.engine.upsert import put
from docagent.store.mapping import Mapped
from docagent.store.tables import documents, learning_switches, learnt_documents, learnt_layouts

MOST_BANDS = 20
_NO_BAND = -1
_PROMPT: sa.BindParameter[str] = sa.bindparam("of_prompt")


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


def _lessons_of(prompt_id: Any) -> sa.Select[Any]:
    return (
        sa.select(learnt_documents, documents.c.name.label("document_name"))
        .join(documents, documents.c.id == learnt_documents.c.document_id)
        .where(learnt_documents.c.prompt_id == prompt_id, documents.c.deleted_at.is_(None))
    )


def _alike() -> sa.Select[Any]:
    """Every extraction asks this, so it is built once, with a place for each band."""
    found = learnt_layouts.c
    shared = (
        sa.select(found.document_id, sa.func.count().label("shared"))
        .where(found.organization_id == HELD, found.prompt_id == _PROMPT)
        .where(found.band.in_([sa.bindparam(f"band_{number}") for number in range(MOST_BANDS)]))
        .where(found.document_id != sa.bindparam("besides"))
        .group_by(found.document_id)
        .order_by(sa.desc("shared"), found.document_id.desc())
        .limit(sa.bindparam("most"))
        .subquery()
    )
    return _lessons_of(_PROMPT).join(shared, shared.c.document_id == learnt_documents.c.document_id)


_ALIKE = held(_alike())
_SWITCHES = held(sa.select(learning_switches.c.is_on, learning_switches.c.examples_on))
_ANY = held(sa.select(learnt_documents.c.document_id).where(learnt_documents.c.prompt_id == _PROMPT).limit(1))


_SWITCHED = Mapped(LearningSwitches, learning_switches)
_LESSON = Mapped(Lesson, learnt_documents, joined=("document_name",), besides=("prompt_id",))


async def switches(tx: OrgTx) -> LearningSwitches:
    row = await tx.first(_SWITCHES)
    return _SWITCHED.of(row) if row else LearningSwitches()


async def switch(tx: OrgTx, wanted: LearningSwitches) -> None:
    await put(tx, learning_switches, _SWITCHED.values(wanted))


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
    lesson = Lesson(document_id, "", list(signature), dict(memories), {}, now)
    await _LESSON.insert(tx, lesson, prompt_id=prompt_id)
    if bands:
        rows = [{"document_id": document_id, "prompt_id": prompt_id, "band": band} for band in set(bands)]
        await tx.execute(sa.insert(learnt_layouts), rows)


async def forget(tx: OrgTx, prompt_id: str | None = None, document_id: str | None = None) -> int:
    """Forget one document's lesson, a prompt's, or all. Returns how many documents are forgotten."""
    given = {"prompt_id": prompt_id, "document_id": document_id}
    wanted = {name: value for name, value in given.items() if value is not None}
    await tx.execute(sa.delete(learnt_layouts).filter_by(**wanted))
    return int((await tx.execute(sa.delete(learnt_documents).filter_by(**wanted))).rowcount)


async def alike(
    tx: OrgTx, prompt_id: str, bands: Sequence[int], most: int, besides: str = ""
) -> list[Lesson]:
    """The lessons whose layouts share most bands with these, without that of one document."""
    padded = [*bands[:MOST_BANDS], *[_NO_BAND] * (MOST_BANDS - len(bands))]
    asked = {"of_prompt": prompt_id, "most": most, "besides": besides}
    asked |= {f"band_{number}": band for number, band in enumerate(padded)}
    return _LESSON.each(await tx.rows(_ALIKE, asked))


async def has_lessons(tx: OrgTx, prompt_id: str) -> bool:
    return await tx.first(_ANY, {"of_prompt": prompt_id}) is not None


async def get(tx: OrgTx, prompt_id: str, document_id: str) -> Lesson | None:
    return _LESSON.found(
        await tx.first(_lessons_of(prompt_id).where(learnt_documents.c.document_id == document_id))
    )


async def of_prompt(tx: OrgTx, prompt_id: str, most: int) -> list[Lesson]:
    """A prompt's lessons, the newest first."""
    statement = _lessons_of(prompt_id).order_by(
        learnt_documents.c.learnt_at.desc(), learnt_documents.c.document_id.desc()
    )
    return _LESSON.each(await tx.rows(statement.limit(most)))


async def set_record(
    tx: OrgTx, prompt_id: str, document_id: str, record: Mapping[str, Mapping[str, bool]]
) -> None:
    await tx.execute(
        sa.update(learnt_documents)
        .where(learnt_documents.c.prompt_id == prompt_id, learnt_documents.c.document_id == document_id)
        .values(record={path: dict(judges) for path, judges in record.items()})
    )
