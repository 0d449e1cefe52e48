"""Named things with versions: numbers without gaps, names that are taken or free, however many write at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import DocAgentError, InvalidInput, NotFound
from docagent.domain.extraction.artefacts import NameTaken, Schema
from docagent.domain.ids import new_id
from docagent.domain.listing import Found, ListQuery, list_query
from docagent.services.extraction.prompts import PromptConfig
from docagent.store.engine.database import Database
from docagent.store.extraction.schemas import FIELDS, SCHEMAS
from docagent.store.tables import schema_revisions, schemas
from tests.support.product import Product, Tenant

USER = new_id()


@pytest.fixture
def db(product: Product) -> Database:
    return product.services.db


@pytest.fixture
def member(tenant: Tenant) -> Member:
    return tenant.member


def values(text: str = "a") -> dict[str, Any]:
    schema = {"type": "object", "title": text}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}}


async def save(db: Database, org: str, name: str, text: str = "a") -> Schema:
    async with db.write_org(org) as tx:
        return await SCHEMAS.save(tx, name, values(text), USER)


async def test_the_same_name_counts_up_and_a_deleted_one_starts_again(db: Database, org: str) -> None:
    first, second = await save(db, org, "Name"), await save(db, org, "NAME")
    assert (first.version, second.version) == (1, 2)
    assert (second.id, second.name) == (first.id, "Name")
    async with db.write_org(org) as tx:
        await SCHEMAS.delete(tx, first.id, now())
    again = await save(db, org, "name")
    assert (again.version, again.name) == (1, "name")
    async with db.read_org(org) as tx:
        assert await SCHEMAS.get(tx, first.revid) is None
        assert await SCHEMAS.latest(tx, first.id) is None
        assert await SCHEMAS.version(tx, first.id, 1) is None
        assert await SCHEMAS.versions(tx, first.id) == []
        assert await SCHEMAS.get(tx, again.revid) == again


async def test_a_rolled_back_version_leaves_no_gap(db: Database, org: str) -> None:
    await save(db, org, "n")

    async def save_and_fail() -> None:
        async with db.write_org(org) as tx:
            await SCHEMAS.save(tx, "n", values(), USER)
            raise LookupError

    with pytest.raises(LookupError):
        await save_and_fail()
    assert (await save(db, org, "n")).version == 2


async def test_writers_at_once_get_numbers_without_gaps(db: Database, org: str, other: Tenant) -> None:
    mine = [save(db, org, "race", str(number)) for number in range(10)]
    theirs = [save(db, other.organization_id, "race", str(number)) for number in range(3)]
    made = await asyncio.gather(*mine, *theirs)
    assert sorted(schema.version for schema in made[:10]) == list(range(1, 11))
    assert sorted(schema.version for schema in made[10:]) == [1, 2, 3]
    last = max(made[:10], key=lambda schema: schema.version)
    async with db.read_org(org) as tx:
        assert await SCHEMAS.latest(tx, last.id) == last
        assert (await SCHEMAS.search(tx, ListQuery(), FIELDS)) == Found([last], 1, 0)


async def test_the_newest_is_the_highest_version_not_the_newest_id(db: Database, org: str) -> None:
    made = await save(db, org, "n")
    older_id = "00000000" + new_id()[8:]
    async with db.write_org(org) as tx:
        revision = {"id": older_id, "head_id": made.id, "version": 2, "created_at": now(), "created_by": USER}
        await tx.execute(sa.insert(schema_revisions).values(**revision, **values("2")))
        await tx.execute(
            sa.update(schemas).where(schemas.c.id == made.id).values(version=2, latest_revid=older_id)
        )
        newest = await SCHEMAS.latest(tx, made.id)
        assert newest is not None
        assert (newest.revid, newest.version) == (older_id, 2)
        assert await SCHEMAS.search(tx, list_query(name_search="N"), FIELDS) == Found([newest], 1, 0)
        assert await SCHEMAS.versions(tx, made.id) == [newest, made]
        assert await SCHEMAS.version(tx, made.id, 1) == made


async def test_of_many_renamed_to_one_name_one_succeeds(db: Database, org: str) -> None:
    made = [await save(db, org, f"n{number}") for number in range(5)]

    async def rename(schema: Schema) -> bool:
        try:
            async with db.write_org(org) as tx:
                await SCHEMAS.rename(tx, schema.id, "Goal")
        except NameTaken:
            return False
        return True

    assert sorted(await asyncio.gather(*map(rename, made))) == [False] * 4 + [True]


async def test_a_lock_finds_only_live_heads_of_the_organisation(
    db: Database, org: str, other: Tenant
) -> None:
    made = await save(db, org, "n")
    async with db.write_org(other.organization_id) as tx:
        assert not await SCHEMAS.lock(tx, made.id)
        await SCHEMAS.delete(tx, made.id, now())
    async with db.write_org(org) as tx:
        assert await SCHEMAS.lock(tx, made.id)
        await SCHEMAS.delete(tx, made.id, now())
        assert not await SCHEMAS.lock(tx, made.id)


async def outcome(work: Any) -> DocAgentError | None:
    try:
        await work
    except DocAgentError as error:
        return error
    return None


async def test_a_schema_is_never_deleted_under_a_prompt(product: Product, member: Member) -> None:
    services = product.services
    for number in range(6):
        schema = await services.schemas.create(member, name=f"s{number}", **values())
        config = PromptConfig(name=f"p{number}", content="c", schema_id=schema.id)
        linked, deleted = await asyncio.gather(
            outcome(services.prompts.create(member, config)),
            outcome(services.schemas.delete(member, schema.id)),
        )
        assert (linked is None) != (deleted is None), (linked, deleted)
        assert isinstance(linked or deleted, NotFound if linked else InvalidInput)


async def test_a_tag_is_never_deleted_under_a_prompt(product: Product, member: Member) -> None:
    services = product.services
    for number in range(6):
        tag = await services.tags.create(member, name=f"t{number}")
        config = PromptConfig(name=f"p{number}", content="c", tag_ids=[tag.id])
        linked, deleted = await asyncio.gather(
            outcome(services.prompts.create(member, config)),
            outcome(services.tags.delete(member, tag.id)),
        )
        assert (linked is None) != (deleted is None), (linked, deleted)


async def test_a_deleted_head_is_not_changed_by_a_late_update(product: Product, member: Member) -> None:
    services = product.services
    for number in range(6):
        schema = await services.schemas.create(member, name=f"s{number}", **values())
        changed, deleted = await asyncio.gather(
            outcome(services.schemas.update(member, schema.id, name=None, **values("b"))),
            outcome(services.schemas.delete(member, schema.id)),
        )
        assert deleted is None
        assert changed is None or isinstance(changed, NotFound)
        with pytest.raises(NotFound):
            await services.schemas.get(member, schema.revid)
