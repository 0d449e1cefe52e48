"""Proposals: what the agent prepares for an uploaded document, hidden until it is accepted"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    _add(
        "documents",
        sa.Column("auto_create_status", sa.String(length=10), nullable=True),
        _id("auto_create_proposal_id"),
        _id("auto_create_turn_id"),
        _id("auto_create_schema_revid"),
        _id("auto_create_prompt_revid"),
        sa.Column("auto_create_done_at", UtcDateTime(), nullable=True),
        sa.Column("auto_create_reason", text_type(), nullable=True),
        sa.Column("auto_create_error", text_type(), nullable=True),
    )
    prepared = sa.text("auto_create_status IS NOT NULL")
    op.create_index(
        "ix_documents_auto_create",
        "documents",
        ["organization_id", "auto_create_status", "auto_create_proposal_id"],
        sqlite_where=prepared,
        postgresql_where=prepared,
    )
    _add("organizations", _no("auto_create_default"))
    _add("extraction_results", _no("proposed"))
    for heads in ("schemas", "prompts"):
        _add(heads, _id("proposal_id"))
        op.drop_index(f"uq_{heads}_name", heads)
        _unique(f"uq_{heads}_name", heads, "proposal_id IS NULL", "organization_id", "name_key")
        _unique(
            f"uq_{heads}_proposed_name",
            heads,
            "proposal_id IS NOT NULL",
            "organization_id",
            "proposal_id",
            "name_key",
        )


def _add(table: str, *columns: sa.Column[Any]) -> None:
    for column in columns:
        op.add_column(table, column)


def _id(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=24), nullable=True)


def _no(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())


def _unique(name: str, table: str, among: str, *columns: str) -> None:
    condition = sa.text(f"deleted_at IS NULL AND {among}")
    op.create_index(
        name, table, list(columns), unique=True, sqlite_where=condition, postgresql_where=condition
    )
