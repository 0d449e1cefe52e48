"""Accuracy runs with the score of each document, and what goes on without a person"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column(
        "extraction_revisions",
        sa.Column("auto_verified", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "straight_through_policies",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("precision", sa.Float(), nullable=False),
        sa.Column("auto_verify", sa.Boolean(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("history", sa.JSON(), nullable=False),
        _goes_with("organization_id", "organizations", "straight_through_policies"),
        sa.PrimaryKeyConstraint("organization_id", "prompt_id", name=op.f("pk_straight_through_policies")),
    )
    op.create_table(
        "accuracy_runs",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_revid", sa.String(length=24), nullable=False),
        sa.Column("prompt_version", sa.Integer(), nullable=False),
        sa.Column("prompt_name", text_type(), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=True),
        sa.Column("requested_model", text_type(), nullable=True),
        sa.Column("model", text_type(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", text_type(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("documents_right", sa.Integer(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        _goes_with("organization_id", "organizations", "accuracy_runs"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accuracy_runs")),
    )
    op.create_index("ix_accuracy_runs_prompt", "accuracy_runs", ["organization_id", "prompt_id", "id"])
    op.create_table(
        "accuracy_scores",
        sa.Column("run_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("result_id", sa.String(length=24), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("scored_at", UtcDateTime(), nullable=True),
        sa.Column("failure", text_type(), nullable=True),
        sa.Column("judged", sa.JSON(), nullable=True),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        _goes_with("run_id", "accuracy_runs", "accuracy_scores"),
        _goes_with("document_id", "documents", "accuracy_scores"),
        _goes_with("organization_id", "organizations", "accuracy_scores"),
        sa.PrimaryKeyConstraint("run_id", "document_id", name=op.f("pk_accuracy_scores")),
    )
    op.create_index("ix_accuracy_scores_document", "accuracy_scores", ["organization_id", "document_id"])


def _goes_with(column: str, table: str, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.id"], name=op.f(f"fk_{of}_{column}"), ondelete="CASCADE"
    )
