"""A flood of sign-ins keeps nobody out but those who come from where it comes from."""

from __future__ import annotations

import httpx2
import pytest

from docagent.domain.errors import RateLimited, Unauthenticated
from docagent.domain.ids import new_id
from tests.support.accounts import PASSWORD, browser, identity_with, new_person
from tests.support.product import Product


async def login(client: httpx2.AsyncClient, email: str, password: str = PASSWORD) -> httpx2.Response:
    return await client.post("/v0/account/auth/login", json={"email": email, "password": password})


async def test_names_sprayed_from_one_address_are_limited_with_a_time_to_come_again(product: Product) -> None:
    person = await new_person(product)
    async with browser(product, identity=identity_with(product, limits={"by_place": 3})) as visitor:
        sprayed = [await login(visitor, f"{new_id()}@example.com", "wrong") for _ in range(5)]
        assert [answer.status_code for answer in sprayed] == [401, 401, 401, 429, 429]
        assert 1 <= int(sprayed[-1].headers["Retry-After"]) <= 301
        assert (await login(visitor, person.email)).status_code == 429


async def test_addresses_of_one_network_are_one_place(product: Product) -> None:
    person = await new_person(product)
    identity = identity_with(product, limits={"by_place": 2})
    for number in range(2):
        with pytest.raises(Unauthenticated):
            await identity.login(f"{new_id()}@example.com", "wrong", f"2001:db8:1:2::{number}")
    with pytest.raises(RateLimited):
        await identity.login(person.email, PASSWORD, "2001:db8:1:2:ffff::1")
    await identity.login(person.email, PASSWORD, "2001:db8:1:3::1")


async def test_a_browser_that_has_signed_in_before_passes_when_its_name_and_place_are_flooded(
    product: Product,
) -> None:
    person, other = await new_person(product), await new_person(product)
    identity = identity_with(product, login_attempts=1, limits={"by_place": 1, "by_name": 1, "in_all": 1})
    async with browser(product, identity=identity) as own, browser(product, identity=identity) as stranger:
        assert (await login(own, person.email)).status_code == 200
        await own.post("/v0/account/auth/logout")
        assert (await login(stranger, f"{new_id()}@example.com", "wrong")).status_code == 401
        assert (await login(stranger, person.email, "wrong")).status_code == 401
        assert (await login(stranger, person.email)).status_code == 429
        assert (await login(own, person.email.upper())).status_code == 200
        assert (await login(own, other.email)).status_code == 429
        own.cookies.set("docagent_device", "forged", domain="docagent.test")
        assert (await login(own, person.email)).status_code == 429


async def test_the_cookie_of_a_known_browser_opens_nothing_and_no_script_reads_it(product: Product) -> None:
    person = await new_person(product)
    async with browser(product) as own, browser(product) as thief:
        cookies = (await login(own, person.email)).headers.get_list("set-cookie")
        device = next(cookie for cookie in cookies if cookie.startswith("docagent_device="))
        assert "httponly" in device.lower()
        assert "samesite=strict" in device.lower()
        assert person.email.casefold() not in device.casefold()
        value = device.partition("=")[2].partition(";")[0]
        shown = await thief.get("/v0/account/auth/me", headers={"Authorization": f"Bearer {value}"})
        assert shown.status_code == 401
        renewed = await thief.post(
            "/v0/account/auth/refresh", headers={"Cookie": f"docagent_refresh={value}"}
        )
        assert renewed.status_code == 401
        own.cookies.set("docagent_device", own.cookies["docagent_refresh"], domain="docagent.test")
        assert (await login(own, person.email)).status_code == 200
