"""Queries on accuracy runs: what was measured against verified results, document by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.documents.documents import Document
from docagent.domain.extraction.runs import RunState
from docagent.domain.json_objects import from_json
from docagent.domain.listing import Found
from docagent.evidence.accuracy import Mark, Score, total_of
from docagent.store import listing
from docagent.store.documents.documents import DOCUMENT
from docagent.store.engine.database import OrgTx
from docagent.store.extraction.prompt_runs import average_page
from docagent.store.mapping import Mapped
from docagent.store.tables import accuracy_runs, accuracy_scores, documents, extraction_results

_OPEN = (RunState.RUNNING, RunState.WAITING)
_run, _score = accuracy_runs.c, accuracy_scores.c


@dataclass(frozen=True, slots=True)
class Draft:
    """What is measured in place of what the prompt's version says. None: as the version says."""

    content: str | None = None
    json_schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class AccuracyRun:
    id: str
    prompt_id: str
    prompt_revid: str
    prompt_version: int
    prompt_name: str
    draft: Draft | None
    requested_model: str | None
    model: str
    state: RunState
    total: int
    created_by: str
    created_at: datetime
    reason: str | None = None
    done: int = 0
    failed: int = 0
    documents_right: int = 0
    """Documents without any error."""
    fields: Mapping[str, Score] = field(default_factory=dict)
    credits: int = 0
    milliseconds: int = 0
    """The sum over the documents, of which some are read at the same time."""
    finished_at: datetime | None = None

    @property
    def score(self) -> Score:
        return total_of(self.fields.values())

    @property
    def is_draft(self) -> bool:
        return self.draft is not None

    @property
    def is_open(self) -> bool:
        return self.state in _OPEN

    @property
    def seconds(self) -> float:
        return round(self.milliseconds / 1000, 3)


@dataclass(frozen=True, slots=True)
class Truth:
    """A revision that a person verified."""

    document_id: str
    result_id: str
    revision: int


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """What a run gave for a value, beside what is verified."""

    field: str
    path: str
    given_path: str | None
    mark: Mark
    expected: Any
    got: Any
    suspicion: str | None = None
    """Why the verified value may be the wrong one."""


