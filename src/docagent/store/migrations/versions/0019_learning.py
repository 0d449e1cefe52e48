"""Calibrations of organisations, and what they learnt from verified documents"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "calibrations",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("table", sa.JSON(), nullable=True),
        sa.Column("verified_values", sa.Integer(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        _goes_with("organization_id", "organizations", "calibrations"),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_calibrations")),
    )
    op.create_table(
        "learning_switches",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        _goes_with("organization_id", "organizations", "learning_switches"),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_learning_switches")),
    )
    op.create_table(
        "learnt_documents",
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("signature", sa.JSON(), nullable=False),
        sa.Column("memories", sa.JSON(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("learnt_at", UtcDateTime(), nullable=False),
        _goes_with("document_id", "documents", "learnt_documents"),
        _goes_with("organization_id", "organizations", "learnt_documents"),
        sa.PrimaryKeyConstraint("document_id", "prompt_id", name=op.f("pk_learnt_documents")),
    )
    op.create_index(
        "ix_learnt_documents_prompt", "learnt_documents", ["organization_id", "prompt_id", "learnt_at"]
    )
    op.create_table(
        "learnt_layouts",
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("band", sa.BigInteger(), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        _goes_with("document_id", "documents", "learnt_layouts"),
        _goes_with("organization_id", "organizations", "learnt_layouts"),
        sa.PrimaryKeyConstraint("document_id", "prompt_id", "band", name=op.f("pk_learnt_layouts")),
    )
    op.create_index("ix_learnt_layouts_band", "learnt_layouts", ["organization_id", "prompt_id", "band"])


def _goes_with(column: str, table: str, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.id"], name=op.f(f"fk_{of}_{column}"), ondelete="CASCADE"
    )
