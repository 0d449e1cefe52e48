"""Nothing is read before one knows who sends it, and nobody sends more than they may."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from docagent.api.app import create_app
from docagent.domain.ids import new_id
from tests.support.doors import house, request
from tests.support.operations import description
from tests.support.product import Product, Tenant

MEGABYTE = 1024 * 1024
JSON = {"Content-Type": "application/json"}


@dataclass
class Exchange:
    """One request by hand, which counts what the application reads of its body."""

    method: str
    path: str
    headers: dict[str, str]
    body_pieces: list[bytes] = field(default_factory=list)
    read: int = 0
    asked: int = 0
    status: int = 0
    answer_headers: dict[str, str] = field(default_factory=dict)
    answer: bytes = b""

    async def through(self, app: Any) -> Exchange:
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        path, _, query = self.path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("192.0.2.7", 40000),
            "server": ("docagent.test", 80),
        }
        await app(scope, self._receive, self._send)
        return self

    @property
    def detail(self) -> Any:
        return json.loads(self.answer)["detail"]

    async def _receive(self) -> dict[str, Any]:
        self.asked += 1
        if not self.body_pieces:
            return {"type": "http.disconnect"}
        piece = self.body_pieces.pop(0)
        self.read += len(piece)
        return {"type": "http.request", "body": piece, "more_body": bool(self.body_pieces)}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.answer_headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.answer += message.get("body", b"")


@pytest.fixture
def app(product: Product) -> Any:
    return create_app(product.settings, product.services)


OPEN = {"/v0/account/email/invitations/{token}/accept": 404, "/api/auth/register": 422}
"""Open to strangers, because the secret of the link is their proof, or because they have none yet. Each with the answer
to an empty body."""


def announced(length: int) -> dict[str, str]:
    return JSON | {"Content-Length": str(length)}


def operations() -> list[tuple[str, str]]:
    """Every operation that needs a sign-in and takes a body."""
    return [
        (method.upper(), path)
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation and operation.get("security") and path not in OPEN
    ]


@pytest.mark.parametrize(("path", "status"), OPEN.items())
async def test_a_stranger_sends_little(app: Any, path: str, status: int) -> None:
    filled = path.replace("{token}", "zz")
    small = await Exchange("POST", filled, announced(2), [b"{}"]).through(app)
    assert (small.status, small.asked) == (status, 1)
    large = await Exchange("POST", filled, announced(10**9), [b"{}"]).through(app)
    assert (large.status, large.asked) == (413, 0)


@pytest.mark.parametrize(("method", "path"), operations())
async def test_a_stranger_is_refused_before_a_byte_is_read(app: Any, method: str, path: str) -> None:
    filled = path.replace("{", "").replace("}", "")
    for length in ({"Content-Length": "2"}, {"Content-Length": str(10**9)}, {"Transfer-Encoding": "chunked"}):
        exchange = await Exchange(method, filled, JSON | length, [b"{}"]).through(app)
        assert (exchange.status, exchange.asked) == (401, 0)
        assert exchange.answer_headers["www-authenticate"] == "Bearer"
        assert exchange.detail == "No authentication credentials provided"


async def test_the_other_prefix_is_guarded_as_well(app: Any) -> None:
    exchange = await Exchange("POST", f"/fastapi/v0/orgs/{new_id()}/documents", announced(10**8)).through(app)
    assert (exchange.status, exchange.asked) == (401, 0)


async def test_who_is_no_member_is_refused_before_a_byte_is_read(
    app: Any, tenant: Tenant, other: Tenant
) -> None:
    caller = tenant.account_headers
    for suffix in ("/documents", "/documents/multipart", "/tags"):
        exchange = await Exchange("POST", other.base + suffix, caller | announced(10**8)).through(app)
        assert (exchange.status, exchange.asked) == (403, 0)
        assert exchange.detail == "You are not a member of this organization"
        nowhere = f"/v0/orgs/none{suffix}"
        exchange = await Exchange("POST", nowhere, caller | announced(10**8)).through(app)
        assert (exchange.status, exchange.asked) == (404, 0)


async def test_wrong_credentials_are_refused_before_a_byte_is_read(app: Any, tenant: Tenant) -> None:
    for wrong in ({"Authorization": "Bearer nonsense"}, {"X-Api-Key": "nonsense"}):
        exchange = await Exchange("POST", f"{tenant.base}/tags", wrong | announced(100)).through(app)
        assert (exchange.status, exchange.asked) == (401, 0)
        assert exchange.detail == "Invalid authentication credentials: invalid token"


@pytest.mark.parametrize("path", ["/v0/account/auth/login", "/v0/account/auth/token"])
async def test_where_strangers_may_send_they_send_little(app: Any, path: str) -> None:
    exchange = await Exchange("POST", path, announced(64 * 1024 + 1), [b"x"]).through(app)
    assert (exchange.status, exchange.read) == (413, 0)
    assert exchange.answer_headers["connection"] == "close"
    assert exchange.detail == "The request is larger than the 64 KB that this server accepts here."
    pieces = [b"x" * 40_000 for _ in range(10)]
    exchange = await Exchange("POST", path, JSON | {"Transfer-Encoding": "chunked"}, pieces).through(app)
    assert (exchange.status, exchange.read) == (413, 80_000)
    lying = announced(10) | {"Transfer-Encoding": "chunked"}
    exchange = await Exchange("POST", path, lying, [b"x" * 100_000, b"x"]).through(app)
    assert (exchange.status, exchange.read) == (413, 100_000)


async def test_large_bodies_are_for_uploads_of_members(app: Any, tenant: Tenant) -> None:
    large = tenant.headers | announced(9 * MEGABYTE)
    for path in (f"{tenant.base}/tags", f"{tenant.base}/projects/{new_id()}/documents"):
        exchange = await Exchange("POST", path, large, [b"x"]).through(app)
        assert (exchange.status, exchange.read) == (413, 0)
        assert "8 MB" in exchange.detail
    plain = large | {"Content-Type": "text/plain"}
    exchange = await Exchange("POST", f"{tenant.base}/documents", plain, [b"x"]).through(app)
    assert (exchange.status, exchange.read) == (413, 0)
    exchange = await Exchange("POST", f"{tenant.base}/documents", large, [b"x"]).through(app)
    assert (exchange.status, exchange.read) == (422, 1)


async def test_a_small_body_that_nobody_reads_keeps_the_connection(app: Any) -> None:
    for path, closes in (("/v0/account/auth/refresh", False), ("/v0/account/auth/logout", False)):
        exchange = await Exchange("POST", path, announced(2), [b"{}"]).through(app)
        assert ("connection" in exchange.answer_headers) is closes
    exchange = await Exchange("POST", "/v0/account/auth/refresh", announced(10**8), [b"x"]).through(app)
    assert exchange.answer_headers["connection"] == "close"
    assert exchange.read == 0


async def test_a_client_that_sends_all_of_it_first_sees_why_it_was_refused(app: Any) -> None:
    async with house(app) as served:
        for start, line in (
            ({"Content-Length": str(20 * MEGABYTE)}, b"x" * MEGABYTE),
            ({"Transfer-Encoding": "chunked"}, b"100000\r\n" + b"x" * MEGABYTE + b"\r\n"),
        ):
            connection = await served.connect()
            await connection.send(request("POST", f"/v0/orgs/{new_id()}/documents", JSON | start))
            for _ in range(20):
                await connection.send(line)
            status, headers, body = await connection.answer()
            assert (status, headers["connection"]) == (401, "close")
            assert b"No authentication credentials" in body
            assert await connection.is_ended()


async def test_who_asks_before_sending_is_refused_without_sending(app: Any, tenant: Tenant) -> None:
    expect = JSON | {"Content-Length": "20", "Expect": "100-continue"}
    async with house(app) as served:
        stranger = await served.connect()
        await stranger.send(request("POST", f"{tenant.base}/tags", expect))
        assert (await stranger.answer())[0] == 401
        member = await served.connect()
        await member.send(request("POST", f"{tenant.base}/tags", expect | tenant.headers))
        assert (await member.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        await member.send(b'{"name": "expected"}')
        assert (await member.answer())[0] == 200


async def test_requests_follow_one_another_after_an_early_answer(app: Any, tenant: Tenant) -> None:
    async with house(app) as served:
        connection = await served.connect()
        for headers, wanted in (({}, 401), (tenant.headers, 200), ({}, 401)):
            body = json.dumps({"name": new_id()}).encode()
            await connection.send(request("POST", f"{tenant.base}/tags", JSON | headers, body))
            assert (await connection.answer())[0] == wanted


async def test_an_upload_that_stops_half_way_stores_nothing(
    app: Any, tenant: Tenant, client: httpx2.AsyncClient
) -> None:
    start = b'{"documents": [{"name": "a.pdf", "content": "' + b"A" * 100_000
    headers = tenant.headers | announced(10**6)
    exchange = Exchange("POST", f"{tenant.base}/documents", headers, [start, b"A"])

    async def vanishing(scope: Any, receive: Any, send: Any) -> None:
        async def receiving() -> Any:
            message = await receive()
            return message if message.get("more_body") else {"type": "http.disconnect"}

        await app(scope, receiving, send)

    await exchange.through(vanishing)
    listed = await client.get(f"{tenant.base}/documents", headers=tenant.headers)
    assert listed.json()["documents"] == []
