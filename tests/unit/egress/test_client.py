"""The guarded client against real servers on this machine, which an administrator would have to list."""

from __future__ import annotations

import asyncio
import gzip
import ssl
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from aiohttp import web
from cryptography import x509

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.domain.egress import EgressFailed, EgressRefused
from tests.support.polling import SECONDS
from tests.support.services.certificates import make_certificate
from tests.support.services.loopback import HERE, Handler, Names, endless, serving
from tests.support.tables import table

PUBLIC = "3ffe::1"
"""Of the open internet by its number, and given to nobody, so that the tests call no stranger."""


async def hello(request: web.Request) -> web.Response:
    return web.Response(text=f"hello {request.path_qs}", headers={"X-Kind": "greeting"})


def moved(where: str, status: int = 302) -> Handler:
    async def move(request: web.Request) -> web.Response:
        if request.path == "/end":
            return await hello(request)
        return web.Response(status=status, headers={"Location": where})

    return move


async def test_a_listed_server_answers() -> None:
    async with serving(hello) as server:
        answer = await GuardedHttp([HERE]).request(
            "post", server.url("/a?b=c"), headers={"X-One": "1"}, body=b"said"
        )
    assert (answer.status, answer.body, answer.headers["x-kind"]) == (200, b"hello /a?b=c", "greeting")
    assert answer.is_success
    assert answer.url == server.url("/a?b=c")
    assert server.seen[0].method == "POST"
    assert server.seen[0].headers["X-One"] == "1"
    assert server.bodies == [b"said"]


async def test_a_server_that_is_not_listed_hears_nothing() -> None:
    async with serving(hello) as server:
        for host in (HERE, "localhost", "[::ffff:127.0.0.1]"):
            with pytest.raises(EgressRefused):
                await GuardedHttp().request("GET", server.url(host=host))
    assert server.seen == []


async def test_the_name_is_asked_for_once_and_the_checked_address_is_called() -> None:
    """DNS rebinding: the second answer leads inside, and nobody asks for it."""
    names = Names({"rebinding.example": [[HERE], ["10.0.0.1"]]})
    async with serving(hello) as server:
        client = GuardedHttp([f"{HERE}/32"], resolver=names)
        answer = await client.request("GET", server.url(host="rebinding.example"))
        assert answer.status == 200
        assert names.asked == ["rebinding.example"]
        assert server.seen[0].headers["Host"] == f"rebinding.example:{server.port}"
        with pytest.raises(EgressRefused):
            await client.request("GET", server.url(host="rebinding.example"))
    assert len(server.seen) == 1


async def test_a_public_name_that_turns_private_is_refused_at_the_second_call() -> None:
    names = Names({"rebinding.example": [[PUBLIC], [HERE]]})
    client = GuardedHttp(resolver=names, limits=EgressLimits(seconds=0.2))
    async with serving(hello) as server:
        with pytest.raises(EgressFailed):  # nothing answers there, but it was allowed to try
            await client.request("GET", server.url(host="rebinding.example"))
        with pytest.raises(EgressRefused):
            await client.request("GET", server.url(host="rebinding.example"))
    assert server.seen == []


async def test_one_inner_address_among_outer_ones_is_enough_to_refuse() -> None:
    names = Names({"mixed.example": [[PUBLIC, HERE]]})
    with pytest.raises(EgressRefused):
        await GuardedHttp(resolver=names).request("GET", "http://mixed.example/")


@table("allowed", [0, 1, 5])
async def test_redirects_are_followed_up_to_the_limit(allowed: int) -> None:
    async def again(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"{request.path}x"})

    async with serving(again) as server:
        client = GuardedHttp([HERE])
        if allowed:
            with pytest.raises(EgressFailed, match=f"more than {allowed} times"):
                await client.request("GET", server.url("/"), redirects=allowed)
        else:
            assert (await client.request("GET", server.url("/"))).status == 302
    assert len(server.seen) == allowed + 1


@table(
    "location",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "//2130706433/",
        "http://inner.example/",
        "file:///etc/passwd",
        "http://user@127.0.0.1/",
        "/\\10.0.0.1/",
    ],
)
async def test_every_hop_is_checked(location: str) -> None:
    names = Names({"inner.example": [["192.168.0.1"]]})
    async with serving(moved(location)) as server:
        with pytest.raises(EgressRefused):
            await GuardedHttp([HERE], resolver=names).request("GET", server.url(), redirects=3)
    assert len(server.seen) == 1


@table(
    ("status", "method", "body"),
    [(301, "GET", b""), (302, "GET", b""), (303, "GET", b""), (307, "POST", b"x"), (308, "POST", b"x")],
)
async def test_the_method_after_a_redirect(status: int, method: str, body: bytes) -> None:
    async with serving(moved("/end", status)) as server:
        answer = await GuardedHttp([HERE]).request("POST", server.url(), body=b"x", redirects=1)
    assert answer.body == b"hello /end"
    assert (server.seen[1].method, server.bodies[1]) == (method, body)


