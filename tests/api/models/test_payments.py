"""Credits and usage, as the published clients read them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from docagent.domain.clock import now
from tests.support.accounts import new_person
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

TODAY = now().date()
TOMORROW = TODAY + timedelta(days=1)
NEW = {
    "subscription_type": None,
    "usage_unit": "spu",
    "period_metered_usage": 0,
    "total_metered_usage": 0,
    "remaining_included": 0,
    "purchased_credits": 0,
    "purchased_credits_used": 0,
    "purchased_credits_remaining": 0,
    "granted_credits": 100,
    "granted_credits_used": 0,
    "granted_credits_remaining": 100,
    "period_start": None,
    "period_end": None,
    "limits_enforced": False,
    "held_credits": 0,
}


@pytest.fixture
async def root(product: Product, tenant: Tenant) -> OrgApi:
    """The tenant's organisation as a system administrator calls it, who is no member."""
    return OrgApi(product.client, tenant.organization_id, await product.admin_headers())


@pytest.fixture
async def plain(product: Product, tenant: Tenant, api: OrgApi) -> OrgApi:
    """The API as a member who is no admin."""
    person = await new_person(product)
    members = [{"user_id": tenant.user_id, "role": "admin"}, {"user_id": person.id, "role": "user"}]
    path = f"/v0/account/organizations/{tenant.organization_id}"
    answer = await product.client.put(path, json={"members": members}, headers=await product.admin_headers())
    assert answer.status_code == 200, answer.text
    return OrgApi(product.client, tenant.organization_id, person.headers)


async def spend(api: OrgApi, spus: int, **more: str) -> Any:
    return await api.post("/payments/usage", {"spus": spus, "operation": "document_llm", **more})


async def test_a_new_organisation_shows_what_it_was_granted(api: OrgApi) -> None:
    assert await api.get("/payments/usage") == {"usage_source": "local", "data": NEW}


async def test_usage_is_taken_from_the_grant_and_then_owed(api: OrgApi) -> None:
    none = {"from_subscription": 0, "from_purchased": 0, "from_granted": 0, "from_paid": 0}
    assert await spend(api, 3) == none | {"from_granted": 3}
    assert await spend(api, 100) == none | {"from_granted": 97, "from_paid": 3}
    data = (await api.get("/payments/usage"))["data"]
    assert (data["granted_credits_used"], data["granted_credits_remaining"]) == (100, 0)
    assert data["total_metered_usage"] == 3


async def test_usage_by_day_operation_and_source(api: OrgApi) -> None:
    await spend(api, 3)
    await spend(api, 2)
    await spend(api, 4, source="elsewhere")
    await api.post("/payments/usage", {"spus": 28, "operation": "agent_llm"})
    found = await api.get("/payments/usage/range", start_date=f"{TODAY}", end_date=f"{TOMORROW}")
    day = {"date": f"{TODAY}"}
    assert found == {
        "data_points": [
            day | {"spus": 28, "operation": "agent_llm", "source": "backend"},
            day | {"spus": 5, "operation": "document_llm", "source": "backend"},
            day | {"spus": 4, "operation": "document_llm", "source": "elsewhere"},
        ],
        "total_spus": 37,
    }
    assert await api.get("/payments/usage/range") == found
    with_time = {"start_date": f"{TODAY}T00:00:00Z", "end_date": f"{TOMORROW}T00:00:00.000Z"}
    assert await api.get("/payments/usage/range", **with_time) == found
    until_today = await api.get("/payments/usage/range", start_date="2020-01-01", end_date=f"{TODAY}")
    assert until_today == {"data_points": [], "total_spus": 0}


async def test_usage_broken_down(api: OrgApi, tenant: Tenant) -> None:
    await spend(api, 3)
    await spend(api, 2)
    await api.post("/payments/usage", {"spus": 28, "operation": "agent_llm"})
    rest = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    found = await api.get("/payments/usage/breakdown", by="operation")
    assert found == {
        "by": "operation",
        "groups": [
            {"key": "agent_llm", "calls": 1, "spus": 28} | rest,
            {"key": "document_llm", "calls": 2, "spus": 5} | rest,
        ],
        "total_spus": 33,
    }
    for by, key in (("user", tenant.user_id), ("day", f"{TODAY}"), ("model", "")):
        (group,) = (await api.get("/payments/usage/breakdown", by=by))["groups"]
        assert group == {"key": key, "calls": 3, "spus": 33} | rest
    none = await api.get("/payments/usage/breakdown", by="day", end_date=f"{TODAY}")
    assert none["groups"] == []


