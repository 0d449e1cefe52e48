"""`/api/auth`, `/api/projects` and `/api/chats`: views of the caller's own organisation, and of nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from docagent.bootstrap.accounts import open_to_strangers
from docagent.domain.ids import new_id
from docagent.security.passwords import Passwords
from docagent.services.accounts.users import MOST_NEWCOMERS_IN_AN_HOUR, UserService
from docagent.settings import Settings
from tests.support.accounts import PASSWORD, browser, identity_with, new_person
from tests.support.product import Product, Tenant

NOBODY = "feedfacefeedfacefeedface"


@pytest.fixture
async def open_door(product: Product) -> AsyncIterator[httpx2.AsyncClient]:
    """A deployment that lets strangers register."""
    users = UserService(product.services.db, Passwords(), product.services.streams, open_to_strangers=True)
    async with browser(product, users=users) as client:
        yield client


def credentials(email: str | None = None, password: str = PASSWORD) -> dict[str, str]:
    return {"email": email or f"{new_id()}@example.com", "password": password}


def bearer(response: httpx2.Response) -> dict[str, str]:
    body = response.json()
    assert body["token_type"] == "bearer"
    return {"Authorization": f"Bearer {body['access_token']}"}


# --- accounts ---------------------------------------------------------------------------------------------------


async def test_who_registers_is_signed_in_and_has_a_place_of_their_own(open_door: httpx2.AsyncClient) -> None:
    wanted = credentials()
    made = await open_door.post("/api/auth/register", json=wanted)
    assert made.status_code == 201
    listed = await open_door.get("/api/projects", headers=bearer(made))
    assert (listed.status_code, listed.json()) == (200, [])
    again = await open_door.post("/api/auth/register", json=wanted)
    assert again.status_code == 400
    assert "already registered" in again.json()["detail"]
    signed_in = await open_door.post("/api/auth/login", json=wanted)
    assert signed_in.status_code == 200
    assert (await open_door.get("/api/chats", headers=bearer(signed_in))).status_code == 200
    wrong = await open_door.post("/api/auth/login", json={**wanted, "password": "wrong horse"})
    assert wrong.status_code == 401
    assert wrong.json()["detail"]


async def test_the_rules_for_addresses_and_passwords_hold_here_too(open_door: httpx2.AsyncClient) -> None:
    for body in (credentials(password="short"), credentials("no address")):
        refused = await open_door.post("/api/auth/register", json=body)
        assert refused.status_code == 400
        assert isinstance(refused.json()["detail"], str)
    for odd in ({"email": 5, "password": "x"}, {"email": "a@b.c"}, {}):
        assert (await open_door.post("/api/auth/register", json=odd)).status_code == 422
        assert (await open_door.post("/api/auth/login", json=odd)).status_code == 422


@pytest.mark.parametrize(
    ("settings", "lets_in"),
    [
        ({}, True),
        ({"server": {"host": "::1"}}, True),
        ({"server": {"host": "0.0.0.0"}}, False),
        ({"server": {"public_url": "https://docs.example.com"}}, False),
        ({"server": {"host": "0.0.0.0"}, "auth": {"registration": True}}, True),
        ({"auth": {"registration": False}}, False),
    ],
)
def test_unless_it_is_said_only_a_server_for_this_machine_lets_strangers_in(
    settings: dict[str, Any], lets_in: bool
) -> None:
    assert open_to_strangers(Settings(**settings)) is lets_in


async def test_a_token_lasts_a_day_and_ends_with_its_session(open_door: httpx2.AsyncClient) -> None:
    wanted = credentials()
    made = await open_door.post("/api/auth/register", json=wanted)
    assert made.json()["expires_in"] == 24 * 60 * 60
    assert (await open_door.get("/api/projects", headers=bearer(made))).status_code == 200
    await open_door.post("/v0/account/auth/logout")
    assert (await open_door.get("/api/projects", headers=bearer(made))).status_code == 401


async def test_strangers_register_only_where_the_deployment_lets_them(product: Product) -> None:
    closed = UserService(product.services.db, Passwords(), product.services.streams, open_to_strangers=False)
    async with browser(product, users=closed) as client:
        refused = await client.post("/api/auth/register", json=credentials())
        assert refused.status_code == 403
        assert "administrator" in refused.json()["detail"]
        person = await new_person(product)
        refused = await client.post("/api/auth/register", json=credentials(), headers=person.headers)
        assert refused.status_code == 403
        by_admin = await client.post(
            "/api/auth/register", json=credentials(), headers=await product.admin_headers()
        )
        assert by_admin.status_code == 201


async def test_one_place_cannot_register_without_end(open_door: httpx2.AsyncClient) -> None:
    for _ in range(MOST_NEWCOMERS_IN_AN_HOUR):
        answer = await open_door.post("/api/auth/register", json=credentials(password="short"))
        assert answer.status_code == 400
    answer = await open_door.post("/api/auth/register", json=credentials())
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


async def test_failed_sign_ins_are_counted_as_on_the_other_path(product: Product) -> None:
    person = await new_person(product)
    async with browser(product, identity=identity_with(product, login_attempts=2)) as client:
        wrong = {"email": person.email, "password": "wrong horse battery"}
        paths = ("/api/auth/login", "/v0/account/auth/login", "/api/auth/login")
        statuses = [(await client.post(path, json=wrong)).status_code for path in paths]
        assert statuses == [401, 401, 429]


# --- whose organisation -----------------------------------------------------------------------------------------


async def test_a_session_sees_the_own_organisation_and_a_token_that_of_the_token(
    product: Product, tenant: Tenant
) -> None:
    client = product.client
    for headers in (tenant.headers, tenant.account_headers):
        made = await client.post("/api/projects", json={"name": f"P {new_id()}"}, headers=headers)
        assert made.status_code == 201
        project = made.json()
        in_team = await client.get(f"{tenant.base}/projects/{project['id']}", headers=tenant.account_headers)
        assert (in_team.status_code == 200) is (headers is tenant.headers)
        assert (await client.get(f"/api/projects/{project['id']}", headers=headers)).status_code == 200


async def test_nothing_is_told_without_credentials_and_before_a_body_is_read(product: Product) -> None:
    for method, path in (
        ("GET", "/api/projects"),
        ("POST", "/api/projects"),
        ("POST", "/api/agent/act"),
        ("GET", f"/api/chats/{NOBODY}/messages"),
        ("POST", f"/api/chats/{NOBODY}/messages"),
    ):
        for headers in ({}, {"Authorization": "Bearer nonsense"}):
            answer = await product.client.request(method, path, headers=headers, content=b"{not json")
            assert answer.status_code == 401, (method, path)
    unknown = await product.client.get("/api/nothing", headers={"Accept": "text/html"})
    assert unknown.status_code == 404
    assert unknown.json()["detail"]


# --- projects and documents -------------------------------------------------------------------------------------


async def test_projects_and_documents_live_and_die(product: Product, tenant: Tenant) -> None:
    async def call(method: str, path: str, body: Any = None) -> httpx2.Response:
        return await product.client.request(method, f"/api{path}", headers=tenant.headers, json=body)

    name = f"Garden {new_id()}"
    made = await call("POST", "/projects", {"name": name, "description": "Plants"})
    assert made.status_code == 201
    project = made.json()
    assert project.keys() == {"id", "user_id", "name", "description", "created_at", "updated_at"}
    assert project["user_id"] == tenant.user_id
    assert (await call("POST", "/projects", {"name": name.upper()})).status_code == 400
    assert project["id"] in [one["id"] for one in (await call("GET", "/projects")).json()]
    renamed = (await call("PUT", f"/projects/{project['id']}", {"description": ""})).json()
    assert (renamed["name"], renamed["description"]) == (name, None)

    documents = f"/projects/{project['id']}/documents"
    body = {"name": "Beds", "content": "# Beds", "standing_instruction": "Short.", "project_id": NOBODY}
    created = await call("POST", documents, body)
    assert created.status_code == 201
    document = created.json()
    assert document.keys() == {
        "id",
        "project_id",
        "user_id",
        "name",
        "standing_instruction",
        "content",
        "created_at",
        "updated_at",
    }
    assert document["project_id"] == project["id"]
    assert (await call("POST", documents, {"name": " beds "})).status_code == 400
    assert [one["content"] for one in (await call("GET", documents)).json()] == ["# Beds"]
    path = f"{documents}/{document['id']}"
    kept = (await call("PUT", path, {"name": "Borders", "content": None})).json()
    assert (kept["name"], kept["content"], kept["standing_instruction"]) == ("Borders", "# Beds", "Short.")
    cleared = (await call("PUT", path, {"content": ""})).json()
    assert (cleared["content"], cleared["created_at"]) == ("", document["created_at"])
    assert (await call("GET", path)).json()["name"] == "Borders"

    other = (await call("POST", "/projects", {"name": f"Other {new_id()}"})).json()
    assert (await call("GET", f"/projects/{other['id']}/documents/{document['id']}")).status_code == 404
    assert (await call("DELETE", path)).status_code == 204
    assert (await call("GET", path)).status_code == 404
    assert (await call("DELETE", f"/projects/{project['id']}")).status_code == 204
    assert (await call("GET", documents)).status_code == 404
    for bad in ({}, {"name": 5}, {"name": ""}, {"name": "x", "content": 5}):
        assert (await call("POST", f"/projects/{other['id']}/documents", bad)).status_code == 422


# --- chats ------------------------------------------------------------------------------------------------------


async def test_chats_keep_their_messages_in_order_with_metadata(product: Product, tenant: Tenant) -> None:
    async def call(method: str, path: str, body: Any = None) -> httpx2.Response:
        return await product.client.request(method, f"/api{path}", headers=tenant.headers, json=body)

    project = (await call("POST", "/projects", {"name": f"Talk {new_id()}"})).json()["id"]
    first = (await call("GET", f"/chats/project/{project}")).json()
    assert first.keys() == {"id", "user_id", "project_id", "title", "created_at", "updated_at"}
    assert (first["project_id"], first["title"]) == (project, None)
    assert (await call("GET", f"/chats/project/{project}")).json()["id"] == first["id"]
    messages = f"/chats/{first['id']}/messages"
    long = "How do I grow potatoes in a small garden with clay soil?"
    for number in range(12):
        role = "assistant" if number % 2 else "user"
        posted = await call(
            "POST", messages, {"role": role, "content": f"{long} {number}", "metadata": {"number": number}}
        )
        assert posted.status_code == 201
        assert posted.json()["metadata"] == {"number": number}
    await call("POST", messages, {"role": "assistant", "content": "And one more thing."})
    found = (await call("GET", messages)).json()
    assert [one["metadata"].get("number") for one in found] == [*range(12), None]
    assert [one["role"] for one in found][-2:] == ["assistant", "assistant"]
    assert found[0].keys() == {"id", "chat_id", "role", "content", "metadata", "created_at"}
    assert len({one["id"] for one in found}) == 13
    assert (await call("GET", f"/chats/{first['id']}")).json()["title"] == long[:50]
    second = await call("POST", "/chats", {"project_id": project, "title": "Beans"})
    assert second.status_code == 201
    assert second.json()["title"] == "Beans"
    assert {one["id"] for one in (await call("GET", "/chats")).json()} >= {first["id"], second.json()["id"]}
    for bad in (
        {"content": ""},
        {"content": "x", "role": "system"},
        {"content": "x", "metadata": "y"},
        {"role": "user"},
    ):
        assert (await call("POST", messages, bad)).status_code == 422
    await call("DELETE", f"/projects/{project}")
    assert (await call("GET", messages)).status_code == 404
    assert first["id"] not in [one["id"] for one in (await call("GET", "/chats")).json()]


# --- others -----------------------------------------------------------------------------------------------------


async def test_somebody_else_finds_nothing_on_any_path(product: Product, tenant: Tenant) -> None:
    """Neither another organisation nor, for chats, another member: all are told that there is no such thing."""
    client = product.client

    async def mine(method: str, path: str, body: Any = None) -> Any:
        answer = await client.request(method, f"/api{path}", headers=tenant.headers, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    project = (await mine("POST", "/projects", {"name": f"Secret {new_id()}"}))["id"]
    document = (await mine("POST", f"/projects/{project}/documents", {"name": "Plan", "content": "secret"}))[
        "id"
    ]
    chat = (await mine("POST", "/chats", {"project_id": project}))["id"]
    stranger = await product.new_tenant()
    own = await client.post("/api/projects", headers=stranger.headers, json={"name": "Own"})
    calls: list[tuple[str, str, Any]] = [
        ("GET", f"/projects/{project}", None),
        ("PUT", f"/projects/{project}", {"name": "Taken"}),
        ("DELETE", f"/projects/{project}", None),
        ("GET", f"/projects/{project}/documents", None),
        ("POST", f"/projects/{project}/documents", {"name": "Planted"}),
        ("GET", f"/projects/{project}/documents/{document}", None),
        ("GET", f"/projects/{own.json()['id']}/documents/{document}", None),
        ("PUT", f"/projects/{project}/documents/{document}", {"content": "gone"}),
        ("DELETE", f"/projects/{project}/documents/{document}", None),
        ("POST", "/chats", {"project_id": project}),
        ("GET", f"/chats/project/{project}", None),
        ("GET", f"/chats/{chat}", None),
        ("GET", f"/chats/{chat}/messages", None),
        ("POST", f"/chats/{chat}/messages", {"content": "hello"}),
        ("POST", "/agent/act", {"message": "show me all", "project_id": project}),
        ("POST", "/agent/act", {"message": "hi", "project_id": own.json()["id"], "document_id": document}),
        ("POST", "/agent/act", {"message": "hi", "project_id": project, "chat_id": chat}),
    ]
    for method, path, body in calls:
        answer = await client.request(method, f"/api{path}", headers=stranger.headers, json=body)
        assert answer.status_code == 404, (method, path, answer.text)
        assert "secret" not in answer.text
    for method, path in (("GET", "/projects"), ("GET", "/chats")):
        answer = await client.request(method, f"/api{path}", headers=stranger.headers)
        assert project not in answer.text
    assert (await mine("GET", f"/projects/{project}/documents/{document}"))["content"] == "secret"
    assert await mine("GET", f"/chats/{chat}/messages") == []
