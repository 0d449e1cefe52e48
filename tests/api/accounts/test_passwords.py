"""Changing a password: who may, what it takes, and what ends with the old one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import ValidationError

from docagent.bootstrap import running_services
from docagent.domain.accounts.accounts import Role
from docagent.domain.errors import InvalidInput
from docagent.security.passwords import Passwords
from docagent.services.accounts.users import create_user
from docagent.settings import AuthSettings
from tests.conftest import make_settings
from tests.support.accounts import PASSWORD, Person, browser, new_person
from tests.support.product import Product

NEW = "seven green bottles"
ENDED = "Your session has ended. Sign in again."


@pytest.fixture
async def visitor(product: Product) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser(product) as client:
        yield client


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


async def login(client: httpx2.AsyncClient, email: str, password: str) -> httpx2.Response:
    """With a client of one's own: it keeps the cookie."""
    return await client.post("/v0/account/auth/login", json={"email": email, "password": password})


async def session(client: httpx2.AsyncClient, person: Person) -> dict[str, str]:
    """Sign in and return the headers of the session."""
    answer = await login(client, person.email, PASSWORD)
    return {"Authorization": f"Bearer {answer.json()['token']}"}


async def change(
    client: httpx2.AsyncClient, person: Person, headers: dict[str, str], **body: Any
) -> httpx2.Response:
    return await client.put(f"/v0/account/users/{person.id}", json=body, headers=headers)


async def is_known(client: httpx2.AsyncClient, headers: dict[str, str]) -> bool:
    return (await client.get("/v0/account/auth/me", headers=headers)).status_code == 200


async def token_of(client: httpx2.AsyncClient, headers: dict[str, str], **body: Any) -> dict[str, str]:
    """Make an account token and return its headers."""
    made = await client.post(
        "/v0/account/access_tokens", json={"name": "t", "lifetime": 0} | body, headers=headers
    )
    assert made.status_code == 200, made.text
    return {"Authorization": f"Bearer {made.json()['token']}"}


async def test_the_current_password_is_wanted(visitor: httpx2.AsyncClient, person: Person) -> None:
    headers = await session(visitor, person)
    missing = await change(visitor, person, headers, password=NEW)
    assert (missing.status_code, missing.json()["detail"]) == (
        400,
        "Your current password is missing: send it as current_password.",
    )
    wrong = await change(visitor, person, headers, password=NEW, current_password="not the password")
    assert (wrong.status_code, wrong.json()["detail"]) == (
        403,
        "The current password is wrong. Nothing was changed.",
    )
    assert await is_known(visitor, headers)
    assert (await login(visitor, person.email, PASSWORD)).status_code == 200
    right = await change(visitor, person, headers, password=NEW, current_password=PASSWORD)
    assert (right.status_code, right.json()["id"]) == (200, person.id)
    assert (await login(visitor, person.email, PASSWORD)).status_code == 401
    assert (await login(visitor, person.email, NEW)).status_code == 200


async def test_guessing_the_current_password_is_slowed_down(
    client: httpx2.AsyncClient, person: Person
) -> None:
    guesses = [
        await change(client, person, person.headers, password=NEW, current_password=f"guess number {number}")
        for number in range(11)
    ]
    assert [answer.status_code for answer in guesses] == [403] * 10 + [429]
    assert int(guesses[-1].headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    ("password", "why"), [("nine char", "at least 10 characters"), ("Password123", "too common")]
)
async def test_the_rule_holds_for_a_new_password(
    product: Product, client: httpx2.AsyncClient, person: Person, password: str, why: str
) -> None:
    own = await change(client, person, person.headers, password=password, current_password=PASSWORD)
    root = await product.services.identity.signed_token(product.admin_id)
    by_admin = await change(client, person, {"Authorization": f"Bearer {root}"}, password=password)
    for answer in (own, by_admin):
        assert answer.status_code == 400
        assert why in answer.json()["detail"]


