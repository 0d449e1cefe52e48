"""Statements that are left for later, and what is done last: nothing is lost, and nobody sees that they waited."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.store.accounts import config
from docagent.store.engine.database import Database, Tx
from docagent.store.engine.one_way import MOST_PARTS, in_one
from docagent.store.engine.tenancy import held
from docagent.store.tables import threads
from tests.store.test_built_statements import ALL_NAMES, INSERT_TAG, RENAME, names, new_organization, tag

COUNT = held(sa.select(sa.func.count()).select_from(threads))


@pytest.fixture
async def org(database: Database) -> str:
    return await new_organization(database)


async def test_what_waits_is_there_at_the_end(database: Database, org: str) -> None:
    async with database.write_org(org) as tx:
        await tx.execute_later(INSERT_TAG, [tag("a"), tag("b")])
        await tx.execute_later(INSERT_TAG, tag("c"))
    assert await names(database, org) == ["a", "b", "c"]


async def test_it_goes_with_the_next_statement_whose_rows_are_those_of_that_one(
    database: Database, org: str
) -> None:
    one = tag("one")
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, one)
        await tx.execute_later(INSERT_TAG, tag("two"))
        assert await tx.scalar(COUNT) == 0
        await tx.execute_later(RENAME, {"given_id": one["id"], "given_name": "three"})
        assert (await tx.execute(INSERT_TAG, tag("four"))).rowcount == 1
        assert [row.name for row in await tx.rows(ALL_NAMES)] == ["four", "three", "two"]


async def test_more_than_one_statement_can_hold(database: Database, org: str) -> None:
    many = [tag(f"{number:03}") for number in range(3 * MOST_PARTS)]
    async with database.write_org(org) as tx:
        for each in many:
            await tx.execute_later(INSERT_TAG, each)
    assert await names(database, org) == [each["name"] for each in many]


async def test_a_statement_that_sqlalchemy_runs_sees_it(database: Database, org: str) -> None:
    async with database.write_org(org) as tx:
        await tx.execute_later(INSERT_TAG, tag("a"))
        found = await tx.rows(sa.select(sa.func.count()).select_from(INSERT_TAG.statement.table))  # type: ignore[attr-defined]
        assert found[0][0] == 1


async def test_what_waits_belongs_to_its_savepoint(database: Database, org: str) -> None:
    async def fail(tx: Tx) -> None:
        async with tx.savepoint():
            await tx.execute_later(INSERT_TAG, tag("inside"))  # type: ignore[attr-defined]
            raise RuntimeError

    async with database.write_org(org) as tx:
        await tx.execute_later(INSERT_TAG, tag("outside"))
        with pytest.raises(RuntimeError):
            await fail(tx)
    assert await names(database, org) == ["outside"]


async def test_an_error_of_what_waits_undoes_all(database: Database, org: str) -> None:
    async def fail() -> None:
        async with database.write_org(org) as tx:
            await tx.execute_later(INSERT_TAG, tag("a"))
            await tx.execute_later(INSERT_TAG, tag("a"))

    with pytest.raises(sa.exc.IntegrityError):
        await fail()
    assert await names(database, org) == []


async def test_the_last_thing_is_done_last_and_in_the_transaction(database: Database) -> None:
    done: list[str] = []

    async def last() -> None:
        done.append("last")
        await config.put(tx, "last", "yes", now())

    async with database.write() as tx:
        tx.before_commit(last)
        await config.put(tx, "first", "yes", now())
        done.append("first")
        tx.after_commit(lambda: done.append("told"))
    assert done == ["first", "last", "told"]
    async with database.read() as tx:
        assert await config.get(tx, "last") == "yes"


async def test_if_the_last_thing_fails_nothing_is_kept(database: Database) -> None:
    told: list[str] = []

    async def fails() -> None:
        raise RuntimeError("no")

    async def be_undone() -> None:
        async with database.write() as tx:
            tx.before_commit(fails)
            tx.after_commit(lambda: told.append("told"))
            await config.put(tx, "undone", "yes", now())

    with pytest.raises(RuntimeError, match="no"):
        await be_undone()
    assert told == []
    async with database.read() as tx:
        assert await config.get(tx, "undone") is None


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_a_transaction_that_the_server_gave_up_is_not_taken_for_committed(
    database: Database, org: str
) -> None:
    async def go_on_after_an_error() -> None:
        async with database.write_org(org) as tx:
            await tx.execute(INSERT_TAG, tag("a"))
            with pytest.raises(sa.exc.IntegrityError):
                await tx.execute(INSERT_TAG, tag("a"))

    with pytest.raises(sa.exc.InvalidRequestError):
        await go_on_after_an_error()
    assert await names(database, org) == []


def test_places_of_values_are_counted_on() -> None:
    sql, values = in_one(
        [("INSERT INTO a VALUES ($1, $2, $1)", [1, 2]), ("UPDATE b SET c = $1 RETURNING d", [3])]
    )
    assert sql == "WITH part_0 AS (INSERT INTO a VALUES ($1, $2, $1)) UPDATE b SET c = $3 RETURNING d"
    assert values == [1, 2, 3]
    assert in_one([("SELECT $1", [4])]) == ("SELECT $1", [4])
