"""Pictures for models: what an organisation allows, which were sent, and which parts of a document are private"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column("organizations", sa.Column("pictures", sa.String(length=8), nullable=True))
    op.add_column(
        "organizations",
        sa.Column("remote_pictures", sa.Boolean(), server_default=sa.true(), nullable=False),
    )
    op.add_column("documents", sa.Column("private_regions", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("credit_entries", sa.Column("pictures", sa.JSON(none_as_null=True), nullable=True))
