"""The newest results of many documents, and the extractions that run on them, in one query each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.results import Origin
from docagent.domain.field_path import FieldPath
from docagent.domain.jobs import JobKind, JobState
from docagent.domain.problem import Problem
from docagent.store.engine.database import OrgTx
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
    return [read_result_data(row) for row in rows]


def result_data() -> sa.Select[Any]:
    """Select what `read_result_data` reads: results, each with its newest revision."""
    heads, revision = extraction_results.c, extraction_revisions.c
    return sa.select(
        heads.document_id,
        heads.prompt_id,
        heads.prompt_version,
        revision.origin,
        revision.data,
        revision.model_data,
        revision.grounding,
        revision.problems,
        revision.verified_paths,
        revision.is_verified,
    ).join_from(
        extraction_results,
        extraction_revisions,
        sa.and_(revision.result_id == heads.id, revision.number == heads.revision),
    )


def read_result_data(row: Any) -> ResultData:
    return ResultData(
        document_id=row.document_id,
        prompt_id=row.prompt_id,
        prompt_version=row.prompt_version,
        data=row.data,
        model_data=row.model_data,
        grounding=row.grounding,
        problems=[Problem.from_json(problem, row.data) for problem in row.problems],
        verified_paths=[FieldPath.stored(path, row.data) for path in row.verified_paths],
        is_edited=row.origin == Origin.PERSON and row.data != row.model_data,
        is_verified=row.is_verified,
    )


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
