"""procrastinate's tables, for waking workers on PostgreSQL"""

from __future__ import annotations

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        # Without parameters, so that the driver leaves the percent signs in the script alone.
        connection.connection.cursor().execute(SchemaManager.get_schema())
