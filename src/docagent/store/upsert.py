"""INSERT ... ON CONFLICT, which both databases have and SQLAlchemy keeps in their dialects."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from docagent.store.engine import Tx


def insert_or(tx: Tx, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be told what to do on a conflict."""
    return postgresql.insert(table) if tx.dialect == "postgresql" else sqlite.insert(table)
