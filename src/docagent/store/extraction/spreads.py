"""Queries on corrections that were spread to other documents."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from docagent.domain.extraction.spreads import Earned, Spread
from docagent.store.engine.database import OrgTx
from docagent.store.mapping import Mapped
from docagent.store.tables import spreads

_SPREAD = Mapped(Spread, spreads)
_spread = spreads.c
insert, get = _SPREAD.insert, _SPREAD.get


async def undone(tx: OrgTx, spread_id: str, now: datetime) -> bool:
    """Note that a spread is undone. False if it already is, or is gone."""
    statement = sa.update(spreads).where(_spread.id == spread_id, _spread.undone_at.is_(None))
    return (await tx.execute(statement.values(undone_at=now))).rowcount == 1


async def newest(tx: OrgTx, prompt_id: str, most: int) -> list[Spread]:
    """A prompt's spreads that still hold, the newest first."""
    statement = sa.select(spreads).where(_spread.prompt_id == prompt_id, _spread.undone_at.is_(None))
    return _SPREAD.each(await tx.rows(statement.order_by(_spread.id.desc()).limit(most)))


async def earned(tx: OrgTx, prompt_id: str) -> Earned:
    row = await tx.first(
        sa.select(
            sa.func.count().label("corrections"),
            sa.func.coalesce(sa.func.sum(_spread.values_changed), 0).label("values_changed"),
        )
        .select_from(spreads)
        .where(_spread.prompt_id == prompt_id, _spread.undone_at.is_(None))
    )
    return Earned(row.corrections, int(row.values_changed)) if row else Earned(0, 0)
