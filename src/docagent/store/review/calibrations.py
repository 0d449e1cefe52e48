"""Queries on the calibrations that organisations have of their own, and on the verified values they are made from."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.results import Origin
from docagent.domain.field_path import FieldPath
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import put
from docagent.store.extraction.results import stored_paths
from docagent.store.review.sheets import with_values
from docagent.store.tables import calibrations, documents, extraction_results, extraction_revisions


@dataclass(frozen=True, slots=True)
class StoredCalibration:
    """`table` is None as long as too few values are verified."""

    table: list[list[float]] | None
    verified_values: int
    made_at: datetime
    made_with: str | None = None
    """Names the weights whose scores the table has; None for those of version 0.3 and earlier."""


@dataclass(frozen=True, slots=True)
class VerifiedResult:
    """What a model extracted, with its places, beside what people made of it and verified."""

    document_id: str
    prompt_id: str
    model_data: dict[str, Any]
    model_grounding: Any
    data: dict[str, Any]
    is_verified: bool
    verified_paths: list[FieldPath]
    has_problems: bool = False
    """Whether what the model extracted broke the schema."""


async def get(tx: OrgTx) -> StoredCalibration | None:
    row = await tx.first(sa.select(calibrations))
    if row is None:
        return None
    stored = row.table if isinstance(row.table, dict) else {"knots": row.table}
    return StoredCalibration(stored["knots"], row.verified_values, row.made_at, stored.get("made_with"))


async def keep(tx: OrgTx, stored: StoredCalibration) -> None:
    values = {
        "table": {"made_with": stored.made_with, "knots": stored.table},
        "verified_values": stored.verified_values,
        "made_at": stored.made_at,
    }
    await put(tx, calibrations, values)


async def verified_ids(tx: OrgTx, most: int, prompt_id: str | None = None) -> list[str]:
    """The results of which a person verified something, the newest first."""
    return [row.id for row in await verified_heads(tx, prompt_id)][:most]


async def verified_heads(tx: OrgTx, prompt_id: str | None = None) -> list[sa.Row[Any]]:
    """Results of which a person verified something, with what they are about, the newest first.

    What was verified by itself is no person's word.
    """
    head, result = extraction_revisions.c, extraction_results.c
    statement = (
        sa.select(
            result.id,
            result.document_id,
            result.prompt_revid,
            result.prompt_version,
            result.revision,
            head.verified_paths,
            head.is_verified,
            documents.c.page_count,
            documents.c.text_run_id,
        )
        .select_from(with_values())
        .where(~result.proposed, documents.c.deleted_at.is_(None), head.origin != Origin.MODEL)
        .order_by(result.updated_at.desc(), result.id.desc())
    )
    if prompt_id is not None:
        statement = statement.where(result.prompt_id == prompt_id)
    return [row for row in await tx.rows(statement) if row.is_verified or row.verified_paths]


async def verified(tx: OrgTx, result_ids: list[str]) -> AsyncIterator[VerifiedResult]:
    """Each of these results, with the places that its model's newest revision had."""
    head, made = extraction_revisions.alias("head"), extraction_revisions.alias("made")
    newest = (
        sa.select(sa.func.max(made.c.number))
        .where(made.c.result_id == extraction_results.c.id, made.c.origin == Origin.MODEL)
        .where(made.c.organization_id == tx.organization_id)
        .scalar_subquery()
    )
    model = extraction_revisions.alias("model")
    statement = (
        sa.select(
            extraction_results.c.document_id,
            extraction_results.c.prompt_id,
            model.c.data.label("model_data"),
            model.c.grounding,
            model.c.problems,
            head.c.data,
            head.c.is_verified,
            head.c.verified_paths,
        )
        .join(
            head,
            (head.c.result_id == extraction_results.c.id) & (head.c.number == extraction_results.c.revision),
        )
        .join(model, sa.and_(model.c.result_id == extraction_results.c.id, model.c.number == newest))
        .where(extraction_results.c.id.in_(result_ids))
    )
    for row in await tx.rows(statement):
        yield VerifiedResult(
            row.document_id,
            row.prompt_id,
            row.model_data,
            row.grounding,
            row.data,
            row.is_verified,
            stored_paths(row),
            bool(row.problems),
        )
