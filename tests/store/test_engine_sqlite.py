"""SQLite on the event loop: nothing that the database does keeps the loop from its other work."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.store.accounts import config
from docagent.store.engine.database import Database, open_database
from docagent.store.engine.sqlite_driver import LOG_BYTES, Connection
from docagent.store.tables import deployment_config
from tests.support.polling import SECONDS, let_time_pass
from tests.support.services.databases import Databases

NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n {limit}) SELECT i FROM n"
SLOW = sa.text(f"SELECT count(*) FROM ({NUMBERS.format(limit='WHERE i < 1000000')})")
ENDLESS = sa.text(f"SELECT count(*) FROM ({NUMBERS.format(limit='')})")
SLOW_WRITE = sa.text(
    "INSERT INTO deployment_config (key, sealed_value, updated_at) "
    f"SELECT 'key' || i, 'value', '2026-01-01' FROM ({NUMBERS.format(limit='WHERE i < 200000')})"
)
TURNS = 5
"""A loop that stands still makes one or none."""


@dataclass
class Loop:
    turns: int = 0
    turned: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def counting() -> AsyncIterator[Loop]:
    """How often others had their turn inside the block."""
    loop = Loop()

    async def count() -> None:
        while True:
            await asyncio.sleep(0.001)
            loop.turns += 1
            if loop.turns == TURNS:
                loop.turned.set()

    task = asyncio.create_task(count())
    yield loop
    task.cancel()


@pytest.fixture
async def path(databases: Databases) -> Path:
    return Path((await databases.new("sqlite")).removeprefix("sqlite:///"))


@pytest.fixture
async def db(path: Path) -> AsyncIterator[Database]:
    database = open_database(f"sqlite:///{path}", pool_size=2)
    yield database
    await database.close()


@pytest.mark.parametrize("long", [True, False])
async def test_a_slow_select_does_not_stop_the_loop(db: Database, long: bool) -> None:
    async with counting() as loop, db.read(long=long) as tx:
        assert (await tx.across(SLOW)).scalar() == 1_000_000
    assert loop.turns >= TURNS


async def test_a_slow_write_does_not_stop_the_loop_when_it_says_so(db: Database) -> None:
    async with counting() as loop, db.write(long=True) as tx:
        await tx.across(SLOW_WRITE)
    assert loop.turns >= TURNS
    async with db.read() as tx:
        count = sa.select(sa.func.count()).select_from(deployment_config)
        assert await tx.scalar(count) == 200_000


async def test_a_select_that_is_stopped_on_the_loop_loses_nothing_of_its_transaction(db: Database) -> None:
    async with db.write() as tx:
        await config.put(tx, "key", "before", now())
        assert (await tx.across(SLOW)).scalar() == 1_000_000
        assert await config.get(tx, "key") == "before"
        await config.put(tx, "other", "after", now())
    async with db.read() as tx:
        assert (await config.get(tx, "key"), await config.get(tx, "other")) == ("before", "after")


async def test_many_small_statements_let_others_run(db: Database) -> None:
    async with counting() as loop:
        for number in range(500):
            async with db.write() as tx:
                await config.put(tx, "key", str(number), now())
    assert loop.turns >= TURNS


@pytest.mark.parametrize("long", [True, False])
async def test_who_is_cancelled_stops_an_endless_statement(db: Database, long: bool) -> None:
    started = asyncio.Event()

    async def endless() -> None:
        async with db.write(long=long) as tx:
            await config.put(tx, "key", "unfinished", now())
            started.set()
            await tx.across(ENDLESS)

    task = asyncio.create_task(endless())
    await started.wait()
    await let_time_pass(0.05)
    task.cancel()
    async with asyncio.timeout(SECONDS):
        with pytest.raises(asyncio.CancelledError):
            await task
        async with db.write() as tx:
            assert await config.get(tx, "key") is None
            await config.put(tx, "key", "next", now())


async def test_a_writer_waits_for_another_process_and_the_loop_goes_on(db: Database, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def write() -> None:
        async with db.write() as tx:
            await config.put(tx, "key", "value", now())

    async with counting() as loop:
        task = asyncio.create_task(write())
        await loop.turned.wait()
        assert not task.done()
        other.execute("COMMIT")
        async with asyncio.timeout(SECONDS):
            await task
    other.close()
    async with db.read() as tx:
        assert await config.get(tx, "key") == "value"


async def test_a_writer_does_not_wait_for_ever(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    db = open_database(f"sqlite:///{path}", busy_seconds=0.1)
    with pytest.raises(sa.exc.OperationalError, match="database is locked"):
        async with db.write():
            pass
    other.execute("ROLLBACK")
    other.close()
    async with db.write() as tx:
        await config.put(tx, "key", "value", now())
    await db.close()


@pytest.mark.parametrize("long", [True, False])
async def test_rows_outlive_their_transaction(db: Database, long: bool) -> None:
    async with db.write() as tx:
        for key in "abc":
            await config.put(tx, key, key, now())
    async with db.read(long=long) as tx:
        result = await tx.execute(sa.select(deployment_config.c.key).order_by(deployment_config.c.key))
    async with db.write() as tx:
        await tx.execute(sa.delete(deployment_config))
    first = result.fetchone()
    assert first is not None
    assert [first.key, *(row.key for row in result.fetchmany(1)), *(row.key for row in result)] == [
        "a",
        "b",
        "c",
    ]


async def test_the_log_is_copied_back_before_it_is_large(db: Database, path: Path) -> None:
    text = "x" * (LOG_BYTES // 8)
    longest = 0
    for number in range(40):
        async with db.write() as tx:
            await config.put(tx, str(number % 4), text, now())
        longest = max(longest, path.with_name(f"{path.name}-wal").stat().st_size)
    assert LOG_BYTES < longest < 2 * LOG_BYTES


async def test_errors_are_those_of_the_database(db: Database) -> None:
    values = {"key": "key", "sealed_value": "value", "updated_at": now()}
    async with db.write() as tx:
        await tx.execute(sa.insert(deployment_config).values(values))
    for long in (True, False):
        with pytest.raises(sa.exc.IntegrityError):
            async with db.write(long=long) as tx:
                await tx.execute(sa.insert(deployment_config).values(values))
        with pytest.raises(sa.exc.IntegrityError):
            async with db.write(long=long) as tx:
                await tx.execute(sa.insert(deployment_config), [values, values])


async def test_nothing_is_written_after_the_database_has_ended_the_transaction(db: Database) -> None:
    """As it does after some errors: what came then would be kept without what came before."""

    async def go_on() -> None:
        async with db.write() as tx:
            await config.put(tx, "before", "value", now())
            await tx.across(sa.text("ROLLBACK"))
            await config.put(tx, "after", "value", now())

    async def commit() -> None:
        async with db.write() as tx:
            await config.put(tx, "before", "value", now())
            await tx.across(sa.text("ROLLBACK"))

    for use in (go_on, commit):
        with pytest.raises(sa.exc.InvalidRequestError, match="has ended this transaction"):
            await use()
    async with db.read() as tx:
        assert (await config.get(tx, "before"), await config.get(tx, "after")) == (None, None)


async def test_what_failed_because_the_tables_have_just_changed_is_done_again(path: Path) -> None:
    changed = sqlite3.OperationalError("no such table: tags")
    changed.sqlite_errorcode = sqlite3.SQLITE_SCHEMA
    tries = iter([changed, None])

    def errand() -> str:
        if (trouble := next(tries)) is not None:
            raise trouble
        return "done"

    with closing(Connection(str(path), isolation_level=None)) as connection:
        assert await connection.run(errand) == "done"
