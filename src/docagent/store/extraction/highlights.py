"""The newest results of many documents, and the extractions that run on them, in one query each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.domain.field_path import FieldPath
from docagent.domain.jobs import JobKind, JobState
from docagent.domain.problem import Problem
from docagent.store.engine.database import OrgTx
from docagent.store.extraction.results import NEWEST, STORED_WITH_DATA, is_edited
from docagent.store.mapping import Part
from docagent.store.tables import documents, extraction_results, extraction_revisions, jobs


@dataclass(frozen=True, slots=True)
class ResultData:
    """The newest revision of a result, without how it was made."""

    document_id: str
    prompt_id: str
    prompt_version: int
    data: dict[str, Any]
    model_data: dict[str, Any]
    grounding: Any
    problems: list[Problem]
    verified_paths: list[FieldPath]
    is_edited: bool
    is_verified: bool


_OF_REVISION = ("data", "model_data", "grounding", "is_verified")
RESULT_DATA = Part(
    ResultData,
    extraction_results,
    joined=_OF_REVISION,
    computed={**STORED_WITH_DATA, "is_edited": is_edited},
)


@dataclass(frozen=True, slots=True)
class RunningExtraction:
    document_id: str
    prompts: int
    progress: int
    progress_total: int


async def newest_data(tx: OrgTx, document_ids: Sequence[str]) -> list[ResultData]:
    """What each prompt extracted from each document, latest first."""
    rows = await tx.rows(
        result_data()
        .join(documents, documents.c.id == extraction_results.c.document_id)
        .where(
            extraction_results.c.document_id.in_(document_ids),
            documents.c.deleted_at.is_(None),
            ~extraction_results.c.proposed,
        )
        .order_by(extraction_results.c.updated_at.desc(), extraction_results.c.id)
    )
    return RESULT_DATA.each(rows)


def result_data() -> sa.Select[Any]:
    """Select what `RESULT_DATA` reads: results, each with its newest revision."""
    return sa.select(
        *(extraction_results.c[name] for name in ("document_id", "prompt_id", "prompt_version")),
        *(extraction_revisions.c[name] for name in ("origin", *_OF_REVISION, *STORED_WITH_DATA)),
    ).join_from(extraction_results, extraction_revisions, NEWEST)


async def running_extractions(tx: OrgTx, document_ids: Sequence[str]) -> list[RunningExtraction]:
    rows = await tx.rows(
        sa.select(jobs.c.subject_id, jobs.c.arguments, jobs.c.progress, jobs.c.progress_total).where(
            jobs.c.subject_id.in_(document_ids),
            jobs.c.kind == JobKind.EXTRACT,
            jobs.c.state == JobState.RUNNING,
            jobs.c.progress_total.is_not(None),
        )
    )
    return [
        RunningExtraction(
            row.subject_id, len(row.arguments["prompt_revids"]), row.progress, row.progress_total
        )
        for row in rows
    ]
