"""Sees who waits for a lock on PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa

from docagent.store.engine.database import Database
from tests.support.polling import until

_WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


async def waiting_for_a_lock(db: Database, count: int) -> None:
    """Return when so many transactions wait."""

    async def all_wait() -> bool:
        async with db.read() as tx:
            return bool((await tx.across(_WAITING)).scalar_one() >= count)

    await until(all_wait)
