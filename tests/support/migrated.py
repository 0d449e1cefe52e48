"""Compares a migrated database with the tables that the code declares."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from docagent.store.engine.database import sync_url
from docagent.store.tables import metadata


def differences(url: str) -> list[Any]:
    """What alembic would change to bring the database to the declared tables.

    The search indexes are not declared, because they differ by database.
    """
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)

    def ours(name: str | None, kind: str, parents: object) -> bool:
        undeclared = ("page_search", "ix_document_pages_search", "living_search", "search_")
        return kind not in ("table", "index") or not (name or "").startswith(undeclared)

    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_name": ours, "compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, metadata))