async def test_credentials_stay_with_the_host_that_they_were_given_for() -> None:
    secret = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "Accept": "text/plain"}
    async with serving(moved("/end")) as target, serving(moved(target.url("/end"))) as server:
        await GuardedHttp([HERE]).request("GET", server.url(), headers=secret, redirects=2)
        await GuardedHttp([HERE]).request("GET", target.url(), headers=secret, redirects=2)
    elsewhere, _, same_host = target.seen
    credentials = ("Authorization", "Cookie", "X-Api-Key")
    assert not any(name in elsewhere.headers for name in credentials)
    assert elsewhere.headers["Accept"] == "text/plain"
    assert all(name in same_host.headers for name in credentials)


async def test_no_cookie_is_kept() -> None:
    async def cookie(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "/end", "Set-Cookie": "a=b"})

    async with serving(cookie) as server:
        with pytest.raises(EgressFailed):
            await GuardedHttp([HERE]).request("GET", server.url(), redirects=1)
    assert "Cookie" not in server.seen[1].headers


async def test_a_body_over_the_limit_is_cut_off() -> None:
    async with serving(endless) as server:
        client = GuardedHttp([HERE], EgressLimits(most_bytes=100_000))
        with pytest.raises(EgressFailed, match="more than 100000 bytes"):
            await client.request("GET", server.url())
        answer = await client.request("GET", server.url(), read=False)
    assert (answer.status, answer.body) == (200, b"")


async def test_a_compressed_body_is_not_unpacked() -> None:
    async def bomb(request: web.Request) -> web.Response:
        assert request.headers["Accept-Encoding"] == "identity"
        return web.Response(body=gzip.compress(b"0" * 10_000_000), headers={"Content-Encoding": "gzip"})

    async with serving(bomb) as server:
        with pytest.raises(EgressFailed, match="compressed"):
            await GuardedHttp([HERE]).request("GET", server.url())


@table("trickles", [False, True])
async def test_a_slow_server_is_left(trickles: bool) -> None:
    async def slow(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        if trickles:
            await response.prepare(request)
        try:
            while True:
                await asyncio.sleep(0.02)
                if trickles:
                    await response.write(b"x")
        except ConnectionError:
            return response

    async with asyncio.timeout(SECONDS), serving(slow) as server:
        with pytest.raises(EgressFailed, match=r"longer than 0\.3 seconds"):
            await GuardedHttp([HERE], EgressLimits(seconds=0.3)).request("GET", server.url())


async def test_a_port_where_nobody_listens() -> None:
    async with serving(hello) as server:
        pass
    with pytest.raises(EgressFailed, match="did not answer"):
        await GuardedHttp([HERE]).request("GET", server.url())


async def test_a_name_that_nobody_knows() -> None:
    with pytest.raises(EgressFailed, match="was not found"):
        await GuardedHttp().request("GET", "http://nobody.invalid/")


# --- TLS --------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the server, and for a client that trusts it. It is made out to secure.example alone."""
    names = [x509.DNSName("secure.example"), x509.IPAddress(IPv4Address(HERE))]
    return make_certificate(tmp_path, "secure.example", names)


async def test_the_server_is_asked_for_by_its_name_and_must_prove_it(
    certificate: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    serves, trusts = certificate
    asked_for: list[str | None] = []
    serves.sni_callback = lambda _, name, __: asked_for.append(name)
    names = Names({"secure.example": [[HERE]], "other.example": [[HERE]]})
    async with serving(hello, serves) as server:
        client = GuardedHttp([HERE], resolver=names, trust=trusts)
        answer = await client.request("GET", server.url(host="secure.example", scheme="https"))
        assert answer.body == b"hello /"
        with pytest.raises(EgressFailed, match="certificate"):
            await client.request("GET", server.url(host="other.example", scheme="https"))
        with pytest.raises(EgressFailed, match="certificate"):
            await GuardedHttp([HERE], resolver=names).request(
                "GET", server.url(host="secure.example", scheme="https")
            )
    assert asked_for == ["secure.example", "other.example", "secure.example"]
    assert len(server.seen) == 1


async def test_a_redirect_does_not_leave_tls(certificate: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    serves, trusts = certificate
    async with serving(hello) as plain, serving(moved(plain.url()), serves) as server:
        with pytest.raises(EgressRefused, match="from https to http"):
            await GuardedHttp([HERE], trust=trusts).request("GET", server.url(scheme="https"), redirects=1)
    assert plain.seen == []
