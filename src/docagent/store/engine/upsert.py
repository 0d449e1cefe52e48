"""INSERT ... ON CONFLICT, which both databases have and SQLAlchemy keeps in their dialects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from docagent.store.engine.database import Tx

INSERTS: Mapping[str, Callable[[sa.Table], postgresql.Insert | sqlite.Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}
"""By the database's name, for statements that are built before the database is known."""


def insert_or(tx: Tx, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be told what to do on a conflict."""
    return INSERTS[tx.dialect](table)
