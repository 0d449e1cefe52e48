"""Projects of living documents, conversations about them, and setting a document up on upload"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0009"
down_revision = "0008"

_LIVE = sa.text("deleted_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "projects",
        _id("id", nullable=False),
        _id("organization_id", nullable=False),
        _text("name"),
        _text("name_key"),
        _text("name_folded"),
        _text("description"),
        _text("standing_instruction"),
        _id("created_by", nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        _belongs("projects", "organization_id", "organizations"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    _unique_name("projects", "organization_id")
    op.create_table(
        "living_documents",
        _id("id", nullable=False),
        _id("organization_id", nullable=False),
        _text("name"),
        _text("name_key"),
        _text("name_folded"),
        sa.Column("version", sa.Integer(), nullable=False),
        _id("latest_revid", nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        _id("project_id", nullable=False),
        _belongs("living_documents", "organization_id", "organizations"),
        _belongs("living_documents", "project_id", "projects"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_living_documents")),
    )
    _unique_name("living_documents", "project_id")
    op.create_table(
        "living_document_revisions",
        _id("id", nullable=False),
        _id("organization_id", nullable=False),
        _id("head_id", nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        _id("created_by", nullable=False),
        _text("content"),
        _text("standing_instruction"),
        sa.Column("author", sa.String(length=5), nullable=False),
        _text("reason"),
        _id("turn_id", nullable=True),
        _belongs("living_document_revisions", "organization_id", "organizations"),
        _belongs("living_document_revisions", "head_id", "living_documents"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_living_document_revisions")),
        sa.UniqueConstraint("head_id", "version", name=op.f("uq_living_document_revisions_head_id_version")),
    )
    for table in ("threads", "turns", "permission_rules"):
        op.add_column(table, _id("project_id", nullable=True))
        op.create_index(op.f(f"ix_{table}_project_id"), table, ["project_id"])
    op.add_column(
        "documents", sa.Column("auto_create", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def _id(name: str, *, nullable: bool) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length=24), nullable=nullable)


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, text_type(), nullable=False)


def _belongs(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE"
    )


def _unique_name(table: str, within: str) -> None:
    op.create_index(
        f"uq_{table}_name",
        table,
        [within, "name_key"],
        unique=True,
        sqlite_where=_LIVE,
        postgresql_where=_LIVE,
    )
