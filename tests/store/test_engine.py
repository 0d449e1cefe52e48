"""Transactions: nothing is lost between writers, readers do not wait, and a broken one leaves no trace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.errors import Unavailable
from docagent.store.accounts import config
from docagent.store.engine.database import Database, open_database
from docagent.store.engine.schema import migrate
from docagent.store.tables import deployment_config, organizations
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant
from tests.support.services.databases import EACH_DATABASE, Databases
from tests.support.tables import table

WRITERS, TIMES = 8, 5


@pytest.fixture(params=EACH_DATABASE)
async def url(request: pytest.FixtureRequest, databases: Databases) -> str:
    return await databases.new(request.param)


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    database = open_database(url, pool_size=4)
    yield database
    await database.close()


async def value_of(db: Database, key: str = "counter") -> str | None:
    async with db.read() as tx:
        return await config.get(tx, key)


async def test_many_writers_lose_no_update(url: str, db: Database) -> None:
    """Half of them on another pool, as another process would be."""
    elsewhere = open_database(url, pool_size=4)
    async with db.write() as tx:
        await tx.execute(
            sa.insert(deployment_config).values(key="counter", sealed_value="0", updated_at=now())
        )

    async def work(database: Database) -> None:
        for _ in range(TIMES):
            async with database.write() as tx:
                await tx.take_turns("counter")
                statement = sa.select(deployment_config.c.sealed_value)
                value = int(await tx.scalar(statement.where(deployment_config.c.key == "counter")))
                await asyncio.sleep(0)
                await config.put(tx, "counter", str(value + 1), now())

    await asyncio.gather(*(work(elsewhere if number % 2 else db) for number in range(WRITERS)))
    await elsewhere.close()
    assert await value_of(db) == str(WRITERS * TIMES)


async def test_taking_turns_over_one_thing_does_not_hold_up_another(db: Database) -> None:
    if db.dialect == "sqlite":
        async with db.write() as tx:
            await tx.take_turns("one")
            await tx.take_turns("two")
        return
    async with db.write() as first, db.write() as second:
        await first.take_turns("one")
        await second.take_turns("two")


async def test_a_reader_does_not_wait_for_a_writer(db: Database) -> None:
    async with db.write() as tx:
        await config.put(tx, "key", "old", now())
    async with db.write() as writing:
        await config.put(writing, "key", "new", now())
        async with asyncio.timeout(SECONDS):
            assert await value_of(db, "key") == "old"
    assert await value_of(db, "key") == "new"


async def test_a_transaction_that_fails_leaves_nothing(db: Database) -> None:
    async def fail() -> None:
        async with db.write() as tx:
            await config.put(tx, "key", "value", now())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await value_of(db, "key") is None
    async with db.write() as tx:
        await config.put(tx, "key", "again", now())
    assert await value_of(db, "key") == "again"


async def test_a_cancelled_writer_lets_the_next_one_in(db: Database) -> None:
    inside = asyncio.Event()

    async def linger() -> None:
        async with db.write() as tx:
            await config.put(tx, "key", "unfinished", now())
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(linger())
    await inside.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with asyncio.timeout(SECONDS), db.write() as tx:
        assert await config.get(tx, "key") is None
        await config.put(tx, "key", "next", now())
    assert await value_of(db, "key") == "next"


async def test_sqlite_is_set_up_for_many_readers_and_for_foreign_keys(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'data.db'}"
    await migrate(address)
    db = open_database(address)
    pragmas = {}
    async with db.read() as tx:
        for name in ("journal_mode", "foreign_keys", "synchronous"):
            pragmas[name] = (await tx.across(sa.text(f"PRAGMA {name}"))).scalar()
    await db.close()
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1}


async def test_rows_go_with_what_they_belong_to(product: Product, tenant: Tenant) -> None:
    async with product.services.db.write() as tx:
        await tx.execute(sa.delete(organizations).where(organizations.c.id == tenant.organization_id))
    answer = await product.client.get(f"{tenant.base}/tags", headers=tenant.headers)
    assert answer.status_code == 401


async def test_times_come_back_as_they_were_in_utc(db: Database) -> None:
    moment = now()
    async with db.write() as tx:
        await config.put(tx, "key", "value", moment)
        kept = await tx.scalar(sa.select(deployment_config.c.updated_at))
    assert kept == moment
    assert kept.utcoffset().total_seconds() == 0


@table("address", ["postgresql://nobody@127.0.0.1:1/none", "sqlite:////nonexistent/folder/data.db"])
async def test_a_database_that_is_not_there_is_named(address: str) -> None:
    db = open_database(address)
    with pytest.raises(Unavailable, match=r"database\.url"):
        await db.check()
    await db.close()
