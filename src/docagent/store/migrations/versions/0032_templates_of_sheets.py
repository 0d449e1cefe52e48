"""A sheet remembers the order and names of its columns, and the decimal mark of its CSV files"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_table(
        "sheet_templates",
        sa.Column("organization_id", sa.String(24), nullable=False),
        sa.Column("prompt_id", sa.String(24), nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("decimal", sa.String(1), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name="fk_sheet_templates_organization_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organization_id", "prompt_id", name="pk_sheet_templates"),
    )
