"""INSERT ... ON CONFLICT, which both databases have and SQLAlchemy keeps in their dialects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.tenancy import OWNED

INSERTS: Mapping[str, Callable[[sa.Table], postgresql.Insert | sqlite.Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}
"""By the database's name, for statements that are built before the database is known."""


def insert_or(tx: Tx, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be told what to do on a conflict."""
    return INSERTS[tx.dialect](table)


async def put(tx: Tx, table: sa.Table, values: Mapping[str, Any]) -> None:
    """Insert a row, in place of the one that has the same primary key."""
    keys = [column.name for column in table.primary_key]
    changes = {name: value for name, value in values.items() if name not in keys}
    own = None
    if isinstance(tx, OrgTx) and table.info.get(OWNED):
        own, values = (
            table.c.organization_id == tx.organization_id,
            {"organization_id": tx.organization_id, **values},
        )
    insert = insert_or(tx, table).values(**values)
    await tx.execute(insert.on_conflict_do_update(index_elements=keys, set_=changes, where=own))
