"""An organisation has a default model for its agent, besides the one for extraction"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import text_type

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column("organizations", sa.Column("default_agent_model", text_type(), nullable=True))
    op.execute("UPDATE organizations SET default_agent_model = default_model")
