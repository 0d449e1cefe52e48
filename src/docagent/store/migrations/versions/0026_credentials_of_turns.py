"""The token or session that a turn works with"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("turns", sa.Column("credential_id", sa.String(length=24), nullable=True))
