"""How the web client is served: one page for every address, files that never change, and nothing where it is not."""

from __future__ import annotations

import re

import httpx2
import pytest

from docagent.api.app import create_app
from docagent.api.web import BUILT
from docagent.domain.ids import new_id
from tests.support.product import Product

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def built() -> str:
    index = BUILT / "index.html"
    assert index.is_file(), "The web client is not built: run `make web`."
    return index.read_text()


@pytest.mark.parametrize(
    "path", ["/", "/login", "/orgs/6af8aaaaaaaaaaaaaaaaaaaa/documents", "/anything/at/all"]
)
async def test_every_address_of_the_client_is_the_same_page(client: httpx2.AsyncClient, path: str) -> None:
    built()
    answer = await client.get(path, headers=BROWSER)
    assert answer.status_code == 200
    assert '<div id="root">' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/v0/nowhere", "/fastapi/v0/nowhere", "/assets/nowhere.js", "/static/nowhere.js"]
)
async def test_below_other_roots_nothing_is_made_up(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.json()["detail"]


async def test_programs_are_told_that_nothing_is_there(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/anything/at/all")).status_code == 404
    assert (await client.post("/anything/at/all", headers=BROWSER)).status_code == 404


async def test_the_policy_allows_no_inline_script_and_no_other_host(client: httpx2.AsyncClient) -> None:
    built()
    pages = [await client.get("/", headers=BROWSER) for _ in range(2)]
    policies = [page.headers["Content-Security-Policy"] for page in pages]
    nonces = [re.findall(r"'nonce-([\w-]{20,})'", policy) for policy in policies]
    assert len({nonce for found in nonces for nonce in found}) == 2, "a nonce is used once"
    assert nonces[0][0] in pages[0].text
    for policy in policies:
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy
        assert "http" not in policy
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "frame-ancestors 'none'" in policy


async def test_the_page_says_whether_there_is_a_cookie_and_nothing_of_it(client: httpx2.AsyncClient) -> None:
    built()
    assert 'name="docagent-session" content="none"' in (await client.get("/", headers=BROWSER)).text
    cookie = {"Cookie": "docagent_refresh=a-secret-value"}
    answer = await client.get("/", headers=BROWSER | cookie)
    assert 'name="docagent-session" content="maybe"' in answer.text
    assert "a-secret-value" not in answer.text


async def test_files_are_kept_forever_and_sent_small(client: httpx2.AsyncClient) -> None:
    script = re.search(r'src="(/static/[^"]+\.js)"', built())
    assert script
    packed = await client.get(script[1], headers={"Accept-Encoding": "gzip"})
    plain = await client.get(script[1], headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
    for answer in (packed, plain):
        assert "javascript" in answer.headers["Content-Type"]
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Vary"] == "Accept-Encoding"


async def test_small_files_of_the_page_are_there(client: httpx2.AsyncClient) -> None:
    built()
    for path, kind in (("/icon.svg", "image/svg+xml"), ("/theme.js", "text/javascript")):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["Content-Type"].split(";")[0]) == (200, kind)


async def test_a_browser_with_a_login_link_lands_in_the_client(product: Product) -> None:
    built()
    secret = await product.services.identity.make_login_link(product.admin_id)
    transport = httpx2.ASGITransport(create_app(product.settings, product.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docagent.test") as visitor:
        answer = await visitor.get("/login", params={"once": secret}, headers=BROWSER)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "httponly" in answer.headers["set-cookie"].lower()
        for used in (secret, new_id()):
            again = await visitor.get("/login", params={"once": used}, headers=BROWSER)
            assert (again.status_code, again.headers["location"]) == (303, "/login?link=refused")
            assert "set-cookie" not in again.headers
