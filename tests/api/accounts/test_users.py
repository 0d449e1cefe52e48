"""Users: making, finding, changing and deleting them."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.ids import new_id
from docagent.store.accounts.users import count_admins
from tests.support.accounts import Person, browser, new_person
from tests.support.product import Product, Tenant

PATH = "/v0/account/users"
UNKNOWN = "0123456789abcdef01234567"


@pytest.fixture
async def root(product: Product) -> dict[str, str]:
    return await product.admin_headers()


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


def new_user(**changes: Any) -> dict[str, Any]:
    return {"email": f"{new_id()}@example.com", "name": "Alan", "password": "long enough"} | changes


async def share(product: Product, tenant: Tenant, person: Person, role: Role = Role.USER) -> None:
    """Make the person a member of the tenant's organisation."""
    members = [Membership(tenant.user_id, Role.ADMIN), Membership(person.id, role)]
    await product.services.organizations.update(
        product.admin,
        tenant.organization_id,
        name=None,
        type=None,
        members=members,
        flags={},
        ocr_config=None,
    )


async def refused(status: int, answer: httpx2.Response) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


# --- making -----------------------------------------------------------------------------------------------------


async def test_a_new_user_can_sign_in_and_has_an_organisation(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    body = new_user()
    answer = await client.post(PATH, json=body, headers=root)
    assert answer.status_code == 200, answer.text
    user = answer.json()
    assert set(user) == {
        "id",
        "email",
        "name",
        "role",
        "email_verified",
        "created_at",
        "has_password",
        "has_seen_tour",
    }
    assert (user["email"], user["name"], user["role"]) == (body["email"], "Alan", "user")
    assert (user["email_verified"], user["has_password"], user["has_seen_tour"]) == (False, True, False)
    assert user["created_at"].endswith("Z")
    async with browser(product) as visitor:
        login = await visitor.post(
            "/v0/account/auth/login", json={"email": body["email"], "password": body["password"]}
        )
        headers = {"Authorization": f"Bearer {login.json()['token']}"}
        mine = (await visitor.get("/v0/account/organizations", headers=headers)).json()
    (organization,) = mine["organizations"]
    assert (organization["name"], organization["type"]) == (body["email"], "individual")
    assert organization["members"] == [{"user_id": user["id"], "role": "admin"}]


async def test_the_first_organisation_of_a_deployment_is_not_named_after_an_address(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    found = await client.get("/v0/account/organizations", params={"user_id": product.admin_id}, headers=root)
    assert "My organisation" in [organization["name"] for organization in found.json()["organizations"]]


async def test_an_address_can_be_used_once_whatever_its_case(
    client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    for email in (person.email, person.email.upper()):
        answer = await client.post(PATH, json=new_user(email=email), headers=root)
        assert await refused(400, answer) == "Email already registered"


async def test_of_many_with_one_address_one_is_made(client: httpx2.AsyncClient, root: dict[str, str]) -> None:
    body = new_user()
    answers = await asyncio.gather(*(client.post(PATH, json=body, headers=root) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400]


async def test_a_taken_organisation_name_does_not_stand_in_the_way(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    body = new_user()
    squatted = await client.post(
        "/v0/account/organizations", json={"name": body["email"].upper()}, headers=person.headers
    )
    assert squatted.status_code == 200
    user = (await client.post(PATH, json=body, headers=root)).json()
    found = await client.get("/v0/account/organizations", params={"user_id": user["id"]}, headers=root)
    assert [item["name"] for item in found.json()["organizations"]] == [f"{body['email']} ({user['id']})"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"email": "no address"}, 400),
        ({"email": "a@b c"}, 400),
        ({"password": "short"}, 400),
        ({"password": ""}, 400),
        ({"password": "nine char"}, 400),
        ({"password": "  nine char "}, 400),
        ({"password": "Password123"}, 400),
        ({"email": "\x00@b"}, 422),
        ({"email": None}, 422),
        ({"name": ""}, 422),
        ({"name": "x" * 256}, 422),
    ],
)
async def test_a_user_that_cannot_be_is_refused(
    client: httpx2.AsyncClient, root: dict[str, str], changes: dict[str, Any], status: int
) -> None:
    await refused(status, await client.post(PATH, json=new_user(**changes), headers=root))


async def test_only_system_admins_make_users(client: httpx2.AsyncClient, person: Person) -> None:
    answer = await client.post(PATH, json=new_user(), headers=person.headers)
    assert await refused(403, answer) == "Admin access required"


# --- seeing -----------------------------------------------------------------------------------------------------


async def test_people_are_seen_by_themselves_their_admins_and_system_admins(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], person: Person, tenant: Tenant
) -> None:
    params = {"user_id": person.id}

    async def view(headers: dict[str, str]) -> httpx2.Response:
        return await client.get(PATH, params=params, headers=headers)

    own = (await view(person.headers)).json()
    assert (own["total_count"], own["users"][0]["id"]) == (1, person.id)
    assert (await view(root)).json() == own
    assert await refused(403, await view(tenant.account_headers)) == "Not authorized to view this user"
    await share(product, tenant, person)
    assert (await view(tenant.account_headers)).json() == own
    answer = await client.get(PATH, params={"user_id": tenant.user_id}, headers=person.headers)
    assert await refused(403, answer) == "Not authorized to view this user"


async def test_unknown_people_are_not_found(
    client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    for user_id in (UNKNOWN, "zz", "\x00"):
        answer = await client.get(PATH, params={"user_id": user_id}, headers=root)
        assert await refused(404, answer) == "User not found"
        answer = await client.get(PATH, params={"user_id": user_id}, headers=person.headers)
        assert await refused(403, answer) == "Not authorized to view this user"


async def test_members_of_an_organisation_see_one_another(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], person: Person, tenant: Tenant
) -> None:
    params = {"organization_id": tenant.organization_id}
    answer = await client.get(PATH, params=params, headers=person.headers)
    await refused(403, answer)
    await share(product, tenant, person)
    for headers in (person.headers, tenant.account_headers, root):
        body = (await client.get(PATH, params=params, headers=headers)).json()
        assert {user["id"] for user in body["users"]} == {person.id, tenant.user_id}
        assert body["total_count"] == 2
    for unknown in (UNKNOWN, "zz"):
        answer = await client.get(PATH, params={"organization_id": unknown}, headers=root)
        assert await refused(404, answer) == "Organization not found"


async def test_without_a_filter_users_see_their_own_circle_and_admins_everyone(
    client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    mine = (await client.get(PATH, headers=person.headers)).json()
    assert [user["id"] for user in mine["users"]] == [person.id]
    everyone = (await client.get(PATH, params={"limit": 1, "skip": 1}, headers=root)).json()
    assert everyone["total_count"] > 1
    assert (len(everyone["users"]), everyone["skip"]) == (1, 1)


async def test_people_are_found_by_name_and_by_address(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    name = f"Ada_{new_id()}"
    person = await new_person(product, name)
    for text in (name, name.upper(), "da_" + name[4:], person.email[:20]):
        body = (await client.get(PATH, params={"search_name": text}, headers=root)).json()
        assert [user["id"] for user in body["users"]] == [person.id]
    none = await client.get(PATH, params={"search_name": "da%" + name[4:]}, headers=root)
    assert none.json() == {"users": [], "total_count": 0, "skip": 0}


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"user_id": UNKNOWN, "organization_id": UNKNOWN}, 400),
        ({"search_name": "x" * 201}, 400),
        ({"search_name": "\x00"}, 400),
        ({"skip": 2**64}, 422),
        ({"limit": 101}, 422),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    client: httpx2.AsyncClient, root: dict[str, str], params: dict[str, Any], status: int
) -> None:
    await refused(status, await client.get(PATH, params=params, headers=root))


