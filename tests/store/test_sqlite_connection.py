"""SQLite's own connections: what a caller abandons is undone, and plans follow the size of the tables."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.store import config
from docagent.store.engine import Database, open_database
from docagent.store.schema import migrate


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "docagent.db"


@pytest.fixture
async def db(file: Path) -> AsyncIterator[Database]:
    address = f"sqlite:///{file}"
    await migrate(address)
    database = open_database(address, pool_size=1)
    yield database
    await database.close()


async def test_a_writer_that_gives_up_while_it_waits_leaves_no_transaction_open(
    db: Database, file: Path
) -> None:
    async def write() -> None:
        async with db.write() as tx:
            await config.put(tx, "key", "unfinished", now())

    another_process = sqlite3.connect(file, isolation_level=None)
    another_process.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(write())
    await asyncio.sleep(0.1)
    waiting.cancel()
    asyncio.get_running_loop().call_later(0.1, another_process.execute, "COMMIT")
    await asyncio.gather(waiting, return_exceptions=True)
    another_process.close()
    async with db.write() as tx:
        assert await config.get(tx, "key") is None


async def test_rows_numbers_and_failures_come_through(db: Database) -> None:
    async with db.write() as tx:
        await config.put(tx, "one", "1", now())
        changed = await tx.across(sa.text("UPDATE deployment_config SET sealed_value = '2'"))
        assert changed.rowcount == 1
        assert (await tx.across(sa.text("SELECT sealed_value FROM deployment_config"))).all() == [("2",)]
        with pytest.raises(sa.exc.OperationalError, match="no such table"):
            await tx.across(sa.text("SELECT * FROM nowhere"))
    async with db.read() as tx:
        assert await config.get(tx, "one") == "2"


async def test_statistics_are_there_for_new_connections(db: Database, file: Path) -> None:
    async with db.write() as tx:
        await config.put(tx, "one", "1", now())
    await db.refresh_statistics()
    with sqlite3.connect(file) as another_process:
        tables = another_process.execute("SELECT tbl FROM sqlite_stat1").fetchall()
    assert ("deployment_config",) in tables
