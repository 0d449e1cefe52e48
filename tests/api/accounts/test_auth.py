"""Signing in: passwords, sessions, one-time links, signed requests and session tokens."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import warnings
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import jwt
import pytest

from docagent.domain.errors import RateLimited, Unauthenticated
from docagent.domain.ids import new_id
from docagent.security.sessions import AUDIENCE, ISSUER
from docagent.store.tables import metadata
from tests.conftest import SECRET
from tests.support.accounts import PASSWORD, Person, browser, identity_with, new_person, secrets_of
from tests.support.product import Product, Tenant

COOKIE = "docagent_refresh"
WRONG_LOGIN = "The e-mail or the password is wrong."
INVALID = "Invalid authentication credentials: invalid token"
ENDED = "Your session has ended. Sign in again."
AT_ONCE = timedelta(0)


@pytest.fixture
async def visitor(product: Product) -> AsyncIterator[httpx2.AsyncClient]:
    """Somebody with a browser who has not signed in."""
    async with browser(product) as client:
        yield client


@pytest.fixture
async def person(product: Product) -> Person:
    return await new_person(product)


async def login(client: httpx2.AsyncClient, email: str, password: str = PASSWORD) -> httpx2.Response:
    return await client.post("/v0/account/auth/login", json={"email": email, "password": password})


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def who(client: httpx2.AsyncClient, headers: dict[str, str]) -> httpx2.Response:
    return await client.get("/v0/account/auth/me", headers=headers)


# --- passwords --------------------------------------------------------------------------------------------------


async def test_the_right_password_opens_a_session(visitor: httpx2.AsyncClient, person: Person) -> None:
    answer = await login(visitor, person.email)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    body = answer.json()
    assert body["user"]["id"] == person.id
    assert body["expires_in"] == 15 * 60
    me = await who(visitor, bearer(body["token"]))
    assert me.json() == body["user"]


async def test_the_case_of_the_address_does_not_matter(visitor: httpx2.AsyncClient, person: Person) -> None:
    assert (await login(visitor, person.email.upper())).status_code == 200


async def test_a_wrong_password_and_an_unknown_user_get_the_same_answer(
    visitor: httpx2.AsyncClient, person: Person, tenant: Tenant
) -> None:
    wrong = await login(visitor, person.email, "not the password")
    unknown = await login(visitor, f"{new_id()}@example.com", "not the password")
    without_password = await login(visitor, tenant.email, "not the password")
    for answer in (wrong, unknown, without_password):
        assert answer.status_code == 401
        assert answer.json()["detail"] == WRONG_LOGIN
        assert "set-cookie" not in answer.headers
        assert set(answer.headers) == set(wrong.headers)


@pytest.mark.parametrize(
    "body", [{}, {"email": "a@b"}, {"email": 1, "password": "x"}, {"email": "\x00@b", "password": "x"}]
)
async def test_a_login_that_makes_no_sense_is_told_field_by_field(
    visitor: httpx2.AsyncClient, body: dict[str, Any]
) -> None:
    answer = await visitor.post("/v0/account/auth/login", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][0] == "body"


async def test_too_many_failures_are_slowed_down(product: Product, person: Person) -> None:
    async with browser(product, identity=identity_with(product, login_attempts=2)) as visitor:
        for email in (person.email, f"{new_id()}@example.com"):
            assert [(await login(visitor, email, "wrong")).status_code for _ in range(2)] == [401, 401]
            blocked = await login(visitor, email)
            assert blocked.status_code == 429
            assert 1 <= int(blocked.headers["Retry-After"]) <= 301
            assert "Too many failed logins" in blocked.json()["detail"]


async def test_many_tries_at_once_pass_the_limit_no_more_than_one_by_one(
    product: Product, person: Person
) -> None:
    identity = identity_with(product, login_attempts=2)

    async def attempt() -> type[Exception]:
        with pytest.raises((Unauthenticated, RateLimited)) as caught:
            await identity.login(person.email, "wrong", "192.0.2.1")
        return caught.type

    kinds = await asyncio.gather(*(attempt() for _ in range(5)))
    assert kinds.count(Unauthenticated) == 2


async def test_a_success_takes_the_failures_back_and_counts_for_nothing(
    product: Product, person: Person
) -> None:
    identity = identity_with(product, login_attempts=2)
    for _ in range(2):
        with pytest.raises(Unauthenticated):
            await identity.login(person.email, "wrong", "192.0.2.1")
        await identity.login(person.email, PASSWORD, "192.0.2.1")


async def test_a_limit_of_one_address_does_not_lock_out_another(product: Product, person: Person) -> None:
    identity = identity_with(product, login_attempts=1)
    with pytest.raises(Unauthenticated):
        await identity.login(person.email, "wrong", "192.0.2.1")
    with pytest.raises(RateLimited):
        await identity.login(person.email, PASSWORD, "192.0.2.1")
    await identity.login(person.email, PASSWORD, "192.0.2.2")


async def test_a_new_password_ends_open_sessions(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    token = (await login(visitor, person.email)).json()["token"]
    await product.services.users.update(product.admin, person.id, {"password": "another password"})
    assert (await who(visitor, bearer(token))).json()["detail"] == ENDED
    assert (await visitor.post("/v0/account/auth/refresh")).status_code == 401
    assert (await login(visitor, person.email)).status_code == 401
    assert (await login(visitor, person.email, "another password")).status_code == 200


# --- the refresh cookie -----------------------------------------------------------------------------------------


async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    cookie = (await login(visitor, person.email)).headers["set-cookie"].lower()
    assert cookie.startswith(f"{COOKIE}=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert f"max-age={30 * 24 * 3600}" in cookie
    assert "secure" not in cookie
    async with browser(product, "https://docagent.test") as encrypted:
        assert "; secure" in (await login(encrypted, person.email)).headers["set-cookie"].lower()


async def test_a_refresh_gives_a_new_cookie_and_a_new_token(
    visitor: httpx2.AsyncClient, person: Person
) -> None:
    await login(visitor, person.email)
    first = visitor.cookies[COOKIE]
    renewed = await visitor.post("/v0/account/auth/refresh")
    assert renewed.status_code == 200
    assert visitor.cookies[COOKIE] != first
    assert (await who(visitor, bearer(renewed.json()["token"]))).json()["id"] == person.id


async def test_nothing_that_opens_a_session_is_stored(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    await login(visitor, person.email)
    secret = visitor.cookies[COOKIE]
    assert secret not in await dump(product, "sessions")
    assert PASSWORD not in await dump(product, "users")


async def test_without_a_cookie_there_is_nothing_to_refresh(visitor: httpx2.AsyncClient) -> None:
    for cookie in (None, "", "made up", "gAAAAABmadeup"):
        headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie is not None else {}
        answer = await visitor.post("/v0/account/auth/refresh", headers=headers)
        assert answer.status_code == 401
        assert answer.json()["detail"] == "You are not signed in."


async def test_several_tabs_may_refresh_at_the_same_moment(product: Product, person: Person) -> None:
    identity = product.services.identity
    signed_in = await identity.login(person.email, PASSWORD, "192.0.2.1")
    tabs = await asyncio.gather(*(identity.refresh(signed_in.refresh_token) for _ in range(4)))
    for tab in tabs:
        await identity.refresh(tab.refresh_token)


@pytest.mark.parametrize("rotations", [1, 3])
async def test_a_copied_cookie_ends_the_session_for_the_copy_and_for_the_owner(
    product: Product, person: Person, rotations: int
) -> None:
    identity = identity_with(product, refresh_grace=AT_ONCE)
    signed_in = await identity.login(person.email, PASSWORD, "192.0.2.1")
    newest = signed_in
    for _ in range(rotations):
        newest = await identity.refresh(newest.refresh_token)
    with pytest.raises(Unauthenticated, match=ENDED):
        await identity.refresh(signed_in.refresh_token)
    with pytest.raises(Unauthenticated, match=ENDED):
        await identity.refresh(newest.refresh_token)
    with pytest.raises(Unauthenticated, match=ENDED):
        await identity.caller(newest.access_token, None)


async def test_a_session_that_was_not_used_for_long_is_over(product: Product, person: Person) -> None:
    identity = identity_with(product, refresh=AT_ONCE)
    signed_in = await identity.login(person.email, PASSWORD, "192.0.2.1")
    with pytest.raises(Unauthenticated, match=ENDED):
        await identity.refresh(signed_in.refresh_token)
    with pytest.raises(Unauthenticated, match=ENDED):
        await identity.caller(signed_in.access_token, None)


async def test_logout_ends_the_session_at_once(visitor: httpx2.AsyncClient, person: Person) -> None:
    token = (await login(visitor, person.email)).json()["token"]
    secret = visitor.cookies[COOKIE]
    answer = await visitor.post("/v0/account/auth/logout")
    assert answer.status_code == 204
    assert COOKIE not in visitor.cookies
    assert (await who(visitor, bearer(token))).json()["detail"] == ENDED
    again = await visitor.post("/v0/account/auth/refresh", headers={"Cookie": f"{COOKIE}={secret}"})
    assert again.status_code == 401
    assert (await visitor.post("/v0/account/auth/logout")).status_code == 204


# --- one-time links ---------------------------------------------------------------------------------------------


async def test_a_login_link_works_once(product: Product, visitor: httpx2.AsyncClient, person: Person) -> None:
    secret = await product.services.identity.make_login_link(person.id)
    assert secret not in await dump(product, "one_time_links")
    answer = await visitor.get("/login", params={"once": secret})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/docs"
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert (await visitor.post("/v0/account/auth/refresh")).json()["user"]["id"] == person.id
    again = await visitor.get("/login", params={"once": secret})
    assert again.status_code == 401
    assert "docagent login-link" in again.json()["detail"]
    assert "set-cookie" not in again.headers


async def test_two_people_with_one_link_do_not_both_get_in(product: Product, person: Person) -> None:
    secret = await product.services.identity.make_login_link(person.id)
    tries = (product.services.identity.use_login_link(secret) for _ in range(4))
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(outcome, Unauthenticated) for outcome in outcomes) == 3


async def test_an_old_or_missing_login_link_opens_nothing(
    product: Product, visitor: httpx2.AsyncClient, person: Person
) -> None:
    secret = await identity_with(product, login_link=AT_ONCE).make_login_link(person.id)
    assert (await visitor.get("/login", params={"once": secret})).status_code == 401
    assert (await visitor.get("/login", params={"once": "x"})).status_code == 401
    assert (await visitor.get("/login")).status_code == 404


# --- requests signed by a trusted front end ---------------------------------------------------------------------


def signature(body: bytes) -> str:
    return hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()


async def signed(client: httpx2.AsyncClient, body: bytes, sign: str | None) -> httpx2.Response:
    headers = {} if sign is None else {"X-Request-Signature": sign}
    return await client.post("/v0/account/auth/token", content=body, headers=headers)


async def test_a_signed_request_gets_a_token_that_ends(client: httpx2.AsyncClient, person: Person) -> None:
    body = json.dumps({"id": person.id, "name": "any", "email": "any"}).encode()
    answer = await signed(client, body, signature(body))
    assert answer.status_code == 200
    token = answer.json()["token"]
    assert (await who(client, bearer(token))).json()["email"] == person.email
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["userId"] == person.id
    assert claims["email"] == person.email
    assert claims["exp"] - claims["iat"] == 24 * 3600


async def test_a_request_with_a_bad_signature_gets_nothing(
    client: httpx2.AsyncClient, person: Person
) -> None:
    body = json.dumps({"id": person.id}).encode()
    missing = await signed(client, body, None)
    assert (missing.status_code, missing.json()["detail"]) == (401, "Missing X-Request-Signature header")
    for sign in ("0" * 64, signature(body + b" "), signature(body).upper()):
        wrong = await signed(client, body, sign)
        assert (wrong.status_code, wrong.json()["detail"]) == (401, "Invalid request signature")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"{}", b'{"id": 7}', b"\xff", b"[" * 10_000])
async def test_a_signed_body_that_says_nothing_is_a_bad_request(
    client: httpx2.AsyncClient, body: bytes
) -> None:
    answer = await signed(client, body, signature(body))
    assert answer.status_code == 400
    assert isinstance(answer.json()["detail"], str)


@pytest.mark.parametrize("user_id", ["0123456789abcdef01234567", "zz", "\x00", ""])
async def test_a_signed_request_for_an_unknown_user_is_refused(
    client: httpx2.AsyncClient, user_id: str
) -> None:
    body = json.dumps({"id": user_id, "name": "x", "email": "x@y"}).encode()
    assert (await signed(client, body, signature(body))).status_code == 401


# --- session tokens ---------------------------------------------------------------------------------------------


async def forged(product: Product, user_id: str, algorithm: str = "HS256", **changes: Any) -> str:
    """A token of a real session made with the real key, but for the changes. None takes a claim away."""
    moment = datetime.now(UTC)
    real = await product.services.identity.signed_token(user_id)
    claims = {
        "sid": jwt.decode(real, options={"verify_signature": False})["sid"],
        "userId": user_id,
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": moment,
        "exp": moment + timedelta(hours=1),
    } | changes
    kept = {name: value for name, value in claims.items() if value is not None}
    key = secrets_of(product).session_key if algorithm != "none" else None
    with warnings.catch_warnings(action="ignore", category=jwt.InsecureKeyLengthWarning):
        return jwt.encode(kept, key, algorithm=algorithm)  # type: ignore[arg-type]


async def test_a_token_with_all_the_right_claims_is_accepted(
    product: Product, client: httpx2.AsyncClient, person: Person
) -> None:
    assert (await who(client, bearer(await forged(product, person.id)))).status_code == 200


LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": LONG_AGO},
        {"exp": None},
        {"iat": None},
        {"aud": "somebody else"},
        {"aud": None},
        {"iss": "somebody else"},
        {"iss": None},
        {"userId": None},
        {"userId": 7},
        {"userId": "0123456789abcdef01234567"},
        {"sid": 7},
        {"algorithm": "none"},
        {"algorithm": "HS512"},
    ],
    ids=lambda changes: " ".join(f"{name}={value}" for name, value in changes.items()),
)
async def test_a_token_with_one_wrong_claim_is_refused(
    product: Product, client: httpx2.AsyncClient, person: Person, changes: dict[str, Any]
) -> None:
    answer = await who(client, bearer(await forged(product, **({"user_id": person.id} | changes))))
    assert answer.status_code == 401
    assert answer.json()["detail"] == INVALID


async def test_a_token_for_a_session_that_never_was_is_refused(
    product: Product, client: httpx2.AsyncClient, person: Person
) -> None:
    answer = await who(client, bearer(await forged(product, person.id, sid=new_id())))
    assert (answer.status_code, answer.json()["detail"]) == (401, ENDED)


async def test_a_session_of_one_user_does_not_vouch_for_another(
    product: Product, client: httpx2.AsyncClient, person: Person, tenant: Tenant
) -> None:
    signed_in = await product.services.identity.login(person.email, PASSWORD, "192.0.2.1")
    session_id = jwt.decode(signed_in.access_token, options={"verify_signature": False})["sid"]
    answer = await who(client, bearer(await forged(product, tenant.user_id, sid=session_id)))
    assert answer.status_code == 401


async def test_a_tampered_token_is_refused(client: httpx2.AsyncClient, person: Person) -> None:
    head, claims, sign = person.headers["Authorization"].removeprefix("Bearer ").split(".")
    for token in (
        f"{head}.{claims}.{sign[::-1]}",
        f"{head}.{claims[:-2]}AA.{sign}",
        f"{head}.{claims}.",
        head,
    ):
        assert (await who(client, bearer(token))).status_code == 401


async def test_a_token_signed_with_the_servers_secret_itself_is_refused(
    client: httpx2.AsyncClient, person: Person
) -> None:
    moment = datetime.now(UTC)
    claims = {
        "userId": person.id,
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": moment,
        "exp": moment + timedelta(hours=1),
    }
    assert (await who(client, bearer(jwt.encode(claims, SECRET, "HS256")))).status_code == 401


async def test_a_deleted_user_is_signed_out(
    product: Product, client: httpx2.AsyncClient, person: Person
) -> None:
    await product.services.users.delete(product.admin, person.id)
    answer = await who(client, person.headers)
    assert (answer.status_code, answer.json()["detail"]) == (401, INVALID)


async def dump(product: Product, table: str) -> str:
    """Every row of a table as text."""
    async with product.services.db.read() as tx:
        return "\n".join(str(row) for row in await tx.rows(metadata.tables[table].select()))