async def test_days_must_be_dates(api: OrgApi) -> None:
    detail = await api.refused(400, "GET", "/payments/usage/range", start_date="soon")
    assert detail == "start_date is not a date: 'soon'. Use the form 2026-11-15."
    backwards = {"start_date": f"{TOMORROW}", "end_date": f"{TODAY}"}
    assert "before" in await api.refused(400, "GET", "/payments/usage/range", **backwards)
    await api.refused(422, "GET", "/payments/usage/breakdown", by="colour")


async def test_credits_are_added_by_system_administrators(api: OrgApi, root: OrgApi) -> None:
    added = await root.post("/payments/credits/add", {"amount": 5})
    assert added == {"success": True, "added": 5, "credits_added": 5, "new_balance": 105}
    assert (await api.get("/payments/usage"))["data"]["granted_credits"] == 105
    detail = await api.refused(403, "POST", "/payments/credits/add", {"amount": 5})
    assert detail == "Admin access required"
    await root.refused(422, "POST", "/payments/credits/add", {"amount": 0})


async def test_limits_are_enforced_where_an_administrator_says_so(api: OrgApi, root: OrgApi) -> None:
    assert await root.put("/payments/limits", {"enforced": True}) == {
        "enforced": True,
        "remaining_credits": 100,
    }
    await spend(api, 98)
    body = {"spus": 3, "operation": "document_llm"}
    detail = await api.refused(402, "POST", "/payments/usage", body)
    assert detail.startswith("Insufficient SPU credits: 3 needed, 2 left.")
    await spend(api, 2)
    data = (await api.get("/payments/usage"))["data"]
    assert (data["granted_credits_remaining"], data["limits_enforced"]) == (0, True)
    assert await root.put("/payments/limits", {"enforced": False}) == {
        "enforced": False,
        "remaining_credits": 0,
    }
    assert (await spend(api, 3))["from_paid"] == 3
    assert await api.refused(403, "PUT", "/payments/limits", {"enforced": True}) == "Admin access required"


async def test_what_members_may_see(plain: OrgApi) -> None:
    for path in ("/payments/usage", "/payments/usage/range", "/payments/usage/breakdown"):
        assert await plain.refused(403, "GET", path) == "You are not an admin of this organization"
    body = {"spus": 1, "operation": "document_llm"}
    assert (
        await plain.refused(403, "POST", "/payments/usage", body)
        == "You are not an admin of this organization"
    )
    assert await plain.get("/payments/credits/config") == {
        "price_per_credit": 0.0,
        "currency": "usd",
        "min_cost": 0.0,
        "max_cost": 0.0,
    }


async def test_there_is_nothing_to_pay_with(api: OrgApi) -> None:
    subscription = await api.get("/payments/subscription")
    assert (subscription["plans"], subscription["stripe_enabled"]) == ([], False)
    portal = await api.post("/payments/customer-portal", {})
    assert portal == {"payment_portal_url": "", "stripe_enabled": False}
    for method, path, body in (
        ("PUT", "/payments/subscription", None),
        ("PUT", "/payments/subscription", {}),
        ("DELETE", "/payments/subscription", None),
        ("POST", "/payments/checkout-session", {"plan_id": "team"}),
        ("POST", "/payments/credits/purchase", {"credits": 5, "success_url": "x", "cancel_url": "y"}),
    ):
        detail = await api.refused(400, method, path, body)
        assert detail.startswith("Payments are not set up on this server.")


async def test_unknown_organisations(product: Product) -> None:
    headers = await product.admin_headers()
    for unknown in ("0123456789abcdef01234567", "zz"):
        nowhere = OrgApi(product.client, unknown, headers)
        await nowhere.refused(404, "POST", "/payments/credits/add", {"amount": 5})
        await nowhere.refused(404, "PUT", "/payments/limits", {"enforced": True})
