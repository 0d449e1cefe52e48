"""API tokens: how they are made, what they open, and how they end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.clock import now
from docagent.security.secrets import token_hash
from docagent.store.tables import access_tokens
from tests.support.product import Product, Tenant

INVALID = "Invalid authentication credentials: invalid token"
NOT_A_MEMBER = "You are not a member of this organization"
UNKNOWN = "0123456789abcdef01234567"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def make(client: httpx2.AsyncClient, base: str, headers: dict[str, str], **body: Any) -> dict[str, Any]:
    answer = await client.post(
        f"{base}/access_tokens", json={"name": "mine", "lifetime": 0} | body, headers=headers
    )
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def call(client: httpx2.AsyncClient, path: str, headers: dict[str, str]) -> tuple[int, Any]:
    answer = await client.get(path, headers=headers)
    return answer.status_code, answer.json().get("detail")


async def row_of(product: Product, token_id: str) -> Any:
    async with product.services.db.read() as tx:
        return await tx.first(sa.select(access_tokens).where(access_tokens.c.id == token_id))


async def change_row(product: Product, token_id: str, **values: Any) -> None:
    async with product.services.db.write() as tx:
        await tx.execute(sa.update(access_tokens).where(access_tokens.c.id == token_id).values(**values))


async def replace_members(product: Product, organization_id: str, *members: Membership) -> None:
    await product.services.organizations.update(
        product.admin, organization_id, name=None, type=None, members=members, flags={}, ocr_config=None
    )


# --- making, listing, revoking ----------------------------------------------------------------------------------


async def test_a_token_is_shown_once_and_then_only_its_beginning(
    client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers, name="for the robot")
    assert made["token"].startswith("org_")
    assert len(made["token"]) == len("org_") + 43
    assert made["organization_id"] == tenant.organization_id
    assert made["user_id"] == tenant.user_id
    assert (made["name"], made["lifetime"], made["last_used_at"]) == ("for the robot", 0, None)
    assert made["scope"] == "ask"
    assert made["created_at"].endswith("Z")
    listed = (await client.get(f"{tenant.base}/access_tokens", headers=tenant.headers)).json()
    (found,) = [token for token in listed["access_tokens"] if token["id"] == made["id"]]
    assert found == made | {"token": made["token"][:10]}


async def test_an_account_token_names_no_organisation(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    made = await make(client, "/v0/account", tenant.account_headers)
    assert made["token"].startswith("acc_")
    assert made["organization_id"] is None
    answer = await client.get("/v0/account/access_tokens", headers=tenant.account_headers)
    listed = [token["id"] for token in answer.json()["access_tokens"]]
    assert made["id"] in listed
    in_organization = await client.get(f"{tenant.base}/access_tokens", headers=tenant.headers)
    assert made["id"] not in [token["id"] for token in in_organization.json()["access_tokens"]]


async def test_only_a_hash_of_the_token_is_stored(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers)
    row = await row_of(product, made["id"])
    assert row.token_hash == token_hash(made["token"])
    assert row.token_start == made["token"][:10]
    assert made["token"][10:] not in str(row)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"name": "x"}, 422),
        ({"lifetime": 1}, 422),
        ({"name": "", "lifetime": 1}, 422),
        ({"name": "x", "lifetime": "soon"}, 422),
        ({"name": "x", "lifetime": 1, "scope": "all"}, 422),
        ({"name": "x", "lifetime": -1}, 400),
        ({"name": "x", "lifetime": 100_001}, 400),
        ({"name": "x", "lifetime": 10**9}, 400),
        ({"name": "x", "lifetime": 10**30}, 400),
    ],
)
async def test_a_token_that_cannot_be_made_is_refused(
    client: httpx2.AsyncClient, tenant: Tenant, body: dict[str, Any], status: int
) -> None:
    for base, headers in ((tenant.base, tenant.headers), ("/v0/account", tenant.account_headers)):
        answer = await client.post(f"{base}/access_tokens", json=body, headers=headers)
        assert answer.status_code == status, answer.text


async def test_a_token_lives_for_a_hundred_thousand_days(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    made = await make(client, tenant.base, tenant.headers, lifetime=100_000)
    assert made["lifetime"] == 100_000
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (200, None)


async def test_a_revoked_token_is_dead_at_once(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    made = await make(client, tenant.base, tenant.headers)
    path = f"{tenant.base}/access_tokens/{made['id']}"
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (200, None)
    answer = await client.delete(path, headers=tenant.headers)
    assert answer.json() == {"message": "Token deleted successfully"}
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (401, INVALID)
    again = await client.delete(path, headers=tenant.headers)
    assert (again.status_code, again.json()["detail"]) == (404, "Token not found")


async def test_tokens_of_others_can_be_neither_seen_nor_revoked(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant, other: Tenant
) -> None:
    await replace_members(
        product,
        tenant.organization_id,
        Membership(tenant.user_id, Role.ADMIN),
        Membership(other.user_id, Role.ADMIN),
    )
    mine = await make(client, tenant.base, tenant.headers)
    listed = await client.get(f"{tenant.base}/access_tokens", headers=other.account_headers)
    assert listed.json() == {"access_tokens": []}
    path = f"{tenant.base}/access_tokens/{mine['id']}"
    assert (await client.delete(path, headers=other.account_headers)).status_code == 404
    assert await call(client, f"{tenant.base}/tags", bearer(mine["token"])) == (200, None)


async def test_a_system_admin_may_make_tokens_in_an_organisation_they_do_not_belong_to(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    root = await product.admin_headers()
    made = await make(client, tenant.base, root)
    assert made["organization_id"] == tenant.organization_id
    missing = await client.post(
        f"/v0/orgs/{UNKNOWN}/access_tokens", json={"name": "x", "lifetime": 0}, headers=root
    )
    assert (missing.status_code, missing.json()["detail"]) == (404, "Organization not found")


# --- tokens that tokens make -------------------------------------------------------------------------------------


async def test_a_token_makes_none_that_outlives_it(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    for base, maker in (("/v0/account", tenant.account_headers), (tenant.base, tenant.headers)):
        short = await make(client, base, maker, lifetime=10)
        assert (await make(client, base, bearer(short["token"]), lifetime=9))["lifetime"] == 9
        for lifetime in (0, 11, 100):
            answer = await client.post(
                f"{base}/access_tokens",
                json={"name": "longer", "lifetime": lifetime},
                headers=bearer(short["token"]),
            )
            assert answer.status_code == 400
            assert "cannot last longer" in answer.json()["detail"]


async def test_a_revoked_token_takes_along_what_was_made_with_it(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    leaked = await make(client, "/v0/account", tenant.account_headers)
    child = await make(client, "/v0/account", bearer(leaked["token"]))
    grandchild = await make(client, tenant.base, bearer(child["token"]))
    assert await call(client, f"{tenant.base}/tags", bearer(grandchild["token"])) == (200, None)
    path = f"/v0/account/access_tokens/{leaked['id']}"
    assert (await client.delete(path, headers=tenant.account_headers)).status_code == 200
    for token in (leaked, child, grandchild):
        assert await call(client, f"{tenant.base}/tags", bearer(token["token"])) == (401, INVALID)
        assert await row_of(product, token["id"]) is None
    assert await call(client, f"{tenant.base}/tags", tenant.account_headers) == (200, None)


# --- what they open ---------------------------------------------------------------------------------------------


async def test_a_call_without_credentials_is_told_so(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    for headers in ({}, {"Authorization": ""}, {"Authorization": "Basic abc"}, {"X-Api-Key": ""}):
        answer = await client.get(f"{tenant.base}/tags", headers=headers)
        assert answer.status_code == 401
        assert answer.json()["detail"] == "No authentication credentials provided"
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("token", ["x", "org_" + "x" * 43, "acc_", "a.b.c", "\xe9"])
async def test_an_unknown_token_is_refused(client: httpx2.AsyncClient, tenant: Tenant, token: str) -> None:
    for header, value in (("Authorization", f"Bearer {token}"), ("X-Api-Key", token)):
        headers = {header: value.encode("latin-1")}
        answer = await client.get(f"{tenant.base}/tags", headers=headers)  # type: ignore[arg-type]
        assert (answer.status_code, answer.json()["detail"]) == (401, INVALID)


async def test_both_headers_are_accepted_and_bearer_wins(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    path = f"{tenant.base}/tags"
    assert await call(client, path, {"X-Api-Key": tenant.token}) == (200, None)
    assert await call(client, path, bearer(tenant.token) | {"X-Api-Key": "wrong"}) == (200, None)
    assert await call(client, path, bearer("wrong") | {"X-Api-Key": tenant.token}) == (401, INVALID)


async def test_a_session_token_is_no_api_key(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    session = await product.services.identity.signed_token(tenant.user_id)
    assert await call(client, f"{tenant.base}/tags", bearer(session)) == (200, None)
    assert await call(client, f"{tenant.base}/tags", {"X-Api-Key": session}) == (401, INVALID)


ACCOUNT_PATHS = ["access_tokens", "organizations", "users", "auth/me", "aws_config", "email/invitations"]


@pytest.mark.parametrize("path", ACCOUNT_PATHS)
async def test_an_organisation_token_opens_no_account_path(
    client: httpx2.AsyncClient, tenant: Tenant, path: str
) -> None:
    assert await call(client, f"/v0/account/{path}", tenant.headers) == (401, INVALID)


async def test_an_organisation_token_may_ask_for_the_models(
    client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    assert await call(client, "/v0/account/llm/models", tenant.headers) == (200, None)
    assert (await call(client, "/v0/account/llm/models", {}))[0] == 401


async def test_an_account_token_opens_the_organisations_of_its_owner_alone(
    client: httpx2.AsyncClient, tenant: Tenant, other: Tenant
) -> None:
    assert await call(client, f"{tenant.base}/tags", tenant.account_headers) == (200, None)
    assert await call(client, f"{tenant.base}/tags", other.account_headers) == (403, NOT_A_MEMBER)


async def test_an_organisation_token_opens_no_other_organisation_even_of_the_same_owner(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant, other: Tenant
) -> None:
    await replace_members(
        product,
        other.organization_id,
        Membership(other.user_id, Role.ADMIN),
        Membership(tenant.user_id, Role.ADMIN),
    )
    for path in ("tags", "access_tokens"):
        assert await call(client, f"{other.base}/{path}", tenant.headers) == (401, INVALID)
    answer = await client.post(
        f"{other.base}/access_tokens", json={"name": "more", "lifetime": 0}, headers=tenant.headers
    )
    assert (answer.status_code, answer.json()["detail"]) == (401, INVALID)
    assert await call(client, f"{other.base}/tags", tenant.account_headers) == (200, None)


async def test_a_system_admin_is_no_member(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    root = await product.admin_headers()
    assert await call(client, f"{tenant.base}/tags", root) == (403, NOT_A_MEMBER)


async def test_a_token_dies_with_the_membership(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant, other: Tenant
) -> None:
    admin, guest = Membership(tenant.user_id, Role.ADMIN), Membership(other.user_id, Role.USER)
    await replace_members(product, tenant.organization_id, admin, guest)
    made = await make(client, tenant.base, other.account_headers)
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (200, None)
    await replace_members(product, tenant.organization_id, admin)
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (401, INVALID)
    assert await row_of(product, made["id"]) is None
    await replace_members(product, tenant.organization_id, admin, guest)
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (401, INVALID)


async def test_a_document_says_which_token_uploaded_it(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers, name="scanner in the hall")
    body = {"documents": [{"name": "a.txt", "content": "aGk="}]}
    answer = await client.post(f"{tenant.base}/documents", json=body, headers=bearer(made["token"]))
    assert answer.json()["documents"][0]["uploaded_by"] == "scanner in the hall"


# --- time -------------------------------------------------------------------------------------------------------


async def test_a_token_ends_after_its_lifetime(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers, lifetime=3)
    row = await row_of(product, made["id"])
    assert row.expires_at - row.created_at == timedelta(days=3)
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (200, None)
    await change_row(product, made["id"], expires_at=now() - timedelta(seconds=1))
    assert await call(client, f"{tenant.base}/tags", bearer(made["token"])) == (401, "API token expired")


async def test_the_last_use_is_noted_to_the_minute(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers)
    await call(client, f"{tenant.base}/tags", bearer(made["token"]))
    first = (await row_of(product, made["id"])).last_used_at
    assert first is not None
    await call(client, f"{tenant.base}/tags", bearer(made["token"]))
    assert (await row_of(product, made["id"])).last_used_at == first
    await change_row(product, made["id"], last_used_at=first - timedelta(minutes=2))
    await call(client, f"{tenant.base}/tags", bearer(made["token"]))
    assert (await row_of(product, made["id"])).last_used_at >= first


# --- the resolver -----------------------------------------------------------------------------------------------


async def resolve(client: httpx2.AsyncClient, token: str) -> httpx2.Response:
    return await client.get("/v0/account/token/organization", params={"token": token})


async def test_a_token_tells_its_organisation(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    body = (await resolve(client, tenant.token)).json()
    assert body["organization_id"] == tenant.organization_id
    assert body["organization_name"].startswith("Acme ")
    assert body["organization_type"] == "team"
    account = tenant.account_headers["Authorization"].removeprefix("Bearer ")
    assert (await resolve(client, account)).json() == {
        "organization_id": None,
        "organization_name": None,
        "organization_type": None,
    }


@pytest.mark.parametrize("token", ["", "x", "\x00", "org_unknown", "é"])
async def test_an_unknown_token_has_no_organisation(client: httpx2.AsyncClient, token: str) -> None:
    answer = await resolve(client, token)
    assert (answer.status_code, answer.json()["detail"]) == (401, "Invalid token")


async def test_an_expired_token_has_no_organisation(
    product: Product, client: httpx2.AsyncClient, tenant: Tenant
) -> None:
    made = await make(client, tenant.base, tenant.headers, lifetime=1)
    await change_row(product, made["id"], expires_at=now())
    answer = await resolve(client, made["token"])
    assert (answer.status_code, answer.json()["detail"]) == (401, "Invalid token")


async def test_the_resolver_needs_a_token(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/v0/account/token/organization")
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "token"]


async def test_a_token_makes_none_that_may_do_more(client: httpx2.AsyncClient, tenant: Tenant) -> None:
    asks = await make(client, "/v0/account", tenant.account_headers, scope="ask")
    headers = {"Authorization": f"Bearer {asks['token']}"}
    for base in ("/v0/account", tenant.base):
        body = {"name": "more", "lifetime": 0, "scope": "write"}
        refused = await client.post(f"{base}/access_tokens", json=body, headers=headers)
        assert refused.status_code == 403
        assert refused.json()["detail"].startswith(
            "Only a token with the scope write can create another one."
        )
        for scope in ("read", "ask"):
            assert (await make(client, base, headers, scope=scope))["scope"] == scope
