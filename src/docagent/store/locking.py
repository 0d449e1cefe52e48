"""Leaves alone what another transaction holds, so that one lock stops nobody else's work.

SQLite knows no locks on rows: it has one writer, for whom all rows are free.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa


def skipping_locked(found: sa.Select[Any]) -> sa.Select[Any]:
    """Lock the rows that are found, and leave out those that others hold."""
    return found.with_for_update(key_share=True, skip_locked=True)


def unlocked(ids: sa.Select[tuple[str]]) -> sa.Select[tuple[str]]:
    """Return those of the ids whose rows nobody else holds, and lock them.

    A CTE, because PostgreSQL may run a plain subquery more than once, and would then lock more than its limit.
    """
    return sa.select(skipping_locked(ids).cte("unlocked").c.id)
