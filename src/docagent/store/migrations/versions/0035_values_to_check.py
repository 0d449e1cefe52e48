"""How many values of each confidence a result has: what is stored is judged again"""

from __future__ import annotations

from importlib import import_module

import sqlalchemy as sa
from alembic import op

from docagent.domain.extraction.doubts import unsure_of

revision = "0035"
down_revision = "0034"

_review = import_module("docagent.store.migrations.versions.0018_review")
_heads = sa.table("extraction_results", sa.column("id"), sa.column("unsure", sa.JSON))


def upgrade() -> None:
    op.add_column("extraction_results", sa.Column("unsure", sa.JSON, nullable=True))
    connection = op.get_bind()
    for rows in _review.newest_in_batches(connection):
        connection.execute(
            sa.update(_heads).where(_heads.c.id == sa.bindparam("of")).values(unsure=sa.bindparam("judged")),
            [{"of": row.id, "judged": unsure_of(_review.stored(row))} for row in rows],
        )
