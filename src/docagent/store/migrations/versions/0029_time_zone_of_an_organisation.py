"""The time zone in which the agent says what day it is"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column("organizations", sa.Column("time_zone", sa.String(length=64), nullable=True))
