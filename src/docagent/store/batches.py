"""Deletes what is out of date in batches, so that no clean-up holds its locks for long."""

from __future__ import annotations

import sqlalchemy as sa

BATCH = 1000


def some(table: sa.Table, *conditions: sa.ColumnElement[bool], limit: int = BATCH) -> sa.Delete:
    """Delete some of the rows for which the conditions hold. The row count tells whether there were any."""
    keys = list(table.primary_key)
    found = sa.select(*keys).where(*conditions).limit(limit)
    key = keys[0] if len(keys) == 1 else sa.tuple_(*keys)
    return sa.delete(table).where(key.in_(found))
