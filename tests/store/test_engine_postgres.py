"""Connections to PostgreSQL: one that died is replaced before anything is lost, one that was just used is not asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.errors import DatabaseAway, Unavailable
from docagent.store.accounts import config
from docagent.store.engine.database import Database, open_database
from tests.support.polling import until
from tests.support.services.databases import Databases

AT_ONCE, TIMES = 3, 20
AT_FIRST = 1
"""SQLAlchemy looks at the server once, and rolls that back."""


@pytest.fixture
async def url(databases: Databases) -> str:
    return await databases.new("postgresql")


@pytest.fixture
async def db(url: str) -> AsyncIterator[Database]:
    database = open_database(url, pool_size=AT_ONCE)
    yield database
    await database.close()


async def use(db: Database, key: str = "used") -> None:
    async with db.write() as tx:
        await config.put(tx, key, "yes", now())


async def end_all_connections(url: str) -> None:
    other = open_database(url, pool_size=1)
    async with other.write() as tx:
        await tx.across(
            sa.text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    await other.close()


async def test_connections_that_died_are_replaced_before_the_first_statement(url: str, db: Database) -> None:
    """Whether the driver has heard nothing yet, the server's last word, or that it hung up."""
    await asyncio.gather(*(use(db, f"key {number}") for number in range(AT_ONCE)))
    for looks in range(TIMES):
        await end_all_connections(url)
        for _ in range(looks):
            await asyncio.sleep(0)
        await asyncio.gather(*(use(db, f"key {number}") for number in range(AT_ONCE)))


async def test_a_transaction_whose_connection_dies_in_the_middle_has_done_nothing(
    url: str, db: Database
) -> None:
    async def be_interrupted() -> None:
        async with db.write() as tx:
            await config.put(tx, "half", "done", now())
            await end_all_connections(url)
            await config.put(tx, "other half", "done", now())

    with pytest.raises(Unavailable):
        await be_interrupted()
    async with db.read() as tx:
        assert await config.get(tx, "half") is None
        assert await config.get(tx, "other half") is None


async def test_a_connection_that_was_just_used_is_not_asked_whether_it_lives(url: str, db: Database) -> None:
    """The question would be a transaction of its own that is rolled back."""
    for _ in range(TIMES):
        await use(db)
    await db.close()
    reader = open_database(url, pool_size=1)
    counted = sa.text(
        "SELECT xact_commit, xact_rollback FROM pg_stat_database WHERE datname = current_database()"
    )

    async def has_counted() -> bool:
        async with reader.read() as tx:
            found: Any = (await tx.across(counted)).one()
        assert found.xact_rollback <= AT_FIRST
        return bool(found.xact_commit >= TIMES)

    await until(has_counted)
    await reader.close()


async def test_no_session_waits_for_ever(db: Database) -> None:
    limits = ("lock_timeout", "idle_in_transaction_session_timeout")
    async with db.read() as tx:
        for name in limits:
            assert await tx.scalar(sa.select(sa.func.current_setting(name))) not in ("0", ""), name


async def test_a_lock_that_others_keep_is_told_as_a_busy_database(url: str, db: Database) -> None:
    await use(db)
    other = open_database(url, pool_size=1)
    async with other.write() as holder:
        await config.put(holder, "used", "no", now())

        async def wait_for_it() -> None:
            async with db.write() as tx:
                await tx.across(sa.text("SET LOCAL lock_timeout = '10ms'"))
                await config.put(tx, "used", "perhaps", now())

        with pytest.raises(DatabaseAway, match="too busy"):
            await wait_for_it()
    await other.close()
