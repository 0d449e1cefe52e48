"""The loop strategy that an organisation prefers"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("organizations", sa.Column("loop_strategy", sa.String(length=40), nullable=True))