async def test_no_api_token_changes_a_password(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    own = await token_of(visitor, person.headers)
    root = await product.admin_headers()
    for headers in (own, root):
        answer = await change(visitor, person, headers, password=NEW, current_password=PASSWORD)
        assert (answer.status_code, answer.json()["detail"]) == (
            403,
            "An API token cannot change a password. Sign in, and change it there.",
        )
    assert (await login(visitor, person.email, PASSWORD)).status_code == 200


async def test_all_sessions_end_and_tokens_only_if_one_wants(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    headers = await session(visitor, person)
    async with browser(product) as other:
        elsewhere = await session(other, person)
        token = await token_of(visitor, headers)
        link = await product.services.identity.make_login_link(person.id)
        changed = await change(visitor, person, headers, password=NEW, current_password=PASSWORD)
        assert changed.status_code == 200
        for client, ended in ((visitor, headers), (other, elsewhere)):
            me = await client.get("/v0/account/auth/me", headers=ended)
            assert (me.status_code, me.json()["detail"]) == (401, ENDED)
            assert (await client.post("/v0/account/auth/refresh")).status_code == 401
        assert (await other.get("/login", params={"once": link})).status_code == 401
        assert await is_known(visitor, token)
        again = {"Authorization": f"Bearer {(await login(visitor, person.email, NEW)).json()['token']}"}
        body = {"password": PASSWORD, "current_password": NEW, "revoke_tokens": True}
        assert (await change(visitor, person, again, **body)).status_code == 200
        assert not await is_known(visitor, token)


async def test_a_token_of_the_trusted_front_end_ends_too(
    product: Product, client: httpx2.AsyncClient, person: Person
) -> None:
    signed = await product.services.identity.signed_token(person.id)
    front_end = {"Authorization": f"Bearer {signed}"}
    assert await is_known(client, front_end)
    changed = await change(client, person, front_end, password=NEW, current_password=PASSWORD)
    assert changed.status_code == 200
    ended = await client.get("/v0/account/auth/me", headers=front_end)
    assert (ended.status_code, ended.json()["detail"]) == (401, ENDED)
    newer = await product.services.identity.signed_token(person.id)
    assert await is_known(client, {"Authorization": f"Bearer {newer}"})


async def test_whoever_has_no_password_sets_the_first_without(
    product: Product, visitor: httpx2.AsyncClient
) -> None:
    email = f"link-{(await new_person(product)).email}"
    async with product.services.db.write() as tx:
        user = await create_user(tx, email=email, name="Linda", password_hash=None, role=Role.USER)
    token = await product.services.identity.signed_token(user.id)
    linda = Person(user.id, email, {"Authorization": f"Bearer {token}"})
    assert (await change(visitor, linda, linda.headers, password=NEW)).status_code == 200
    assert (await login(visitor, email, NEW)).status_code == 200


async def test_a_short_password_of_old_still_opens_a_session(
    product: Product, visitor: httpx2.AsyncClient
) -> None:
    email = f"old-{(await new_person(product)).email}"
    async with product.services.db.write() as tx:
        await create_user(
            tx, email=email, name="Old", password_hash=await Passwords().hash("short"), role=Role.USER
        )
    assert (await login(visitor, email, "short")).status_code == 200


async def test_what_hashing_takes_is_set_and_hashes_of_another_setting_are_opened() -> None:
    usual, cheap = Passwords(), Passwords(19)
    hashes = {"m=65536,t=3,p=4": await usual.hash(NEW), "m=19456,t=3,p=4": await cheap.hash(NEW)}
    for parameters, hashed in hashes.items():
        assert f"$argon2id$v=19${parameters}$" in hashed
        assert await usual.verify(NEW, hashed)
        assert await cheap.verify(NEW, hashed)
    with pytest.raises(ValidationError, match="greater than or equal to 19"):
        AuthSettings(password_memory_mb=18)


async def test_without_a_new_password_there_is_nothing_to_revoke(
    client: httpx2.AsyncClient, person: Person
) -> None:
    answer = await change(client, person, person.headers, revoke_tokens=True, current_password=PASSWORD)
    assert (answer.status_code, answer.json()["detail"]) == (400, "No valid update data provided")


@pytest.mark.parametrize(
    ("password", "why"), [("nine char", "at least 10 characters"), ("administrator", "too common")]
)
async def test_the_rule_holds_for_the_administrator_in_the_settings(
    tmp_path: Path, password: str, why: str
) -> None:
    async with running_services(make_settings(tmp_path), environment={}) as services:
        with pytest.raises(InvalidInput, match=f"^DOCAGENT_AUTH__ADMIN_PASSWORD cannot be used.*{why}"):
            await services.first_start.ensure_admin("root@example.com", password)
        admin = await services.first_start.ensure_admin("root@example.com", NEW)
        assert await services.first_start.ensure_admin("root@example.com", password) == admin