# --- changing ---------------------------------------------------------------------------------------------------


async def test_users_change_some_things_of_their_own(client: httpx2.AsyncClient, person: Person) -> None:
    body = {
        "name": "Grace H.",
        "has_seen_tour": True,
        "role": "admin",
        "email_verified": True,
        "email": "x@y",
    }
    changed = (await client.put(f"{PATH}/{person.id}", json=body, headers=person.headers)).json()
    assert (changed["name"], changed["has_seen_tour"]) == ("Grace H.", True)
    assert (changed["role"], changed["email_verified"], changed["email"]) == ("user", False, person.email)


@pytest.mark.parametrize(
    "body", [{}, {"email": "x@y"}, {"role": "admin"}, {"name": None}, {"email_verified": True}]
)
async def test_a_change_of_nothing_is_refused(
    client: httpx2.AsyncClient, person: Person, body: dict[str, Any]
) -> None:
    answer = await client.put(f"{PATH}/{person.id}", json=body, headers=person.headers)
    assert await refused(400, answer) == "No valid update data provided"


async def test_system_admins_change_everything(
    client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    body = {"name": "Root Two", "role": "admin", "email_verified": True, "has_seen_tour": True}
    changed = (await client.put(f"{PATH}/{person.id}", json=body, headers=root)).json()
    assert {key: changed[key] for key in body} == body
    back = await client.put(f"{PATH}/{person.id}", json={"role": "user"}, headers=root)
    assert back.json()["role"] == "user"


async def test_others_are_not_for_users_to_change(
    client: httpx2.AsyncClient, person: Person, tenant: Tenant
) -> None:
    answer = await client.put(f"{PATH}/{tenant.user_id}", json={"name": "x"}, headers=person.headers)
    assert await refused(403, answer) == "Not authorized to update this user"
    answer = await client.delete(f"{PATH}/{tenant.user_id}", headers=person.headers)
    assert await refused(403, answer) == "Not authorized to delete this user"


async def test_unknown_users_cannot_be_changed_or_deleted(
    client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    for user_id in (UNKNOWN, "zz", "%00"):
        answer = await client.put(f"{PATH}/{user_id}", json={"name": "x"}, headers=root)
        assert await refused(404, answer) == "User not found"
        assert await refused(404, await client.delete(f"{PATH}/{user_id}", headers=root)) == "User not found"


async def test_the_last_system_admin_stays(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    path = f"{PATH}/{product.admin_id}"
    answer = await client.put(path, json={"role": "user"}, headers=root)
    assert (await refused(400, answer)).startswith("Cannot remove the last admin")
    assert (await refused(400, await client.delete(path, headers=root))).startswith(
        "Cannot delete the last admin"
    )
    assert (await client.put(path, json={"role": "admin"}, headers=root)).status_code == 200


async def test_two_admins_who_demote_each_other_do_not_both_succeed(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str]
) -> None:
    second = await new_person(product, role=Role.ADMIN)
    answers = await asyncio.gather(
        client.put(f"{PATH}/{product.admin_id}", json={"role": "user"}, headers=second.headers),
        client.put(f"{PATH}/{second.id}", json={"role": "user"}, headers=root),
    )
    assert 200 in {answer.status_code for answer in answers}
    assert {answer.status_code for answer in answers} & {400, 403}
    # The product's own admin must be one again for the tests that follow.
    async with product.services.db.read() as tx:
        assert await count_admins(tx) == 1
    await product.services.users.update(product.admin, product.admin_id, {"role": Role.ADMIN})
    await product.services.users.update(product.admin, second.id, {"role": Role.USER})


# --- deleting ---------------------------------------------------------------------------------------------------


async def test_a_deleted_user_takes_their_own_organisation_along(
    client: httpx2.AsyncClient, root: dict[str, str], person: Person
) -> None:
    mine = (await client.get("/v0/account/organizations", headers=person.headers)).json()["organizations"]
    answer = await client.delete(f"{PATH}/{person.id}", headers=person.headers)
    assert answer.json() == {"message": "User and related data deleted successfully"}
    answer = await client.get(
        "/v0/account/organizations", params={"organization_id": mine[0]["id"]}, headers=root
    )
    await refused(404, answer)
    assert await refused(404, await client.delete(f"{PATH}/{person.id}", headers=root)) == "User not found"


async def test_an_organisation_does_not_lose_its_only_admin(
    product: Product, client: httpx2.AsyncClient, root: dict[str, str], person: Person, tenant: Tenant
) -> None:
    await share(product, tenant, person)
    answer = await client.delete(f"{PATH}/{tenant.user_id}", headers=tenant.account_headers)
    assert (await refused(400, answer)).startswith("Cannot delete the only admin of Acme ")
    assert (await client.delete(f"{PATH}/{person.id}", headers=root)).status_code == 200
    left = await client.get(
        "/v0/account/organizations", params={"organization_id": tenant.organization_id}, headers=root
    )
    assert left.json()["organizations"][0]["members"] == [{"user_id": tenant.user_id, "role": "admin"}]
