"""Indexes for documents sorted by state or uploader, and for the clean-up of finished jobs"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

_LIVE = sa.text("deleted_at IS NULL")


def upgrade() -> None:
    for name, column in (("state", "state"), ("uploader", "uploaded_by_folded")):
        op.create_index(
            f"ix_documents_{name}",
            "documents",
            ["organization_id", column, "upload_date", "id"],
            sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        )
    op.create_index("ix_jobs_finished", "jobs", ["finished_at"])
