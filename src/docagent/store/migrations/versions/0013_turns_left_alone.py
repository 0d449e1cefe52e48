"""When a turn was left by its client; and nothing stays of those who are no members any more"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime

revision = "0013"
down_revision = "0012"

_members = sa.table("members", sa.column("organization_id"), sa.column("user_id"))
_rules = sa.table("permission_rules", sa.column("organization_id"), sa.column("user_id"))
_turns = sa.table(
    "turns",
    sa.column("organization_id"),
    sa.column("user_id"),
    sa.column("state"),
    sa.column("waits_until", UtcDateTime),
)


def upgrade() -> None:
    op.add_column("turns", sa.Column("deserted_at", UtcDateTime, nullable=True))
    op.execute(sa.delete(_rules).where(_rules.c.user_id.is_not(None), ~_belongs(_rules)))
    waits = _turns.c.state.in_(("awaiting_approval", "awaiting_input"))
    ends = sa.update(_turns).where(waits, ~_belongs(_turns)).values(waits_until=datetime.now(UTC))
    op.execute(ends)


def _belongs(table: sa.TableClause) -> sa.Exists:
    """Whether the user of a row is a member of its organisation."""
    return sa.exists().where(
        _members.c.organization_id == table.c.organization_id, _members.c.user_id == table.c.user_id
    )
