"""Queries on the keys of requests that may be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.repeats import Kept, Repeat
from docagent.store.batches import some
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.upsert import insert_or
from docagent.store.mapping import Mapped
from docagent.store.tables import repeats

_KEPT = Mapped(Kept, repeats, besides=("asker", "route", "key"))


async def get(tx: OrgTx, repeat: Repeat) -> Kept | None:
    return await _KEPT.first(tx, *_is(repeat))


async def keep(
    tx: OrgTx, repeat: Repeat, now: datetime, *, made: Mapping[str, Any] | None, owner: str | None = None
) -> bool:
    """Remember what the request made, or with an owner that it runs. False if another one with its key was faster.

    PostgreSQL waits here for a transaction that does the same.
    """
    values = {"request": repeat.request, "made": made, "owner": owner, "created_at": now}
    insert = insert_or(tx, repeats).values(
        organization_id=tx.organization_id, asker=repeat.asker, route=repeat.route, key=repeat.key, **values
    )
    unmade = sa.and_(repeats.c.organization_id == tx.organization_id, repeats.c.made.is_(None))
    if owner is None:
        insert = insert.on_conflict_do_update(
            index_elements=list(repeats.primary_key), set_=values, where=unmade
        )
    else:
        insert = insert.on_conflict_do_nothing(index_elements=list(repeats.primary_key))
    return (await tx.execute(insert)).rowcount == 1


async def let_go(tx: OrgTx, repeat: Repeat, owner: str | None) -> None:
    """Forget a request that has made nothing."""
    unmade = (repeats.c.made.is_(None), repeats.c.owner == owner)
    await tx.execute(sa.delete(repeats).where(*_is(repeat), *unmade))


async def forget_older(tx: Tx, before: datetime) -> int:
    return (await tx.across(some(repeats, repeats.c.created_at < before))).rowcount


def _is(repeat: Repeat) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        repeats.c.asker == repeat.asker,
        repeats.c.route == repeat.route,
        repeats.c.key == repeat.key,
    )
