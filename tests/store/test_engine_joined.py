"""Parts of a transaction: savepoints, and use cases that take part in an open transaction."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.store.accounts import config
from docagent.store.engine.database import Database, Tx
from docagent.store.engine.tenancy import UnscopedStatement
from docagent.store.tables import deployment_config, tags
from tests.support.polling import SECONDS


async def put(db: Database, key: str, value: str) -> None:
    """A use case that opens a transaction of its own."""
    async with db.write() as tx:
        await config.put(tx, key, value, now())


async def put_twice(db: Database, key: str) -> None:
    """One that the database refuses."""
    async with db.write() as tx:
        row = {"key": key, "sealed_value": "value", "updated_at": now()}
        await tx.execute(sa.insert(deployment_config).values(row))
        await tx.execute(sa.insert(deployment_config).values(row))


async def value_of(db: Database, key: str, *, long: bool = False) -> str | None:
    async with db.read(long=long) as tx:
        return await config.get(tx, key)


async def test_a_savepoint_undoes_only_its_part(database: Database) -> None:
    async def fail(tx: Tx) -> None:
        async with tx.savepoint():
            await config.put(tx, "inside", "value", now())
            raise RuntimeError

    async with database.write() as tx:
        await config.put(tx, "before", "value", now())
        with pytest.raises(RuntimeError):
            await fail(tx)
        async with tx.savepoint():
            await config.put(tx, "kept", "value", now())
        await config.put(tx, "after", "value", now())
    found = [await value_of(database, key) for key in ("before", "inside", "kept", "after")]
    assert found == ["value", None, "value", "value"]


async def test_a_joined_use_case_is_committed_with_the_outer_transaction(database: Database) -> None:
    async with database.write() as tx:
        with tx.joined():
            await put(database, "key", "value")
        async with asyncio.timeout(SECONDS):
            assert await value_of(database, "key") is None
    assert await value_of(database, "key") == "value"


async def test_a_joined_use_case_is_undone_with_the_outer_transaction(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as tx:
            with tx.joined():
                await put(database, "key", "value")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await value_of(database, "key") is None


@pytest.mark.parametrize("long", [True, False])
async def test_a_joined_read_sees_what_the_outer_transaction_wrote(database: Database, long: bool) -> None:
    async with database.write() as tx:
        await config.put(tx, "key", "value", now())
        with tx.joined():
            assert await value_of(database, "key", long=long) == "value"
        await config.put(tx, "key", "later", now())
    assert await value_of(database, "key") == "later"


async def test_a_joined_failure_in_a_savepoint_leaves_the_outer_transaction_usable(
    database: Database,
) -> None:
    async with database.write() as tx:
        await config.put(tx, "before", "value", now())
        with tx.joined():
            with pytest.raises(sa.exc.IntegrityError):
                async with tx.savepoint():
                    await put_twice(database, "key")
            await put(database, "after", "value")
    found = [await value_of(database, key) for key in ("before", "key", "after")]
    assert found == ["value", None, "value"]


async def test_a_task_that_outlives_the_joined_part_has_transactions_of_its_own(database: Database) -> None:
    go = asyncio.Event()

    async def later() -> None:
        await go.wait()
        await put(database, "later", "value")

    async def start() -> asyncio.Task[None]:
        async with database.write() as tx:
            with tx.joined():
                task = asyncio.create_task(later())
                await asyncio.sleep(0)
            await config.put(tx, "outer", "value", now())
        return task

    task = await start()
    go.set()
    async with asyncio.timeout(SECONDS):
        await task
    assert await value_of(database, "later") == "value"


async def test_a_statement_that_was_found_safe_is_not_taken_for_one_with_another_id(
    database: Database,
) -> None:
    """Statements of one shape are looked at once for each way in which the organisation's id is in them."""
    ours, theirs = new_id(), new_id()

    async def titles(tx: Tx, organization_id: str) -> list[str]:
        named = sa.select(tags.c.id).where(tags.c.organization_id == organization_id).scalar_subquery()
        return [row.key for row in await tx.rows(sa.select(deployment_config).where(named.is_not(None)))]

    async with database.read_org(ours) as tx:
        assert await titles(tx, ours) == []
        assert await titles(tx, ours) == []
        with pytest.raises(UnscopedStatement):
            await titles(tx, theirs)
    async with database.read_org(theirs) as tx:
        with pytest.raises(UnscopedStatement):
            await titles(tx, ours)
        assert await titles(tx, theirs) == []
    async with database.read() as plain:
        with pytest.raises(UnscopedStatement):
            await titles(plain, ours)
