"""The migrations make the schema that the code declares, once, whoever runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from docagent.store.engine import sync_url
from docagent.store.migrate import SCRIPTS, migrate_now
from docagent.store.schema import migrate, newest_migration
from docagent.store.tables import metadata
from tests.support.migrated import differences
from tests.support.postgres import PostgresServer

PROCESSES = 3


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'data.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create_database().url


def tables(url: str) -> dict[str, list[str]]:
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    inspector = sa.inspect(engine)
    return {name: [c["name"] for c in inspector.get_columns(name)] for name in inspector.get_table_names()}


def version(url: str) -> list[str]:
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    with engine.connect() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT version_num FROM alembic_version")]


async def test_the_migrated_schema_is_the_declared_one(url: str) -> None:
    await migrate(url)
    assert differences(url) == []
    assert set(metadata.tables) <= set(tables(url))


async def test_a_missing_column_would_be_noticed(url: str) -> None:
    await migrate(url)
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE users DROP COLUMN has_seen_tour")
    assert [difference[0] for difference in differences(url)] == ["add_column"]


async def test_migrating_again_changes_nothing(url: str) -> None:
    await migrate(url)
    before = tables(url)
    await migrate(url)
    migrate_now(url)
    assert tables(url) == before
    assert version(url) == [newest_migration()]


def test_migrations_come_in_the_order_of_their_numbers() -> None:
    """So that the newest is found by its file's name."""
    scripts = ScriptDirectory(str(SCRIPTS))
    assert scripts.get_heads() == [newest_migration()]
    for script in scripts.walk_revisions():
        assert Path(script.path).name.startswith(f"{script.revision}_")


def test_several_processes_may_start_at_once(url: str) -> None:
    command = [sys.executable, "-c", f"from docagent.store.migrate import migrate_now; migrate_now({url!r})"]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(PROCESSES)]
    ended = [process.communicate(timeout=120)[1] for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES, ended
    assert differences(url) == []
    assert version(url) == [newest_migration()]
