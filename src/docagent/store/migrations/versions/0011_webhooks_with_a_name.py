"""Webhooks have a name and may send a header"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for name in ("name", "auth_header_name", "sealed_auth_header"):
        op.add_column("webhooks", sa.Column(name, sa.Text(), nullable=True))
