"""Providers of models, credits"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0003"
down_revision = "0002"

OWNED = {"belongs_to_organization": True}


def upgrade() -> None:
    op.create_table(
        "llm_providers",
        sa.Column("name", sa.String(length=40), nullable=False),
        *_provider_settings(),
        sa.Column("custom", sa.Boolean(), nullable=False),
        sa.Column("display_name", text_type(), nullable=True),
        sa.Column("base_url", text_type(), nullable=True),
        sa.Column("own_models", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_llm_providers")),
    )
    op.create_table(
        "organization_llm_providers",
        *_organization("organization_llm_providers"),
        sa.Column("name", sa.String(length=40), nullable=False),
        *_provider_settings(),
        sa.PrimaryKeyConstraint("organization_id", "name", name=op.f("pk_organization_llm_providers")),
        info=OWNED,
    )
    op.create_table(
        "credit_accounts",
        *_organization("credit_accounts"),
        sa.Column("granted", sa.BigInteger(), nullable=False),
        sa.Column("granted_used", sa.BigInteger(), nullable=False),
        sa.Column("purchased", sa.BigInteger(), nullable=False),
        sa.Column("purchased_used", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("enforced", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_credit_accounts")),
        info=OWNED,
    )
    op.create_table(
        "credit_entries",
        sa.Column("id", sa.String(length=24), nullable=False),
        *_organization("credit_entries"),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("from_purchased", sa.BigInteger(), nullable=False),
        sa.Column("from_granted", sa.BigInteger(), nullable=False),
        sa.Column("from_paid", sa.BigInteger(), nullable=False),
        sa.Column("operation", text_type(), nullable=False),
        sa.Column("source", text_type(), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=True),
        sa.Column("provider", sa.String(length=40), nullable=True),
        sa.Column("model", text_type(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_entries")),
        info=OWNED,
    )
    op.create_index("ix_credit_entries_day", "credit_entries", ["organization_id", "day"], unique=False)
    op.create_table(
        "credit_holds",
        sa.Column("id", sa.String(length=24), nullable=False),
        *_organization("credit_holds"),
        sa.Column("credits", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_holds")),
        info=OWNED,
    )
    op.create_index(
        op.f("ix_credit_holds_organization_id"), "credit_holds", ["organization_id"], unique=False
    )


def _organization(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f(f"fk_{table}_organization_id"),
            ondelete="CASCADE",
        ),
    )


def _provider_settings() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("enabled", sa.Boolean(), nullable=True),
        sa.Column("sealed_key", text_type(), nullable=True),
        sa.Column("key_created_at", UtcDateTime(), nullable=True),
        sa.Column("enabled_models", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("chat_models", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
