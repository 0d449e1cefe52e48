"""Indexes that hold all that a search for a name and the order of the audit look at"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_LIVE = sa.text("deleted_at IS NULL")
_AUDITED = sa.text("type IN ('tool_result', 'undone')")


def upgrade() -> None:
    op.drop_index("ix_documents_name", "documents")
    op.create_index(
        "ix_documents_name",
        "documents",
        ["organization_id", "name_folded", "upload_date", "id"],
        sqlite_where=_LIVE,
        postgresql_where=_LIVE,
    )
    op.drop_index("ix_turn_events_audit", "turn_events")
    op.create_index(
        "ix_turn_events_audit",
        "turn_events",
        ["organization_id", sa.text("created_at DESC"), "turn_id", sa.text("seq DESC")],
        sqlite_where=_AUDITED,
        postgresql_where=_AUDITED,
    )