@dataclass(frozen=True, slots=True)
class DocumentScore:
    document_id: str
    document_name: str
    prompt_revid: str | None
    """Of the verified result; None if that is deleted."""
    truth: Truth
    failure: str | None
    judged: Sequence[JudgedValue]


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one document."""

    judged: Sequence[JudgedValue] = ()
    credits: int = 0
    milliseconds: int = 0
    failure: str | None = None


_RUN = Mapped(AccuracyRun, accuracy_runs)
get = _RUN.get
_judged_of = from_json(JudgedValue)


async def insert(tx: OrgTx, run: AccuracyRun, truths: Sequence[Truth]) -> None:
    await _RUN.insert(tx, run)
    rows = [{**asdict(truth), "run_id": run.id, "credits": 0, "milliseconds": 0} for truth in truths]
    await tx.execute(sa.insert(accuracy_scores), rows)


async def recent(tx: OrgTx, prompt_id: str | None, *, skip: int, limit: int) -> Found[AccuracyRun]:
    statement = sa.select(accuracy_runs)
    if prompt_id is not None:
        statement = statement.where(_run.prompt_id == prompt_id)
    return await _RUN.page(tx, statement, skip=skip, limit=limit)


async def characters_per_page(tx: OrgTx, document_ids: Sequence[str]) -> int:
    """About how much text a page of these documents has."""
    return await average_page(tx, [documents.c.id.in_(document_ids)])


async def number_open(tx: OrgTx) -> int:
    statement = sa.select(sa.func.count()).select_from(accuracy_runs).where(_run.state.in_(_OPEN))
    return int(await tx.scalar(statement))


async def next_due(tx: OrgTx, run_id: str, limit: int) -> list[tuple[Document, Truth]]:
    """Documents of a run that are not dealt with, in the order of their ids."""
    rows = await tx.rows(
        sa.select(documents, _score.result_id, _score.revision)
        .join(accuracy_scores, _score.document_id == documents.c.id)
        .where(_score.run_id == run_id, _score.scored_at.is_(None))
        .order_by(documents.c.id)
        .limit(limit)
    )
    return [(DOCUMENT.of(row), Truth(row.id, row.result_id, row.revision)) for row in rows]


async def add_score(tx: OrgTx, run_id: str, document_id: str, measured: Measured, now: datetime) -> bool:
    """Add what came of a document to its run, once. False if the run is over or has it already."""
    run = await get(tx, run_id, lock=True)
    if run is None or not run.is_open:
        return False
    judged = [
        {name: value for name, value in asdict(one).items() if value is not None} for one in measured.judged
    ]
    kept = (
        sa.update(accuracy_scores)
        .where(_score.run_id == run_id, _score.document_id == document_id, _score.scored_at.is_(None))
        .values(
            scored_at=now,
            failure=measured.failure,
            judged=judged,
            credits=measured.credits,
            milliseconds=measured.milliseconds,
        )
    )
    if (await tx.execute(kept)).rowcount != 1:
        return False
    fields = dict(run.fields)
    for one in measured.judged:
        fields[one.field] = fields.get(one.field, Score()) + Score(**{one.mark.value: 1})
    is_right = measured.failure is None and all(one.mark is Mark.RIGHT for one in measured.judged)
    changed = replace(
        run,
        state=RunState.RUNNING,
        reason=measured.failure or (None if run.state is RunState.WAITING else run.reason),
        done=run.done + (measured.failure is None),
        failed=run.failed + (measured.failure is not None),
        documents_right=run.documents_right + is_right,
        fields=fields,
        credits=run.credits + measured.credits,
        milliseconds=run.milliseconds + measured.milliseconds,
    )
    await _RUN.update(tx, changed)
    return True


async def set_state(tx: OrgTx, run_id: str, state: RunState, reason: str | None, now: datetime) -> None:
    """Say where an open run stands. One that is over stays as it is."""
    values: dict[str, Any] = {"state": state}
    if reason is not None:
        values["reason"] = reason
    if state not in _OPEN:
        values["finished_at"] = now
    await tx.execute(
        sa.update(accuracy_runs).where(_run.id == run_id, _run.state.in_(_OPEN)).values(**values)
    )


async def scores(tx: OrgTx, run_id: str, *, only_remarkable: bool = False) -> list[DocumentScore]:
    """What came of each document that is dealt with and not deleted, by name.

    `only_remarkable`: of those that failed or have a suspicious truth, so that who asks often need not read all.
    """
    said = listing.contains(sa.cast(_score.judged, sa.Text), '"suspicion"')
    remarkable = sa.or_(_score.failure.is_not(None), said) if only_remarkable else sa.true()
    revid = (
        sa.select(extraction_results.c.prompt_revid)
        .where(
            extraction_results.c.id == _score.result_id,
            extraction_results.c.organization_id == tx.organization_id,
        )
        .scalar_subquery()
    )
    rows = await tx.rows(
        sa.select(
            _score.document_id,
            documents.c.name,
            revid.label("prompt_revid"),
            _score.result_id,
            _score.revision,
            _score.failure,
            _score.judged,
        )
        .join(documents, documents.c.id == _score.document_id)
        .where(_score.run_id == run_id, _score.scored_at.is_not(None), documents.c.deleted_at.is_(None))
        .where(remarkable)
        .order_by(documents.c.name_folded, documents.c.id)
    )
    return [
        DocumentScore(
            row.document_id,
            row.name,
            row.prompt_revid,
            Truth(row.document_id, row.result_id, row.revision),
            row.failure,
            [_judged_of(one) for one in row.judged or ()],
        )
        for row in rows
    ]


async def earlier(
    tx: OrgTx, document_id: str, prompt_id: str, *, without: str, most: int
) -> list[tuple[AccuracyRun, list[JudgedValue]]]:
    """What other runs of the prompt gave for a document, the newest first."""
    rows = await tx.rows(
        sa.select(accuracy_runs, _score.judged)
        .join(accuracy_scores, _score.run_id == _run.id)
        .where(
            _score.document_id == document_id,
            _score.scored_at.is_not(None),
            _run.prompt_id == prompt_id,
            _run.id != without,
        )
        .order_by(_run.id.desc())
        .limit(most)
    )
    return [(_RUN.of(row), [_judged_of(one) for one in row.judged or ()]) for row in rows]
