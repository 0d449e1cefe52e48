"""Queries on extraction results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.extraction.doubts import Standing, certainty_of, unsure_of
from docagent.domain.extraction.results import Origin, Result, RunInfo
from docagent.domain.field_path import FieldPath
from docagent.domain.ids import new_id
from docagent.domain.problem import Problem
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import insert_or
from docagent.store.mapping import Mapped
from docagent.store.tables import documents, extraction_results, extraction_revisions

NEWEST = sa.and_(
    extraction_revisions.c.result_id == extraction_results.c.id,
    extraction_revisions.c.number == extraction_results.c.revision,
)
"""Joins a result with its newest revision."""


@dataclass(frozen=True, slots=True)
class NewRevision:
    """A revision that is about to be written."""

    origin: Origin
    model_data: dict[str, Any]
    data: dict[str, Any]
    is_verified: bool
    verified_paths: Sequence[FieldPath]
    problems: Sequence[Problem]
    grounding: Any
    run: RunInfo
    created_by: str
    is_rejected: bool = False
    auto_verified: bool = False

    @property
    def is_edited(self) -> bool:
        return self.origin is not Origin.MODEL and self.data != self.model_data

    @property
    def standing(self) -> Standing:
        if self.is_rejected:
            return Standing.REJECTED
        if self.is_verified:
            return Standing.VERIFIED
        return Standing.AUTO if self.auto_verified else Standing.OPEN


@dataclass(frozen=True, slots=True)
class RevisionHeader:
    number: int
    origin: Origin
    created_at: datetime
    created_by: str


async def add(
    tx: OrgTx,
    *,
    document_id: str,
    prompt_revid: str,
    prompt_id: str,
    prompt_version: int,
    new: NewRevision,
    now: datetime,
    proposed: bool = False,
    unless_since: datetime | None = None,
) -> Result | None:
    """Write the next revision. The first one also makes the head. A revision that is not proposed accepts the head.

    None if somebody has written a revision after `unless_since`: then nothing is written.
    """
    judged = {"certainty": certainty_of(new), "unsure": unsure_of(new), "standing": new.standing}
    is_older = []
    if unless_since is not None:
        is_older = [extraction_results.c.proposed | (extraction_results.c.updated_at <= unless_since)]
    insert = insert_or(tx, extraction_results).values(
        id=new_id(),
        document_id=document_id,
        prompt_revid=prompt_revid,
        prompt_id=prompt_id,
        prompt_version=prompt_version,
        revision=1,
        created_at=now,
        updated_at=now,
        proposed=proposed,
        **judged,
    )
    head = (
        await tx.execute(
            insert.on_conflict_do_update(
                index_elements=[extraction_results.c.document_id, extraction_results.c.prompt_revid],
                set_={
                    "revision": extraction_results.c.revision + 1,
                    "updated_at": now,
                    **judged,
                    "proposed": sa.and_(extraction_results.c.proposed, insert.excluded.proposed),
                },
                where=sa.and_(extraction_results.c.organization_id == tx.organization_id, *is_older),
            ).returning(extraction_results.c.id, extraction_results.c.revision)
        )
    ).first()
    if head is None:
        return None
    await tx.execute(
        sa.insert(extraction_revisions).values(
            **_REVISION.values(
                new,
                result_id=head.id,
                number=head.revision,
                created_at=now,
                verified_paths=[str(path) for path in new.verified_paths],
                problems=[problem.as_json() for problem in new.problems],
            )
        )
    )
    row = await tx.first(_heads(document_id).where(extraction_results.c.prompt_revid == prompt_revid))
    if row is None:
        raise LookupError(head.id)
    return _RESULT.of(row)


async def get(tx: OrgTx, document_id: str, prompt_revid: str, *, lock: bool = False) -> Result | None:
    """`lock` keeps others from adding a revision until the transaction ends."""
    statement = _newest(tx, document_id).where(extraction_results.c.prompt_revid == prompt_revid)
    return _RESULT.found(
        await tx.first(statement.with_for_update(of=extraction_results) if lock else statement)
    )


async def lock(tx: OrgTx, prompt_id: str, document_ids: Collection[str]) -> set[str]:
    """Keep others from adding a revision to what documents have of a prompt, until the transaction ends.

    Whoever changes several results locks all of them first, here: in one order, two never wait for each other.
    Returns the documents that are there: nothing is added to what a deleted one has.
    """
    theirs = (extraction_results.c.prompt_id == prompt_id, extraction_results.c.document_id.in_(document_ids))
    found = sa.select(extraction_results.c.id).where(*theirs).order_by(extraction_results.c.id)
    await tx.rows(found.with_for_update())
    there = sa.select(documents.c.id).where(
        documents.c.id.in_(document_ids), documents.c.deleted_at.is_(None)
    )
    return {row.id for row in await tx.rows(there)}


async def newest_of_prompt(tx: OrgTx, document_id: str, prompt_id: str) -> Result | None:
    """The result of the highest version of the prompt that has one."""
    return _RESULT.found(
        await tx.first(
            _newest(tx, document_id)
            .where(extraction_results.c.prompt_id == prompt_id)
            .order_by(extraction_results.c.prompt_version.desc(), extraction_results.c.id.desc())
            .limit(1)
        )
    )


async def all_of(tx: OrgTx, document_id: str) -> list[Result]:
    return _RESULT.each(await tx.rows(_newest(tx, document_id).order_by(extraction_results.c.id)))


async def versions_done(tx: OrgTx, document_ids: Sequence[str]) -> dict[tuple[str, str], int]:
    """For each document and prompt, the highest version that has a result."""
    found = extraction_results.c
    rows = await tx.rows(
        sa.select(found.document_id, found.prompt_id, sa.func.max(found.prompt_version).label("version"))
        .where(found.document_id.in_(document_ids), ~found.proposed)
        .group_by(found.document_id, found.prompt_id)
    )
    return {(row.document_id, row.prompt_id): row.version for row in rows}


async def revisions(tx: OrgTx, result_id: str) -> list[RevisionHeader]:
    found = extraction_revisions.c
    rows = await tx.rows(
        sa.select(found.number, found.origin, found.created_at, found.created_by)
        .where(found.result_id == result_id)
        .order_by(found.number.desc())
    )
    return [RevisionHeader(row.number, Origin(row.origin), row.created_at, row.created_by) for row in rows]


async def data_of_revision(tx: OrgTx, result_id: str, number: int) -> dict[str, Any] | None:
    row = await tx.first(sa.select(extraction_revisions.c.data).where(*_is(result_id, number)))
    return row.data if row else None


async def revid_of(tx: OrgTx, result_id: str) -> str | None:
    """The prompt revision that a result is of; None if there is no such result."""
    row = await tx.first(
        sa.select(extraction_results.c.prompt_revid).where(extraction_results.c.id == result_id)
    )
    return row.prompt_revid if row else None


async def revision(tx: OrgTx, result_id: str, number: int) -> NewRevision | None:
    """Everything that a revision holds, ready to be written again."""
    return await _REVISION.first(tx, *_is(result_id, number))


async def unchanged(
    tx: OrgTx, document_id: str, prompt_revid: str, number: int
) -> tuple[Result, NewRevision] | None:
    """A result and what it holds, if this is still its newest revision. It stays so until the transaction ends."""
    current = await get(tx, document_id, prompt_revid, lock=True)
    seen = await revision(tx, current.id, number) if current and current.revision == number else None
    return (current, seen) if current and seen else None


def _is(result_id: str, number: int) -> tuple[sa.ColumnElement[bool], ...]:
    return extraction_revisions.c.result_id == result_id, extraction_revisions.c.number == number


async def documents_with(tx: OrgTx, prompt_id: str) -> int:
    """How many live documents have a result of any version of the prompt."""
    found = extraction_results.c
    statement = (
        sa.select(sa.func.count(found.document_id.distinct()))
        .join_from(extraction_results, documents, documents.c.id == found.document_id)
        .where(found.prompt_id == prompt_id, documents.c.deleted_at.is_(None), ~found.proposed)
    )
    return int(await tx.scalar(statement))


async def is_accepted(tx: OrgTx, document_id: str, prompt_revid: str) -> bool:
    """Whether there is a result of this prompt version that is no mere proposal."""
    found = extraction_results.c
    there = sa.select(found.id).where(
        found.document_id == document_id, found.prompt_revid == prompt_revid, ~found.proposed
    )
    return await tx.first(there) is not None


async def delete(tx: OrgTx, document_id: str, prompt_revid: str) -> bool:
    found = extraction_results.c
    statement = sa.delete(extraction_results).where(
        found.document_id == document_id, found.prompt_revid == prompt_revid, _seen(tx)
    )
    return (await tx.execute(statement)).rowcount == 1


def stored_paths(row: Row[Any]) -> list[FieldPath]:
    """The verified paths of a revision."""
    return [FieldPath.stored(path, row.data) for path in row.verified_paths]


def stored_problems(row: Row[Any]) -> list[Problem]:
    return [Problem.from_json(problem, row.data) for problem in row.problems]


def is_edited(row: Row[Any]) -> bool:
    return bool(row.origin != Origin.MODEL and row.data != row.model_data)


def _newest(tx: OrgTx, document_id: str) -> sa.Select[Any]:
    return _heads(document_id).where(_seen(tx))


def _seen(tx: OrgTx) -> sa.ColumnElement[bool]:
    """Proposed results are seen only by whoever works on a proposal."""
    return sa.true() if tx.rehearsal else ~extraction_results.c.proposed


def _heads(document_id: str) -> sa.Select[Any]:
    return (
        sa.select(
            extraction_results, *(extraction_revisions.c[name] for name in (*_OF_REVISION, *_JUDGED_BY))
        )
        .join(extraction_revisions, NEWEST)
        .where(extraction_results.c.document_id == document_id)
    )


_OF_REVISION = ("model_data", "data", "is_verified", "grounding", "run", "is_rejected", "auto_verified")
_JUDGED_BY = ("origin", "verified_paths", "problems")
STORED_WITH_DATA = {"verified_paths": stored_paths, "problems": stored_problems}
_REVISION = Mapped(
    NewRevision,
    extraction_revisions,
    computed=STORED_WITH_DATA,
    besides=("result_id", "number", "created_at", "verified_paths", "problems"),
)
_RESULT = Mapped(
    Result,
    extraction_results,
    joined=_OF_REVISION,
    computed={**STORED_WITH_DATA, "is_edited": is_edited},
    besides=("certainty", "unsure", "standing", "reviewer_id", "reviewing_until"),
)
