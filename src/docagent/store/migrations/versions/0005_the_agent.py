"""Threads, turns, their events, and the rules of permission"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "threads",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=True),
        sa.Column("title", text_type(), nullable=False),
        sa.Column("state", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("next_position", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        *_belongs("threads", document=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
    )
    op.create_index(op.f("ix_threads_document_id"), "threads", ["document_id"])
    op.create_index("ix_threads_own", "threads", ["organization_id", "user_id", "document_id", "updated_at"])
    op.create_table(
        "turns",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=True),
        sa.Column("thread_id", sa.String(length=24), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("superseded", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("model", text_type(), nullable=False),
        sa.Column("strategy", sa.String(length=40), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("transcript", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("transcript_tokens", sa.Integer(), nullable=False),
        sa.Column("lease_owner", sa.String(length=64), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("stop_requested_by", sa.String(length=24), nullable=True),
        sa.Column("signals", sa.Integer(), nullable=False),
        sa.Column("waits_until", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        *_belongs("turns", document=True),
        sa.ForeignKeyConstraint(
            ["thread_id"], ["threads.id"], name=op.f("fk_turns_thread_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
    )
    op.create_index(op.f("ix_turns_document_id"), "turns", ["document_id"])
    op.create_index("ix_turns_thread", "turns", ["thread_id", "position"])
    op.create_index("ix_turns_waiting", "turns", ["organization_id", "user_id", "state"])
    op.create_index("ix_turns_lease", "turns", ["state", "lease_until"])
    op.create_table(
        "turn_events",
        sa.Column("turn_id", sa.String(length=24), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("type", sa.String(length=24), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        *_belongs("turn_events"),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_turn_events_turn_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("turn_id", "seq", name=op.f("pk_turn_events")),
    )
    audited = sa.text("type IN ('tool_result', 'undone')")
    op.create_index(
        "ix_turn_events_audit",
        "turn_events",
        ["organization_id", "created_at"],
        sqlite_where=audited,
        postgresql_where=audited,
    )
    op.create_table(
        "turn_signals",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("turn_id", sa.String(length=24), nullable=False),
        sa.Column("type", sa.String(length=24), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        *_belongs("turn_signals"),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_turn_signals_turn_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn_signals")),
    )
    op.create_index(op.f("ix_turn_signals_organization_id"), "turn_signals", ["organization_id"])
    op.create_index(op.f("ix_turn_signals_turn_id"), "turn_signals", ["turn_id"])
    op.create_table(
        "permission_rules",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=True),
        sa.Column("document_id", sa.String(length=24), nullable=True),
        sa.Column("tool", sa.String(length=64), nullable=False),
        sa.Column("effect", sa.String(length=8), nullable=False),
        sa.Column("arguments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        *_belongs("permission_rules", document=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_permission_rules")),
    )
    op.create_index(op.f("ix_permission_rules_organization_id"), "permission_rules", ["organization_id"])
    op.create_index(op.f("ix_permission_rules_document_id"), "permission_rules", ["document_id"])


def _belongs(table: str, *, document: bool = False) -> list[Any]:
    keys = [
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f(f"fk_{table}_organization_id"),
            ondelete="CASCADE",
        )
    ]
    if document:
        keys.append(
            sa.ForeignKeyConstraint(
                ["document_id"], ["documents.id"], name=op.f(f"fk_{table}_document_id"), ondelete="CASCADE"
            )
        )
    return keys
