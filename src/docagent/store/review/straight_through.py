"""Queries on what skips review: what each prompt's administrators decided, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.extraction.doubts import Standing
from docagent.store.engine import upsert
from docagent.store.engine.database import OrgTx
from docagent.store.mapping import Mapped
from docagent.store.review.sheets import newest_results, with_documents
from docagent.store.tables import extraction_results, straight_through_policies

USUAL_PRECISION = 0.99
_policy = straight_through_policies.c


@dataclass(frozen=True, slots=True)
class Switched:
    """Somebody decided something: a line of the audit."""

    at: datetime
    by: str
    precision: float
    auto_verify: bool


@dataclass(frozen=True, slots=True)
class StraightThroughPolicy:
    precision: float = USUAL_PRECISION
    auto_verify: bool = False
    threshold: float | None = None
    """From which confidence on results skip review, as last measured. None: none do."""
    history: Sequence[Switched] = ()
    """The newest first."""


_POLICY = Mapped(StraightThroughPolicy, straight_through_policies, besides=("prompt_id",))


async def get(tx: OrgTx, prompt_id: str) -> StraightThroughPolicy:
    return await _POLICY.first(tx, _policy.prompt_id == prompt_id) or StraightThroughPolicy()


async def put(tx: OrgTx, prompt_id: str, wanted: StraightThroughPolicy) -> None:
    await upsert.put(tx, straight_through_policies, _POLICY.values(wanted, prompt_id=prompt_id))


async def switched_on(tx: OrgTx) -> dict[str, float]:
    """The prompts whose sure results skip review, with their target precision."""
    rows = await tx.rows(sa.select(_policy.prompt_id, _policy.precision).where(_policy.auto_verify))
    return {row.prompt_id: row.precision for row in rows}


async def set_threshold(tx: OrgTx, prompt_id: str, precision: float, threshold: float | None) -> None:
    """Store what was measured for a precision, if it is still the target."""
    await tx.execute(
        sa.update(straight_through_policies)
        .where(_policy.prompt_id == prompt_id, _policy.precision == precision)
        .values(threshold=threshold)
    )


async def auto_threshold(tx: OrgTx, prompt_id: str) -> float | None:
    """From which confidence on a result of the prompt skips review. None: it never does."""
    row = await tx.first(
        sa.select(_policy.threshold).where(_policy.prompt_id == prompt_id, _policy.auto_verify)
    )
    return row.threshold if row else None


async def number_gone_on(tx: OrgTx, prompt_id: str) -> int:
    """How many documents skipped review and were not looked at since."""
    gone_on = sa.select(sa.func.count()).select_from(with_documents())
    where = (*newest_results(tx, prompt_id), extraction_results.c.standing == Standing.AUTO)
    return int(await tx.scalar(gone_on.where(*where)))
