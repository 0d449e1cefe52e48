"""Column types that behave the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Dialect


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """An aware UTC time. SQLite keeps it as text without a zone, PostgreSQL as timestamptz."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def id_column(name: str, *args: Any, **kwargs: Any) -> sa.Column[str]:
    return sa.Column(name, sa.String(24), *args, **kwargs)


def text_type() -> sa.types.TypeEngine[str]:
    """Text that sorts by code point on both databases."""
    return sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
