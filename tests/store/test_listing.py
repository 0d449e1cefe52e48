"""Every filter, sort and page on both databases."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.listing import ListQuery, list_query
from docagent.store.engine.database import Database
from docagent.store.listing import (
    FEW,
    number_field,
    one_page,
    one_page_by_search,
    order,
    text_field,
    time_field,
    where,
)
from docagent.store.tables import jobs
from tests.support.product import Product, Tenant

DAY = timedelta(days=1)
MIDNIGHT = now().replace(year=2026, month=3, day=5, hour=0, minute=0, second=0, microsecond=0)
ROWS: dict[str, dict[str, Any]] = {
    "plain": {"error": "alpha beta", "attempts": 1, "run_at": MIDNIGHT - DAY},
    "upper": {"error": "ALPHA Gamma", "attempts": 2, "run_at": MIDNIGHT},
    "odd": {
        "error": r"100%_\x",
        "attempts": 3,
        "run_at": MIDNIGHT + timedelta(hours=10, minutes=30, seconds=5),
    },
    "blank": {"error": "", "attempts": 10, "run_at": MIDNIGHT + DAY},
    "null": {"error": None, "attempts": 20, "run_at": MIDNIGHT + 2 * DAY},
}
FIELDS = {
    "error": text_field(jobs.c.error),
    "kind": text_field(jobs.c.kind, jobs.c.kind),
    "attempts": number_field(jobs.c.attempts),
    "run_at": time_field(jobs.c.run_at),
    "finished_at": time_field(jobs.c.finished_at),
}
ALL = set(ROWS)


@pytest.fixture(scope="module")
async def shelf(product: Product) -> Tenant:
    """An organisation with the rows above; the jobs are done, so that no worker takes them."""
    tenant = await product.new_tenant()
    async with product.services.db.write_org(tenant.organization_id) as tx:
        for kind, values in ROWS.items():
            row = {"id": new_id(), "kind": kind, "arguments": {}, "state": "done", "max_attempts": 1}
            row |= {"progress": 0, "created_at": now(), "finished_at": now() if kind == "plain" else None}
            await tx.execute(sa.insert(jobs).values(**row, **values))
    return tenant


async def found(product: Product, shelf: Tenant, query: ListQuery) -> tuple[list[str], int]:
    statement = sa.select(jobs.c.kind)
    if (condition := where(query.filters, FIELDS)) is not None:
        statement = statement.where(condition)
    db: Database = product.services.db
    async with db.read_org(shelf.organization_id) as tx:
        rows, total = await one_page(tx, statement, order(query, FIELDS, [jobs.c.id]), query)
    return [row.kind for row in rows], total


def filtered(*items: tuple[str, str, Any], joined: str = "and") -> ListQuery:
    entries = [{"field": field, "operator": operator, "value": value} for field, operator, value in items]
    return list_query(filters=json.dumps({"items": entries, "logicOperator": joined}))


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("contains", "ALPHA", {"plain", "upper"}),
        ("contains", "%", {"odd"}),
        ("contains", "0%_", {"odd"}),
        ("contains", "a_p", set()),
        ("contains", "\\", {"odd"}),
        ("doesNotContain", "alpha", {"odd", "blank", "null"}),
        ("does not contain", "alpha", {"odd", "blank", "null"}),
        ("equals", "Alpha Beta", {"plain"}),
        ("=", "alpha beta", {"plain"}),
        ("is", "alpha", set()),
        ("doesNotEqual", "alpha beta", {"upper", "odd", "blank", "null"}),
        ("!=", "alpha beta", {"upper", "odd", "blank", "null"}),
        ("not", "alpha beta", {"upper", "odd", "blank", "null"}),
        ("startsWith", "alpha", {"plain", "upper"}),
        ("starts with", "100%", {"odd"}),
        ("startsWith", "_", set()),
        ("endsWith", "GAMMA", {"upper"}),
        ("ends with", "\\x", {"odd"}),
        ("isEmpty", None, {"blank", "null"}),
        ("is empty", None, {"blank", "null"}),
        ("isNotEmpty", None, {"plain", "upper", "odd"}),
        ("isAnyOf", ["ALPHA BETA", "alpha gamma", "nothing"], {"plain", "upper"}),
        ("isAnyOf", "alpha beta", {"plain"}),
        ("isAnyOf", [], ALL),
        ("after", "2026-03-05", ALL),
        ("unheard of", "alpha", ALL),
        ("contains", "", ALL),
        ("contains", None, ALL),
    ],
)
async def test_text(product: Product, shelf: Tenant, operator: str, value: Any, expected: set[str]) -> None:
    kinds, total = await found(product, shelf, filtered(("error", operator, value)))
    assert set(kinds) == expected
    assert total == len(expected)


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("equals", 1, {"plain"}),
        ("=", "1", {"plain"}),
        ("!=", 1, {"upper", "odd", "blank", "null"}),
        ("isAnyOf", [1, 20], {"plain", "null"}),
        ("contains", "0", {"blank", "null"}),
    ],
)
async def test_numbers(
    product: Product, shelf: Tenant, operator: str, value: Any, expected: set[str]
) -> None:
    kinds, _ = await found(product, shelf, filtered(("attempts", operator, value)))
    assert set(kinds) == expected


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("is", "2026-03-05", {"upper", "odd"}),
        ("equals", "2026-03-05T10:30", {"odd"}),
        ("equals", "2026-03-05T10:30+00:00", {"odd"}),
        ("equals", "2026-03-05T12:30+02:00", {"odd"}),
        ("equals", "2026-03-05T12:30-00:00", set()),
        ("equals", "2026-03-05T10:30:05Z", {"odd"}),
        ("equals", "2026-03-05T10:30:06Z", set()),
        ("not", "2026-03-05", {"plain", "blank", "null"}),
        ("after", "2026-03-05", {"blank", "null"}),
        ("after", "2026-03-05T10:30", {"blank", "null"}),
        ("onOrAfter", "2026-03-05", {"upper", "odd", "blank", "null"}),
        ("on or after", "2026-03-06", {"blank", "null"}),
        ("before", "2026-03-05", {"plain"}),
        ("onOrBefore", "2026-03-05", {"plain", "upper", "odd"}),
        ("isEmpty", None, set()),
        ("isNotEmpty", None, ALL),
        ("is", "no date", ALL),
        ("contains", "2026", ALL),
        ("after", "9999-12-31", ALL),
        ("after", "0001-01-01T00:00:00+14:00", ALL),
        ("after", "9999-12-31T23:59:59-14:00", ALL),
        ("after", 20260305, {"blank", "null"}),
        ("after", {"no": "date"}, ALL),
    ],
)
async def test_times(product: Product, shelf: Tenant, operator: str, value: Any, expected: set[str]) -> None:
    kinds, _ = await found(product, shelf, filtered(("run_at", operator, value)))
    assert set(kinds) == expected


async def test_an_empty_time(product: Product, shelf: Tenant) -> None:
    assert set((await found(product, shelf, filtered(("finished_at", "isEmpty", None))))[0]) == ALL - {
        "plain"
    }
    assert (await found(product, shelf, filtered(("finished_at", "isNotEmpty", None))))[0] == ["plain"]


async def test_filters_are_joined_as_asked(product: Product, shelf: Tenant) -> None:
    two = (("error", "contains", "alpha"), ("attempts", "equals", 1))
    assert (await found(product, shelf, filtered(*two)))[0] == ["plain"]
    assert set((await found(product, shelf, filtered(*two, joined="or")))[0]) == {"plain", "upper"}
    unknown = (*two, ("no such column", "equals", "x"))
    assert (await found(product, shelf, filtered(*unknown)))[0] == ["plain"]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ([], ["null", "blank", "odd", "upper", "plain"]),
        ([{"field": "attempts", "sort": "asc"}], ["plain", "upper", "odd", "blank", "null"]),
        ([{"field": "attempts", "sort": "desc"}], ["null", "blank", "odd", "upper", "plain"]),
        ([{"field": "kind", "sort": "asc"}], ["blank", "null", "odd", "plain", "upper"]),
        ([{"field": "run_at", "sort": "DESC"}], ["null", "blank", "odd", "upper", "plain"]),
        ([{"field": "unknown", "sort": "asc"}], ["null", "blank", "odd", "upper", "plain"]),
    ],
)
async def test_order(product: Product, shelf: Tenant, sort: list[Any], expected: list[str]) -> None:
    assert (await found(product, shelf, list_query(sort=json.dumps(sort))))[0] == expected


@pytest.mark.parametrize(
    "sort", [None, '[{"field":"kind","sort":"asc"}]', '[{"field":"error","sort":"desc"}]']
)
async def test_pages_are_cut_from_the_same_order_from_either_end(
    product: Product, shelf: Tenant, sort: str | None
) -> None:
    whole, _ = await found(product, shelf, list_query(limit=100, sort=sort))
    for limit in (1, 2, 4, 100):
        pages = []
        for skip in range(0, 8, limit):
            kinds, total = await found(product, shelf, list_query(skip, limit, sort=sort))
            assert total == len(ROWS)
            assert kinds == whole[skip : skip + limit]
            pages += kinds
        assert pages == whole
    assert await found(product, shelf, list_query(10**30)) == ([], len(ROWS))


async def test_a_search_that_finds_many_counts_and_pages_like_a_list(product: Product) -> None:
    tenant = await product.new_tenant()
    names = [f"job {number:05}" for number in range(FEW + 3)]
    row = {"arguments": {}, "state": "done", "max_attempts": 1, "attempts": 1, "progress": 0}
    row |= {"organization_id": tenant.organization_id, "created_at": now(), "run_at": now()}
    async with product.services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(sa.insert(jobs), [row | {"id": new_id(), "kind": name} for name in names])

    async def page(text: str, skip: int, limit: int) -> tuple[list[str], int]:
        keys = sa.select(jobs.c.kind).where(jobs.c.kind.contains(text))
        async with product.services.db.read_org(tenant.organization_id) as tx:
            rows, total = await one_page_by_search(tx, keys, [jobs.c.kind.asc()], ListQuery(skip, limit))
        return [found.kind for found in rows], total

    for skip, limit in (
        (0, 2),
        (FEW - 2, 2),
        (FEW - 1, 2),
        (FEW, 2),
        (FEW + 2, 2),
        (FEW + 3, 2),
        (FEW * 2, 2),
    ):
        assert await page("job", skip, limit) == (names[skip : skip + limit], FEW + 3), skip
    few = [name for name in names if "job 0000" in name]
    assert await page("job 0000", 0, 3) == (few[:3], 10)
    assert await page("job 0000", 9, 3) == (few[9:], 10)
    assert await page("job 0000", 10, 3) == ([], 10)
    assert await page("nothing", 0, 3) == ([], 0)
