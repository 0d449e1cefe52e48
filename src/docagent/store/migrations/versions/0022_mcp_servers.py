"""MCP servers of organisations, what they say of their tools, and the calls that were begun"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "mcp_servers",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("url", text_type(), nullable=True),
        sa.Column("command", text_type(), nullable=True),
        sa.Column("header_names", sa.JSON(), nullable=False),
        sa.Column("sealed_headers", text_type(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        _goes_with("organization_id", "organizations", "mcp_servers"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_servers")),
        sa.UniqueConstraint("organization_id", "name", name=op.f("uq_mcp_servers_organization_id_name")),
    )
    op.create_table(
        "mcp_tools",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("server_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("description", text_type(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("annotations", sa.JSON(), nullable=False),
        sa.Column("said_digest", sa.String(length=64), nullable=False),
        sa.Column("confirmed_digest", sa.String(length=64), nullable=True),
        sa.Column("read_only", sa.Boolean(), nullable=False),
        sa.Column("confirmed_by", sa.String(length=24), nullable=True),
        sa.Column("confirmed_at", UtcDateTime(), nullable=True),
        _goes_with("organization_id", "organizations", "mcp_tools"),
        _goes_with("server_id", "mcp_servers", "mcp_tools"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_tools")),
        sa.UniqueConstraint("server_id", "name", name=op.f("uq_mcp_tools_server_id_name")),
    )
    op.create_index(op.f("ix_mcp_tools_organization_id"), "mcp_tools", ["organization_id"])
    op.create_table(
        "mcp_calls",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("turn_id", sa.String(length=24), nullable=False),
        sa.Column("begun_at", UtcDateTime(), nullable=False),
        _goes_with("organization_id", "organizations", "mcp_calls"),
        _goes_with("turn_id", "turns", "mcp_calls"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mcp_calls")),
    )
    op.create_index(op.f("ix_mcp_calls_organization_id"), "mcp_calls", ["organization_id"])
    op.create_index(op.f("ix_mcp_calls_turn_id"), "mcp_calls", ["turn_id"])


def _goes_with(column: str, table: str, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.id"], name=op.f(f"fk_{of}_{column}"), ondelete="CASCADE"
    )
