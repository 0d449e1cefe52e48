"""Results of extractions, their revisions, and the replies of those under way"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "extraction_results",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_revid", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_extraction_results_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_extraction_results_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extraction_results")),
        sa.UniqueConstraint(
            "document_id", "prompt_revid", name=op.f("uq_extraction_results_document_id_prompt_revid")
        ),
    )
    op.create_index(
        "ix_extraction_results_prompt",
        "extraction_results",
        ["organization_id", "document_id", "prompt_id", "prompt_version"],
    )
    op.create_table(
        "extraction_revisions",
        sa.Column("result_id", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("origin", sa.String(length=10), nullable=False),
        sa.Column("model_data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("is_verified", sa.Boolean(), nullable=False),
        sa.Column("verified_paths", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("problems", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("grounding", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("run", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_extraction_revisions_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["extraction_results.id"],
            name=op.f("fk_extraction_revisions_result_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("result_id", "number", name=op.f("pk_extraction_revisions")),
    )
    op.create_table(
        "extraction_parts",
        sa.Column("run_id", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("reply", text_type(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_extraction_parts_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_extraction_parts")),
    )
    op.create_index("ix_extraction_parts_created_at", "extraction_parts", ["created_at"])
