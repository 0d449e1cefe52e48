"""Schemas are found by their content, and a webhook may be the callback of one job"""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

BATCH = 500
REVISIONS = sa.table(
    "schema_revisions",
    sa.column("id", sa.String),
    sa.column("response_format", sa.JSON),
    sa.column("digest", sa.String),
)


def upgrade() -> None:
    op.add_column("schema_revisions", sa.Column("digest", sa.String(64), nullable=True))
    connection = op.get_bind()
    last = ""
    while rows := connection.execute(
        sa.select(REVISIONS.c.id, REVISIONS.c.response_format)
        .where(REVISIONS.c.id > last)
        .order_by(REVISIONS.c.id)
        .limit(BATCH)
    ).all():
        last = rows[-1].id
        connection.execute(
            sa.update(REVISIONS)
            .where(REVISIONS.c.id == sa.bindparam("of"))
            .values(digest=sa.bindparam("said")),
            [{"of": row.id, "said": _digest(row.response_format["json_schema"]["schema"])} for row in rows],
        )
    op.create_index("ix_schema_revisions_digest", "schema_revisions", ["organization_id", "digest"])
    op.add_column("webhooks", sa.Column("is_callback", sa.Boolean, nullable=False, server_default=sa.false()))


def _digest(json_schema: object) -> str:
    canonical = json.dumps(json_schema, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
