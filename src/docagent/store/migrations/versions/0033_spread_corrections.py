"""What corrections of one document changed in others, so that it can be counted and undone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.create_table(
        "spreads",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("organization_id", sa.String(24), nullable=False),
        sa.Column("prompt_id", sa.String(24), nullable=False),
        sa.Column("document_id", sa.String(24), nullable=False),
        sa.Column("path", text_type(), nullable=False),
        sa.Column("changes", sa.JSON, nullable=False),
        sa.Column("values_changed", sa.Integer, nullable=False),
        sa.Column("created_by", sa.String(24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("undone_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name="fk_spreads_organization_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_spreads_document_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_spreads"),
    )
    op.create_index("ix_spreads_prompt", "spreads", ["organization_id", "prompt_id"])
