"""A result whose rows do not come to its total is not sure: what is stored is judged again"""

from __future__ import annotations

from importlib import import_module

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

_review = import_module("docagent.store.migrations.versions.0018_review")


def upgrade() -> None:
    connection = op.get_bind()
    for rows in _review.newest_in_batches(connection):
        connection.execute(
            sa.update(_review.HEADS)
            .where(_review.HEADS.c.id == sa.bindparam("of"))
            .values(certainty=sa.bindparam("sure")),
            [{"of": row.id, "sure": _review.certainty(row)} for row in rows],
        )
