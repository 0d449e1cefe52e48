"""A copy of one organisation with one document: all that a turn may look at, and nothing of anybody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.errors import NotFound
from docagent.domain.ids import new_id
from docagent.store import copying
from docagent.store.copying import COPIED, LEFT_OUT, NOT_OWNED, copy_organization
from docagent.store.engine.database import Database, open_database
from docagent.store.tables import document_pages, documents, metadata, organizations, users
from tests.support.made.household import Household, furnish
from tests.support.product import Product
from tests.support.services.databases import Databases

BY_CONDITION = ("extraction_revisions", "document_pages")


def test_every_table_is_copied_or_left_out_on_purpose() -> None:
    copied = [table.name for table, _ in COPIED]
    listed = [*copied, *BY_CONDITION, *NOT_OWNED, *LEFT_OUT]
    assert sorted(listed) == sorted(metadata.tables)
    assert all(reason for reason in LEFT_OUT.values())


@pytest.fixture
async def target(databases: Databases) -> AsyncIterator[Database]:
    opened = open_database(await databases.new("sqlite"), pool_size=1)
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
async def household(product: Product) -> Household:
    """One of everything takes forty requests. Tests may change its document, and add no second one."""
    return await furnish(product, await product.new_tenant())


@pytest.fixture
async def own_household(product: Product) -> Household:
    return await furnish(product, await product.new_tenant())


async def rows(database: Database, table: sa.Table, organization_id: str) -> list[dict[str, Any]]:
    """Of the organisation, or all of a table that belongs to none."""
    async with database.read_org(organization_id) as tx:
        found = [dict(row._mapping) for row in await tx.rows(sa.select(table))]
    keys = [column.name for column in table.primary_key]
    return sorted(found, key=lambda row: [str(row[key]) for key in keys])


async def test_all_of_the_organisation_is_there(
    product: Product, household: Household, target: Database
) -> None:
    """One of everything, equal to the last column, from both databases."""
    db, org = product.services.db, household.tenant.organization_id
    await copy_organization(db, target, org, household.ids["document_id"], household.tenant.user_id)
    for table in (*(table for table, _ in COPIED), *(metadata.tables[name] for name in BY_CONDITION)):
        original = await rows(db, table, org)
        assert await rows(target, table, org) == original, table.name
        assert original or table.name in ("organization_llm_providers",), f"no row of {table.name} to look at"
    for name in LEFT_OUT:
        table = metadata.tables[name]
        async with target.read_org(org) as tx:
            assert await tx.scalar(sa.select(sa.func.count()).select_from(table)) == 0, name
    (person,) = await rows(target, users, org)
    assert person["id"] == household.tenant.user_id
    assert [row["id"] for row in await rows(target, organizations, org)] == [org]


async def test_nothing_else_is_there(product: Product, own_household: Household, target: Database) -> None:
    """No other document, no older reading, no password."""
    household = own_household
    db, org, document_id = product.services.db, household.tenant.organization_id, household.ids["document_id"]
    other = await furnish(product, household.tenant)
    async with db.write_org(org) as tx:
        old = {"document_id": document_id, "run_id": new_id(), "number": 1, "text": "old", "layout": b""}
        await tx.execute(sa.insert(document_pages).values(**old))
        await tx.execute(
            sa.update(users).where(users.c.id == household.tenant.user_id).values(password_hash="hash")
        )
    await copy_organization(db, target, org, document_id, household.tenant.user_id)
    assert [row["id"] for row in await rows(target, documents, org)] == [document_id]
    assert {row["document_id"] for row in await rows(target, document_pages, org)} == {document_id}
    assert "old" not in [row["text"] for row in await rows(target, document_pages, org)]
    assert [row["password_hash"] for row in await rows(target, users, org)] == [None]
    assert other.ids["document_id"] != document_id


async def test_many_pages_are_copied_in_batches(
    product: Product, household: Household, target: Database
) -> None:
    db, org, document_id = product.services.db, household.tenant.organization_id, household.ids["document_id"]
    count = 2 * copying.PAGES_AT_ONCE + 1
    async with db.write_org(org) as tx:
        run_id = await tx.scalar(sa.select(documents.c.text_run_id).where(documents.c.id == document_id))
        page = {"organization_id": org, "document_id": document_id, "run_id": run_id, "layout": b"x"}
        made = [{**page, "number": number, "text": f"page {number}"} for number in range(2, count + 1)]
        await tx.execute(sa.insert(document_pages), made)
    await copy_organization(db, target, org, document_id, household.tenant.user_id)
    copied = await rows(target, document_pages, org)
    assert sorted(row["number"] for row in copied) == list(range(1, count + 1))


async def test_whoever_acts_is_there_though_no_member(
    product: Product, household: Household, target: Database
) -> None:
    db, org = product.services.db, household.tenant.organization_id
    await copy_organization(db, target, org, household.ids["document_id"], product.admin_id)
    people = {row["id"] for row in await rows(target, users, org)}
    assert people == {household.tenant.user_id, product.admin_id}


async def test_an_organisation_that_is_not_there(product: Product, target: Database) -> None:
    with pytest.raises(NotFound):
        await copy_organization(product.services.db, target, new_id(), new_id(), new_id())


async def test_a_snapshot_does_not_see_what_comes_later(product: Product, household: Household) -> None:
    db, org = product.services.db, household.tenant.organization_id
    names = sa.select(documents.c.name)
    async with db.snapshot_org(org) as tx:
        before = await tx.rows(names)
        async with db.write_org(org) as other:
            await other.execute(sa.update(documents).values(name="changed", state_updated_at=now()))
        assert await tx.rows(names) == before
    async with db.read_org(org) as tx:
        assert [row.name for row in await tx.rows(names)] == ["changed"]


async def test_a_transaction_joins_none_of_another_database(
    product: Product, household: Household, target: Database
) -> None:
    """What is written to the one is kept when the other is rolled back."""
    db, org = product.services.db, household.tenant.organization_id

    async def write_and_fail() -> None:
        async with target.write_org(org) as copied:
            with copied.joined():
                async with db.write_org(org) as real:
                    await real.execute(sa.update(documents).values(name="kept"))
                raise RuntimeError

    with pytest.raises(RuntimeError):
        await write_and_fail()
    async with db.read_org(org) as tx:
        assert [row.name for row in await tx.rows(sa.select(documents.c.name))] == ["kept"]
