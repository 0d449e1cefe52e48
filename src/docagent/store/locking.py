"""Leaves alone what another transaction holds, so that one lock stops nobody else's work."""

from __future__ import annotations

import sqlalchemy as sa

from docagent.store.engine.database import Tx


def unlocked(tx: Tx, ids: sa.Select[tuple[str]], of: sa.Table) -> sa.Select[tuple[str]]:
    """Lock the rows and return the ids of those that nobody else holds. SQLite has one writer, so all are free.

    A CTE, because PostgreSQL may run a plain subquery more than once, and would then lock more than its limit.
    """
    if tx.dialect == "postgresql":
        ids = ids.with_for_update(key_share=True, skip_locked=True, of=of)
    return sa.select(ids.cte("unlocked").c.id)
