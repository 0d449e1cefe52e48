"""Home: kinds with counts and sums by month, pages and credits by day, of one's own organisation alone."""

from __future__ import annotations

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from tests.api.projects.test_sheet_tables import edit, markdown
from tests.api.review.test_sheets import make_pile
from tests.support.accounts import new_person, set_members
from tests.support.org_api import OrgApi
from tests.support.product import Product
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def test_home_adds_up_each_kind_by_the_month_that_its_papers_print(product: Product) -> None:
    pile = await make_pile(product)
    home = await pile.api.get("/home")
    (kind,) = home["kinds"]
    assert (kind["prompt_id"], kind["name"], kind["documents"]) == (pile.prompt["prompt_id"], "Invoices", 3)
    assert [one["name"] for one in kind["newest"]] == ["c.txt", "a.txt", "b.txt"]
    assert (kind["amount"], kind["currency"]) == ("Total", None)
    assert kind["months"] == [
        {"month": "2026-01", "documents": 1, "amount": 1200.5},
        {"month": "2026-03", "documents": 2, "amount": 90.0},
    ]
    counts = await pile.api.get(pile.path)
    assert kind["to_check"] == counts["to_review"]
    (read,) = home["pages"]
    assert (read["day"], read["documents"]) == (now().date().isoformat(), 3)
    assert read["pages"] == 3
    assert home["credits"] is not None


async def test_a_deleted_document_leaves_home_and_strangers_see_nothing_of_it(product: Product) -> None:
    pile = await make_pile(product)
    await pile.api.call("DELETE", f"/documents/{pile.ids['a.txt']}")
    (kind,) = (await pile.api.get("/home"))["kinds"]
    assert (kind["documents"], [one["month"] for one in kind["months"]]) == (2, ["2026-03"])

    stranger = await product.new_tenant()
    own = OrgApi(product.client, stranger.organization_id, stranger.headers)
    empty = await own.get("/home")
    assert (empty["kinds"], empty["accuracy"], empty["pages"]) == ([], [], [])
    answer = await OrgApi(product.client, pile.api.organization_id, stranger.headers).call("GET", "/home")
    assert answer.status_code == 401


async def test_amounts_beyond_all_measure_break_nothing(product: Product) -> None:
    """PostgreSQL refuses a sum that no number can hold."""
    pile = await make_pile(product)
    prompt_id = pile.prompt["prompt_id"]
    for name in ("b.txt", "c.txt"):
        await edit(pile, name, "total", 1.7e308)
        await edit(pile, name, "date", "2026-03-01")
    (kind,) = (await pile.api.get("/home"))["kinds"]
    assert [one["documents"] for one in kind["months"]] == [1, 2]
    sums = await markdown(pile, "date", "total", form="sum")
    assert "2026-01 | 1200.50" in sums
    assert (await pile.api.get(f"/sheets/{prompt_id}"))["total_count"] == 3


async def test_only_admins_see_credits_on_home(product: Product) -> None:
    tenant = await product.new_tenant()
    person = await new_person(product)
    await set_members(product, tenant, Membership(person.id, Role.USER))
    member = OrgApi(product.client, tenant.organization_id, person.headers)
    assert (await member.get("/home"))["credits"] is None
