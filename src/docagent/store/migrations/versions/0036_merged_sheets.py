"""Sheets that were merged into others, so that it can be undone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "sheet_merges",
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("organization_id", sa.String(24), nullable=False),
        *(
            sa.Column(name, sa.String(24), nullable=False)
            for name in ("prompt_id", "made_revid", "former_revid", "source_prompt_id")
        ),
        sa.Column("source_schema_id", sa.String(24), nullable=True),
        sa.Column("moved", sa.JSON, nullable=False),
        sa.Column("created_by", sa.String(24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("undone_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name="fk_sheet_merges_organization_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_sheet_merges"),
    )
    op.create_index("ix_sheet_merges_prompt", "sheet_merges", ["organization_id", "prompt_id"])
