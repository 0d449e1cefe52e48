"""Sheets: the results of one prompt are found together"""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_index(
        "ix_extraction_results_sheet", "extraction_results", ["organization_id", "prompt_id", "document_id"]
    )
