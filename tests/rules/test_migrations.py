"""A table and its migrations say the same."""

from __future__ import annotations

from pathlib import Path

from docagent.store.engine.migrate import migrate_now
from tests.support.migrated import differences


def test_every_change_of_a_table_comes_with_a_migration(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'migrated.db'}"
    migrate_now(url)
    assert differences(url) == [], "write a migration: a file in store/migrations/versions"
