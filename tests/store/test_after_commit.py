"""What is to be done after a commit is done after it, and only then."""

from __future__ import annotations

import pytest

from docagent.domain.clock import now
from docagent.store.accounts import config
from docagent.store.engine.database import Database, Tx


async def value_of(db: Database, key: str) -> str | None:
    async with db.read() as tx:
        return await config.get(tx, key)


async def test_it_is_called_once_the_change_is_there(database: Database) -> None:
    called: list[str] = []
    async with database.write() as tx:
        await config.put(tx, "key", "value", now())
        tx.after_commit(lambda: called.append("first"))
        tx.after_commit(lambda: called.append("second"))
        assert called == []
    assert called == ["first", "second"]
    assert await value_of(database, "key") == "value"


async def test_it_is_not_called_when_the_change_is_undone(database: Database) -> None:
    called: list[str] = []

    async def fail() -> None:
        async with database.write() as tx:
            tx.after_commit(lambda: called.append("told"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert called == []


async def test_a_joined_part_waits_for_the_whole(database: Database) -> None:
    called: list[str] = []
    async with database.write_org("0" * 24) as tx:
        with tx.joined():
            async with database.write() as inner:
                inner.after_commit(lambda: called.append("told"))
        assert called == []
    assert called == ["told"]


async def test_a_part_that_is_undone_is_not_told_of(database: Database) -> None:
    called: list[str] = []

    async def fail(tx: Tx) -> None:
        async with tx.savepoint():
            tx.after_commit(lambda: called.append("undone"))
            raise RuntimeError

    async with database.write() as tx:
        tx.after_commit(lambda: called.append("before"))
        with pytest.raises(RuntimeError):
            await fail(tx)
        async with tx.savepoint():
            tx.after_commit(lambda: called.append("kept"))
    assert called == ["before", "kept"]
