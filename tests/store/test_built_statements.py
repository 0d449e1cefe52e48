"""Statements that are built beforehand give on both databases what SQLAlchemy gives."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import CursorResult

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.store.engine.database import Database, OrgTx, open_database
from docagent.store.engine.schema import migrate
from docagent.store.engine.tenancy import Built, UnscopedStatement, held
from docagent.store.tables import documents, organizations, tags, threads, users, webhooks
from tests.support.polling import SECONDS

NAMED = held(sa.select(tags).where(tags.c.name == sa.bindparam("given_name")))
INSERT_TAG = held(sa.insert(tags))
RENAME = held(
    sa.update(tags).where(tags.c.id == sa.bindparam("given_id")).values(name=sa.bindparam("given_name"))
)
ALL_NAMES = held(sa.select(tags.c.name).order_by(tags.c.name))
EAST = timezone(timedelta(hours=5, minutes=30))


async def new_organization(database: Database) -> str:
    organization_id = new_id()
    async with database.write() as tx:
        await tx.execute(sa.insert(organizations).values(**organization(organization_id)))
    return organization_id


def organization(organization_id: str) -> dict[str, Any]:
    return {
        "id": organization_id,
        "name": organization_id,
        "name_folded": organization_id,
        "type": "team",
        "default_prompt_enabled": False,
        "experimental_features": True,
        "flow_log_level": "info",
        "ocr_config": {"languages": ["eng", "ü"], "deep": {"of": [1, 2.5, None, True]}},
        "created_at": datetime(2026, 1, 2, 3, 4, 5, 678901, EAST),
        "updated_at": now(),
    }


def tag(name: str, **values: Any) -> dict[str, Any]:
    row = {
        "id": new_id(),
        "name": name,
        "name_folded": name.casefold(),
        "color": "#000000",
        "description": None,
        "description_folded": None,
        "created_at": now(),
        "created_by": "somebody",
    }
    return row | values


async def names(database: Database, organization_id: str) -> list[str]:
    async with database.read_org(organization_id) as tx:
        return [row.name for row in await tx.rows(ALL_NAMES)]


@pytest.fixture
async def org(database: Database) -> str:
    return await new_organization(database)


async def test_rows_are_those_of_sqlalchemy(database: Database, org: str) -> None:
    """Times, JSON, booleans and NULL, by name and by place."""
    statement = sa.select(organizations).where(organizations.c.id == sa.bindparam("given_id"))
    async with database.read() as tx:
        ours = await tx.first(held(statement), {"given_id": org})
        theirs = await tx.first(statement, {"given_id": org})
    assert ours is not None
    assert theirs is not None
    assert tuple(ours) == tuple(theirs)
    assert [type(value) for value in ours] == [type(value) for value in theirs]
    assert dict(ours._mapping) == dict(theirs._mapping)
    assert ours.created_at == datetime(2026, 1, 1, 21, 34, 5, 678901, UTC)
    assert ours.created_at.tzinfo is UTC
    assert (ours.default_prompt_enabled, ours.experimental_features) == (False, True)
    assert ours.ocr_config["deep"]["of"] == [1, 2.5, None, True]
    assert ours.default_model is None


async def test_values_are_stored_as_sqlalchemy_stores_them(database: Database) -> None:
    first, second = new_id(), new_id()
    at = now()
    async with database.write() as tx:
        await tx.execute(held(sa.insert(organizations)), organization(first) | {"updated_at": at})
        await tx.execute(sa.insert(organizations), organization(second) | {"updated_at": at})
        columns = [column for column in organizations.c if column.name not in ("id", "name", "name_folded")]
        rows = await tx.rows(
            sa.select(*columns).where(organizations.c.id.in_([first, second])).order_by(organizations.c.id)
        )
        raw = sa.select(
            sa.cast(organizations.c.created_at, sa.Text), sa.cast(organizations.c.ocr_config, sa.Text)
        )
        stored = await tx.rows(raw.where(organizations.c.id.in_([first, second])))
    assert rows[0] == rows[1]
    assert stored[0] == stored[1]


async def test_columns_of_one_name_in_two_tables(database: Database) -> None:
    other = tags.alias("other")
    statement = held(sa.select(tags.c.id, other.c.id, tags.c.name).where(tags.c.name == other.c.name))
    org = await new_organization(database)
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, tag("one"))
        row = await tx.first(statement)
    assert row is not None
    assert tuple(row) == (row.id, row.id, "one")


async def test_a_list_that_is_part_of_the_statement(database: Database, org: str) -> None:
    statement = held(sa.select(tags.c.name).where(tags.c.name.in_(("a", "c"))).order_by(tags.c.name))
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, [tag("a"), tag("b"), tag("c")])
        assert [row.name for row in await tx.rows(statement)] == ["a", "c"]


async def test_a_list_that_is_given(database: Database, org: str) -> None:
    wanted: sa.BindParameter[Any] = sa.bindparam("given_names", expanding=True)
    statement = held(sa.select(tags.c.name).where(tags.c.name.in_(wanted)).order_by(tags.c.name))
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, [tag("a"), tag("b"), tag("c")])
        for asked in (["a"], ["a", "c"], []):
            assert [row.name for row in await tx.rows(statement, {"given_names": asked})] == asked


async def test_what_a_statement_tells(database: Database, org: str) -> None:
    one = tag("one")
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, one)
        changed = await tx.execute(RENAME, {"given_id": one["id"], "given_name": "two"})
        nothing = await tx.execute(RENAME, {"given_id": new_id(), "given_name": "three"})
        assert (changed.rowcount, nothing.rowcount) == (1, 0)
        assert await tx.scalar(ALL_NAMES) == "two"
        assert (await tx.execute(ALL_NAMES)).scalar_one() == "two"
        assert (await tx.execute(ALL_NAMES)).one().name == "two"
        assert await tx.first(NAMED, {"given_name": "one"}) is None
        with pytest.raises(sa.exc.NoResultFound):
            (await tx.execute(NAMED, {"given_name": "one"})).one()


async def test_a_value_that_is_missing(database: Database, org: str) -> None:
    async with database.read_org(org) as tx:
        with pytest.raises(sa.exc.SQLAlchemyError, match="given_name"):
            await tx.rows(NAMED, {"another": 1})


@pytest.mark.parametrize("statement", [INSERT_TAG, sa.insert(tags)], ids=["built", "through SQLAlchemy"])
async def test_an_error_names_no_values(database: Database, org: str, statement: Any) -> None:
    """They are texts of conversations and documents, and errors are logged."""
    one = tag("one", description="said in confidence")
    with pytest.raises(sa.exc.IntegrityError) as told:
        async with database.write_org(org) as tx:
            await tx.execute(statement, [one, one])
    assert "said in confidence" not in str(told.value)


async def test_errors_have_sqlalchemys_names(database: Database, org: str) -> None:
    one = tag("one")
    with pytest.raises(sa.exc.IntegrityError):
        async with database.write_org(org) as tx:
            await tx.execute(INSERT_TAG, one | {"name": None})
    with pytest.raises(sa.exc.IntegrityError):
        async with database.write_org(org) as tx:
            await tx.execute(INSERT_TAG, [one, one])
    assert await names(database, org) == []


async def test_a_statement_is_refused_that_is_not_held(database: Database, org: str) -> None:
    subquery = sa.select(tags.c.id).where(tags.c.id == threads.c.id)
    for statement in (
        sa.select(documents.c.id).where(documents.c.id.in_(sa.select(tags.c.id).scalar_subquery())),
        sa.select(users.c.id).where(subquery.exists()),
        sa.text("SELECT 1"),
    ):
        with pytest.raises(UnscopedStatement):
            held(statement)
    async with database.read() as tx:
        with pytest.raises(UnscopedStatement):
            await tx.rows(ALL_NAMES)
    across: Any = Built(sa.select(tags))
    async with database.read_org(org) as tx:
        with pytest.raises(UnscopedStatement):
            await tx.rows(across)


async def test_it_sees_and_changes_one_organisation(database: Database, org: str) -> None:
    other = await new_organization(database)
    theirs = tag("theirs")
    async with database.write_org(other) as tx:
        await tx.execute(INSERT_TAG, theirs)
    async with database.write_org(org) as tx:
        assert (await tx.execute(RENAME, {"given_id": theirs["id"], "given_name": "ours"})).rowcount == 0
    assert (await names(database, org), await names(database, other)) == ([], ["theirs"])


async def test_it_is_undone_with_its_transaction(database: Database, org: str) -> None:
    async def fail() -> None:
        async with database.write_org(org) as tx:
            await tx.execute(INSERT_TAG, tag("undone"))
            await tx.execute(sa.insert(webhooks).values(**webhook()))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await names(database, org) == []
    async with database.read_org(org) as tx:
        assert await tx.rows(sa.select(webhooks)) == []


async def test_it_takes_part_in_savepoints(database: Database, org: str) -> None:
    """With statements of both kinds, one inside the other."""

    async def fail(tx: OrgTx, name: str) -> None:
        async with tx.savepoint():
            await tx.execute(INSERT_TAG, tag(name))
            await tx.execute(sa.insert(tags).values(**tag(f"{name} too")))
            raise RuntimeError

    async with database.write_org(org) as tx:
        await tx.execute(sa.insert(tags).values(**tag("before")))
        async with tx.savepoint():
            await tx.execute(INSERT_TAG, tag("kept"))
            with pytest.raises(RuntimeError):
                await fail(tx, "inner")
            assert [row.name for row in await tx.rows(ALL_NAMES)] == ["before", "kept"]
        with pytest.raises(RuntimeError):
            await fail(tx, "outer")
        await tx.execute(INSERT_TAG, tag("after"))
    assert await names(database, org) == ["after", "before", "kept"]


async def test_a_statement_of_either_kind_sees_the_others_work(database: Database, org: str) -> None:
    async with database.write_org(org) as tx:
        await tx.execute(INSERT_TAG, tag("built"))
        assert await tx.scalar(sa.select(sa.func.count()).select_from(tags)) == 1
        await tx.execute(sa.insert(tags).values(**tag("unbuilt")))
        assert [row.name for row in await tx.rows(ALL_NAMES)] == ["built", "unbuilt"]


async def test_more_transactions_than_connections_wait_for_one_another(database: Database, org: str) -> None:
    """The fixture's pool has at most ten."""
    gate, full, inside = asyncio.Event(), asyncio.Event(), 0

    async def read() -> int:
        nonlocal inside
        async with database.read_org(org) as tx:
            inside += 1
            if inside == 10:
                full.set()
            await gate.wait()
            return len(await tx.rows(ALL_NAMES))

    tasks = [asyncio.create_task(read()) for _ in range(30)]
    async with asyncio.timeout(SECONDS):
        await full.wait()
        await asyncio.sleep(0)
        assert inside == 10
        tasks[-1].cancel()
        gate.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
    assert found[:-1] == [0] * 29
    assert isinstance(found[-1], asyncio.CancelledError)
    assert inside == 29


async def test_a_setting_sends_everything_through_sqlalchemy(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    await migrate(url)
    for through_sqlalchemy in (True, False):
        statement = held(sa.select(organizations.c.id))
        database = open_database(url, all_through_sqlalchemy=through_sqlalchemy)
        async with database.read() as tx:
            result: Any = await tx.execute(statement)
            assert result.all() == []
        await database.close()
        assert isinstance(result, CursorResult) is through_sqlalchemy


def webhook() -> Mapping[str, Any]:
    return {
        "id": new_id(),
        "url": "https://example.com",
        "sealed_secret": "sealed",
        "events": [],
        "active": True,
        "created_by": new_id(),
        "created_at": now(),
        "updated_at": now(),
    }
