"""Keys of requests that may be repeated, and crashes of workers counted apart from failures of jobs"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("crashes", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "repeats",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("asker", sa.String(length=24), nullable=False),
        sa.Column("route", sa.String(length=60), nullable=False),
        sa.Column("key", text_type(), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("made", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("owner", sa.String(length=60), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_repeats_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organization_id", "asker", "route", "key", name=op.f("pk_repeats")),
    )
    op.create_index("ix_repeats_created_at", "repeats", ["created_at"])
