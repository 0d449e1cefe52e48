"""What a program may do with a token"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column(
        "access_tokens", sa.Column("scope", sa.String(length=10), nullable=False, server_default="ask")
    )
