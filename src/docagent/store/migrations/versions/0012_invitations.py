"""Invitations, tokens that end with the token that made them, and when a password was changed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=True),
        sa.Column("user_id", sa.String(length=24), nullable=True),
        sa.Column("email", text_type(), nullable=True),
        sa.Column("email_folded", text_type(), nullable=True),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("mailed", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        _goes_with("organization_id", "organizations"),
        _goes_with("user_id", "users"),
        _goes_with("created_by", "users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitations_token_hash")),
    )
    for column in ("organization_id", "user_id", "email_folded", "created_by"):
        op.create_index(op.f(f"ix_invitations_{column}"), "invitations", [column])
    op.add_column("users", sa.Column("password_changed_at", UtcDateTime(), nullable=True))
    # SQLite adds no constraint to a table that is there, so alembic writes the table again.
    with op.batch_alter_table("access_tokens") as tokens:
        tokens.add_column(sa.Column("made_by_token_id", sa.String(length=24), nullable=True))
        tokens.create_foreign_key(
            op.f("fk_access_tokens_made_by_token_id"),
            "access_tokens",
            ["made_by_token_id"],
            ["id"],
            ondelete="CASCADE",
        )
    op.create_index(op.f("ix_access_tokens_made_by_token_id"), "access_tokens", ["made_by_token_id"])


def _goes_with(column: str, table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_invitations_{column}")
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=name, ondelete="CASCADE")
