"""Nothing any more: here were the tables of a library that woke workers, which 0024 drops"""

from __future__ import annotations

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    pass
