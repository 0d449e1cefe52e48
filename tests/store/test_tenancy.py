"""A statement on a table that belongs to organisations runs for one organisation, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.store.engine.database import Database
from docagent.store.engine.tenancy import HOLDER, UnscopedStatement, held, scope, unscoped
from docagent.store.tables import document_tags, documents, members, organizations, tags, users
from tests.support.product import Product, Tenant
from tests.support.tables import table

MINE, THEIRS = "a" * 24, "b" * 24


@pytest.fixture
def db(product: Product) -> Database:
    return product.services.db


def tag(organization_id: str | None = None, **values: Any) -> dict[str, Any]:
    row = {"id": new_id(), "name": new_id(), "name_folded": "t", "color": "", "created_at": now()}
    row |= {"created_by": new_id()}
    return row | ({"organization_id": organization_id} if organization_id else {}) | values


@pytest.fixture
async def both(db: Database, tenant: Tenant, other: Tenant) -> tuple[str, str]:
    """Two organisations with one tag each, of the same name."""
    for organization_id in (tenant.organization_id, other.organization_id):
        async with db.write_org(organization_id) as tx:
            await tx.execute(sa.insert(tags).values(**tag(name="same")))
    return tenant.organization_id, other.organization_id


async def names(db: Database, organization_id: str) -> list[str]:
    async with db.read_org(organization_id) as tx:
        return [row.name for row in await tx.rows(sa.select(tags.c.name).order_by(tags.c.name))]


# --- what a scoped transaction sees and changes -----------------------------------------------------------------


async def test_a_select_sees_one_organisation(db: Database, both: tuple[str, str]) -> None:
    for organization_id in both:
        async with db.read_org(organization_id) as tx:
            rows = await tx.rows(sa.select(tags))
            assert [row.organization_id for row in rows] == [organization_id]
            assert await tx.scalar(sa.select(sa.func.count()).select_from(tags)) == 1


async def test_a_join_is_held_on_both_sides(db: Database, both: tuple[str, str]) -> None:
    across = sa.select(tags.c.id, members.c.user_id).join_from(tags, members, sa.true())
    async with db.read_org(both[0]) as tx:
        assert len(await tx.rows(across)) == 1
    other_name = tags.alias("other_tags")
    async with db.read_org(both[0]) as tx:
        rows = await tx.rows(sa.select(tags.c.id, other_name.c.id).where(tags.c.name == other_name.c.name))
        assert len(rows) == 1


async def test_an_update_changes_one_organisation(db: Database, both: tuple[str, str]) -> None:
    async with db.write_org(both[0]) as tx:
        assert (await tx.execute(sa.update(tags).values(name="new"))).rowcount == 1
    assert [await names(db, organization_id) for organization_id in both] == [["new"], ["same"]]


async def test_a_delete_clears_one_organisation(db: Database, both: tuple[str, str]) -> None:
    async with db.write_org(both[0]) as tx:
        assert (await tx.execute(sa.delete(tags))).rowcount == 1
    assert [await names(db, organization_id) for organization_id in both] == [[], ["same"]]


async def test_an_insert_of_many_rows_lands_in_one_organisation(db: Database, both: tuple[str, str]) -> None:
    async with db.write_org(both[0]) as tx:
        await tx.execute(sa.insert(tags), [tag(name="one"), tag(name="two")])
        await tx.execute(sa.insert(tags), [tag(both[0], name="zulu")])
    assert await names(db, both[0]) == ["one", "same", "two", "zulu"]
    assert await names(db, both[1]) == ["same"]


async def test_rows_of_another_organisation_cannot_be_smuggled_in(
    db: Database, both: tuple[str, str]
) -> None:
    mine, theirs = both
    statements: list[tuple[Any, Any]] = [
        (sa.insert(tags), [tag(mine, name="one"), tag(theirs, name="two")]),
        (sa.insert(tags), tag(theirs)),
        (sa.insert(tags).values([tag(mine), tag(theirs)]), None),
        (sa.insert(tags).from_select(["id"], sa.select(tags.c.id)), None),
    ]
    for statement, parameters in statements:
        with pytest.raises(UnscopedStatement, match="tags"):
            async with db.write_org(mine) as tx:
                await tx.execute(statement, parameters)
    async with db.write_org(mine) as tx:
        await tx.execute(sa.insert(tags).values(**tag(theirs, name="kept at home")))
    assert await names(db, mine) == ["kept at home", "same"]
    assert await names(db, theirs) == ["same"]


async def test_a_row_cannot_be_handed_to_another_organisation(db: Database, both: tuple[str, str]) -> None:
    for statement, parameters in (
        (sa.update(tags).values(organization_id=both[1]), None),
        (sa.update(tags), {"organization_id": both[1]}),
    ):
        with pytest.raises(UnscopedStatement, match="tags"):
            async with db.write_org(both[0]) as tx:
                await tx.execute(statement, parameters)


async def test_a_held_statement_runs_for_whichever_organisation(db: Database, both: tuple[str, str]) -> None:
    mine, theirs = both
    named = held(sa.select(tags).where(tags.c.name == sa.bindparam("given_name")))
    renamed = held(sa.update(tags).values(name=sa.bindparam("given_name")))
    insert = held(sa.insert(tags))
    for organization_id in both:
        async with db.read_org(organization_id) as tx:
            rows = await tx.rows(named, {"given_name": "same"})
            assert [row.organization_id for row in rows] == [organization_id]
    async with db.write_org(mine) as tx:
        await tx.execute(renamed, {"given_name": "mine"})
        await tx.execute(insert, [tag(name="one"), tag(name="two")])
    assert await names(db, mine) == ["mine", "one", "two"]
    assert await names(db, theirs) == ["same"]


async def test_a_held_statement_takes_its_organisation_from_the_transaction_alone(
    db: Database, both: tuple[str, str]
) -> None:
    mine, theirs = both
    insert, select = held(sa.insert(tags)), held(sa.select(tags))
    for statement, parameters in (
        (insert, tag(theirs)),
        (insert, [tag(), tag(theirs)]),
        (select, {HOLDER: theirs}),
    ):
        with pytest.raises(UnscopedStatement, match="from the transaction alone"):
            async with db.write_org(mine) as tx:
                await tx.execute(statement, parameters)
    with pytest.raises(UnscopedStatement, match="of an organisation only"):
        async with db.read() as tx:
            await tx.execute(select)
    async with db.read() as tx:
        assert await tx.scalar(held(sa.select(sa.func.count()).select_from(organizations)))


def test_what_cannot_be_held_cannot_be_made() -> None:
    for statement in (
        sa.select(documents.c.id).where(documents.c.id.in_(sa.select(document_tags.c.document_id))),
        sa.update(tags).values(organization_id=THEIRS),
        sa.text("select 1 from tags"),
    ):
        with pytest.raises(UnscopedStatement):
            held(statement)


async def test_one_transaction_serves_both_kinds_of_table(db: Database, both: tuple[str, str]) -> None:
    async with db.read() as tx:
        assert await tx.scalar(sa.select(organizations.c.id).where(organizations.c.id == both[0])) == both[0]
        inside = db.in_org(tx, both[0])
        assert len(await inside.rows(sa.select(tags))) == 1
        with pytest.raises(UnscopedStatement):
            await tx.rows(sa.select(tags))
        assert len((await tx.across(sa.select(tags).where(tags.c.organization_id.in_(both)))).all()) == 2


# --- what a plain transaction refuses ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        sa.select(tags),
        sa.select(tags).where(tags.c.organization_id == MINE),
        sa.select(sa.func.count()).select_from(tags),
        sa.select(users).join(members, members.c.user_id == users.c.id),
        sa.select(users).where(users.c.id.in_(sa.select(members.c.user_id))),
        sa.select(sa.select(tags.c.id).limit(1).scalar_subquery()),
        sa.select(sa.exists(sa.select(tags.c.id))),
        sa.select(sa.select(tags).subquery()),
        sa.select(sa.select(tags).cte()),
        sa.select(tags.alias()),
        sa.union(sa.select(users.c.id), sa.select(tags.c.id)),
        sa.insert(tags).values(tag(MINE)),
        sa.update(tags).values(name="x"),
        sa.delete(tags),
        sa.delete(users).where(users.c.id.in_(sa.select(members.c.user_id))),
        sa.update(users).values(name=sa.select(tags.c.name).limit(1).scalar_subquery()),
        sa.update(users).where(users.c.id == members.c.user_id).values(name="x"),
        sa.insert(users).from_select(["id"], sa.select(tags.c.id)),
        sa.text("SELECT * FROM tags"),
        sa.select(users).where(sa.text("1 = 1")),
    ],
    ids=str,
)
async def test_owned_tables_and_raw_sql_are_refused_outside_of_an_organisation(
    db: Database, statement: Any
) -> None:
    with pytest.raises(UnscopedStatement):
        async with db.write() as tx:
            await tx.execute(statement)


async def test_tables_of_no_organisation_are_free(db: Database, tenant: Tenant) -> None:
    async with db.read() as tx:
        found = await tx.first(sa.select(users).where(users.c.id == tenant.user_id))
    assert found is not None


# --- what counts as held ----------------------------------------------------------------------------------------


def loose(statement: Any, organization_id: str = MINE) -> set[str]:
    return unscoped(scope(statement, organization_id), None, organization_id)


INNER = sa.select(document_tags.c.document_id)


@table(
    ("statement", "tables"),
    [
        (sa.select(documents).where(documents.c.id.in_(INNER)), {"document_tags"}),
        (sa.select(documents).where(documents.c.id.in_(sa.select(documents.c.id))), {"documents"}),
        (sa.select(sa.select(documents).subquery()), {"documents"}),
        (sa.select(sa.select(documents).cte("c")), {"documents"}),
        (sa.select(sa.update(tags).values(name="x").returning(tags.c.id).cte("c")), {"tags"}),
        (sa.select(sa.delete(tags).returning(tags.c.id).cte("c")), {"tags"}),
        (
            sa.select(
                sa.update(tags)
                .where(tags.c.organization_id == MINE)
                .values(organization_id=THEIRS)
                .returning(tags.c.id)
                .cte("c")
            ),
            {"tags"},
        ),
        (
            sa.select(sa.insert(tags).values(**tag(THEIRS)).returning(tags.c.id).cte("c")),
            {"tags"},
        ),
        (
            sa.insert(tags).from_select(
                ["id", "organization_id"], sa.select(sa.literal("one"), sa.literal(THEIRS))
            ),
            {"tags"},
        ),
        (sa.insert(tags).from_select(["id", "organization_id"], sa.select(users.c.id, users.c.id)), {"tags"}),
        (sa.select(documents, sa.select(documents.c.id).subquery()), {"documents"}),
        (sa.delete(documents).where(documents.c.id.in_(INNER)), {"document_tags"}),
        (sa.update(documents).values(name=sa.select(tags.c.name).scalar_subquery()), {"tags"}),
        (sa.update(documents).where(documents.c.id == document_tags.c.document_id), {"document_tags"}),
        (
            sa.select(documents).where(
                documents.c.id.in_(INNER.where(document_tags.c.organization_id == THEIRS))
            ),
            {"document_tags"},
        ),
        (
            sa.select(documents).where(
                documents.c.id.in_(INNER.where(sa.or_(document_tags.c.organization_id == MINE, sa.true()))),
            ),
            {"document_tags"},
        ),
        (
            sa.select(documents).where(
                documents.c.id.in_(INNER.where(document_tags.c.organization_id != MINE))
            ),
            {"document_tags"},
        ),
        (
            sa.select(documents).where(
                documents.c.id.in_(INNER.where(sa.not_(document_tags.c.organization_id == MINE)))
            ),
            {"document_tags"},
        ),
        (
            sa.select(sa.select(documents.c.id, tags.c.id).where(tags.c.organization_id == MINE).subquery()),
            {"documents"},
        ),
    ],
)
def test_a_subquery_that_is_not_held_is_named(statement: Any, tables: set[str]) -> None:
    assert loose(statement) == tables


HELD = INNER.where(document_tags.c.organization_id == MINE)


@table(
    "statement",
    [
        sa.select(documents).where(documents.c.id.in_(HELD)),
        sa.select(documents).where(
            documents.c.id.in_(
                HELD.join(tags, tags.c.id == document_tags.c.tag_id).where(tags.c.organization_id == MINE)
            )
        ),
        sa.select(documents).where(sa.exists(HELD.where(document_tags.c.document_id == documents.c.id))),
        sa.select(sa.select(documents).where(documents.c.organization_id == MINE).subquery()),
        sa.delete(documents).where(documents.c.id.in_(HELD)),
        sa.select(documents).join(document_tags, document_tags.c.document_id == documents.c.id),
        sa.select(documents.alias("d")),
        sa.select(users),
    ],
)
def test_what_is_held_everywhere_may_run(statement: Any) -> None:
    assert loose(statement) == set()


def test_an_outer_join_holds_its_right_side_alone() -> None:
    condition = sa.and_(
        document_tags.c.document_id == documents.c.id,
        document_tags.c.organization_id == MINE,
        documents.c.organization_id == MINE,
    )
    outer = sa.select(documents.c.id).select_from(documents.outerjoin(document_tags, condition))
    inner = sa.select(documents.c.id).select_from(documents.join(document_tags, condition))
    full = sa.select(documents.c.id).select_from(documents.outerjoin(document_tags, condition, full=True))
    assert unscoped(outer, None, MINE) == {"documents"}
    assert unscoped(inner, None, MINE) == set()
    assert unscoped(full, None, MINE) == {"documents", "document_tags"}
    assert unscoped(inner, None, THEIRS) == {"documents", "document_tags"}


def test_an_outer_join_stays_one_and_must_hold_its_right_side_itself() -> None:
    tagged = document_tags.c.document_id == documents.c.id
    forgotten = sa.select(documents.c.id).outerjoin_from(documents, document_tags, tagged)
    assert unscoped(scope(forgotten, MINE), None, MINE) == {"document_tags"}
    with_its_own = sa.select(documents.c.id).outerjoin_from(
        documents, document_tags, sa.and_(tagged, document_tags.c.organization_id == MINE)
    )
    scoped = scope(with_its_own, MINE)
    assert unscoped(scoped, None, MINE) == set()
    assert "document_tags" not in str(scoped).partition("WHERE")[2]


def test_rows_of_a_select_and_changes_within_a_statement_are_held_by_the_id() -> None:
    changed = (
        sa.update(tags)
        .where(tags.c.organization_id == MINE)
        .values(name="new")
        .returning(tags.c.name)
        .cte("changed")
    )
    copied = sa.insert(tags).from_select(
        ["organization_id", "name"], sa.select(sa.literal(MINE), changed.c.name)
    )
    assert unscoped(copied, None, MINE) == set()
    assert unscoped(copied, None, THEIRS) == {"tags"}
