"""Webhooks and their deliveries"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("url", text_type(), nullable=False),
        sa.Column("sealed_secret", text_type(), nullable=False),
        sa.Column("events", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        _of_organization("webhooks"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_organization_id"), "webhooks", ["organization_id"])
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("webhook_id", sa.String(length=24), nullable=False),
        sa.Column("event", sa.String(length=40), nullable=False),
        sa.Column("body", text_type(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", text_type(), nullable=True),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("tried_at", UtcDateTime(), nullable=True),
        _of_organization("webhook_deliveries"),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_deliveries_webhook_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
    )
    op.create_index(op.f("ix_webhook_deliveries_organization_id"), "webhook_deliveries", ["organization_id"])
    op.create_index("ix_webhook_deliveries_recent", "webhook_deliveries", ["webhook_id", "id"])


def _of_organization(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organization_id"],
        ["organizations.id"],
        name=op.f(f"fk_{table}_organization_id"),
        ondelete="CASCADE",
    )
