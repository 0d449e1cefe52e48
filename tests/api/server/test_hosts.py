"""Under which names a server that is for its machine alone answers."""

from __future__ import annotations

import httpx2
import pytest

from docagent.api.app import create_app
from docagent.settings import ServerSettings
from tests.support.product import Product

REGISTRATION = {"email": "guest@example.com", "name": "Guest", "password": "a long password"}


async def status(product: Product, host: str, public_url: str | None = None) -> int:
    server = ServerSettings(public_url=public_url)
    settings = product.settings.model_copy(update={"server": server})
    app = create_app(settings, product.services, on_loopback=True)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://x") as client:
        return (await client.get("/health", headers={"Host": host})).status_code


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:8000", "127.0.0.1:8000", "127.8.9.1", "[::1]:8000", "docs.localhost:8000"],
)
async def test_names_of_this_machine_are_answered(product: Product, host: str) -> None:
    assert await status(product, host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.0.2.7",
        "[::2",
    ],
)
async def test_a_name_that_was_made_to_point_here_is_refused(product: Product, host: str) -> None:
    assert await status(product, host) == 400


async def test_the_public_address_is_answered_beside_the_names_of_this_machine(product: Product) -> None:
    for host, expected in (("docs.example.com", 200), ("localhost:8000", 200), ("evil.example", 400)):
        assert await status(product, host, "https://docs.example.com/agent") == expected


async def test_nobody_registers_from_a_page_of_somebody_else(product: Product) -> None:
    app = create_app(product.settings, product.services, on_loopback=True)
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://evil.example"
    ) as page:
        refused = await page.post("/api/auth/register", json=REGISTRATION)
    assert refused.status_code == 400
    assert "server.public_url" in refused.json()["detail"]
