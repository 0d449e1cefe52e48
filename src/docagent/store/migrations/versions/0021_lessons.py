"""Whether models are shown verified documents as examples"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column(
        "learning_switches", sa.Column("examples_on", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
