"""No search engine's address and no answer of a search engine leads inside: refused, and nothing is connected to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.domain.errors import Unavailable
from tests.support.services.loopback import HERE, Handler, Names, serving
from tests.support.services.search_engines import OPEN

EACH = pytest.mark.parametrize("provider", list(OPEN))
PUBLIC = "3ffe::1"
"""Of the open internet by its number, and given to nobody."""
REFUSED = "The web search may not be called"

INNER = Names(
    {
        "localhost": [[HERE]],
        "inner.example": [["10.0.0.1"]],
        "metadata.google.internal": [["169.254.169.254"]],
        "mixed.example": [[PUBLIC, HERE]],
        "mapped.example": [["::ffff:127.0.0.1"]],
        "six.example": [["::1"]],
        "nat64.example": [["64:ff9b::7f00:1"]],
        "unspecified.example": [["0.0.0.0"]],
    }
)
ADDRESSES = {
    "loopback": "http://127.0.0.1:{port}",
    "another loopback": "http://127.1.2.3:{port}",
    "private": "http://10.0.0.1",
    "private, the second": "http://172.16.0.1",
    "private, the third": "http://192.168.0.1",
    "unspecified": "http://0.0.0.0:{port}",
    "carrier": "http://100.64.0.1",
    "metadata": "http://169.254.169.254/latest/meta-data",
    "metadata of another cloud": "http://168.63.129.16",
    "metadata, IPv6": "http://[fd00:ec2::254]",
    "decimal": "http://2130706433:{port}",
    "octal": "http://0177.0.0.1:{port}",
    "octal in one": "http://017700000001:{port}",
    "hexadecimal": "http://0x7f.0.0.1:{port}",
    "hexadecimal in one": "http://0x7f000001:{port}",
    "short": "http://127.1:{port}",
    "IPv6 loopback": "http://[::1]:{port}",
    "IPv6-mapped": "http://[::ffff:127.0.0.1]:{port}",
    "IPv6-mapped in hexadecimal": "http://[::ffff:7f00:1]:{port}",
    "IPv4 in 6to4": "http://[2002:7f00:1::]:{port}",
    "IPv4 through NAT64": "http://[64:ff9b::7f00:1]:{port}",
    "link-local": "http://[fe80::1]",
    "userinfo": "http://search.example@127.0.0.1:{port}",
    "userinfo with password": "http://search.example:80@127.0.0.1:{port}",
    "backslash": "http://search.example\\@127.0.0.1:{port}",
    "backslash at the front": "http:\\\\127.0.0.1:{port}",
    "file": "file:///etc/passwd",
    "gopher": "gopher://127.0.0.1:{port}/_x",
    "ftp": "ftp://127.0.0.1:{port}",
    "dict": "dict://127.0.0.1:{port}",
    "without scheme": "//127.0.0.1:{port}",
    "line break": "http://127.0.0.1:{port}/\r\nHost: inner",
    "tab": "http://127.0.0.1\t:{port}",
    "full-width digits": "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:{port}",
    "full-width dots": "http://127。0。0。1:{port}",
    "circled digits": "http://①②⑦.⓪.⓪.①:{port}",
    "trailing dot": "http://127.0.0.1.:{port}",
    "trailing dot of a name": "http://localhost.:{port}",
    "a name": "http://localhost:{port}",
    "a name in capitals": "http://LOCALHOST:{port}",
    "a name that leads inside": "http://inner.example",
    "a name that leads to the metadata": "http://metadata.google.internal",
    "a name that leads inside and outside": "http://mixed.example:{port}",
    "a name with an IPv6-mapped address": "http://mapped.example:{port}",
    "a name with an IPv6 loopback": "http://six.example:{port}",
    "a name with an address through NAT64": "http://nat64.example:{port}",
    "a name that is unspecified": "http://unspecified.example:{port}",
}
LOCATIONS = {
    "to the same machine": "http://127.0.0.1:{port}/",
    "to a private address": "http://10.0.0.1/",
    "to the metadata": "http://169.254.169.254/latest/meta-data",
    "to a name that leads inside": "http://inner.example/",
    "to IPv6": "http://[::1]:{port}/",
    "to a decimal number": "//2130706433:{port}/",
    "to a file": "file:///etc/passwd",
    "to gopher": "gopher://127.0.0.1:{port}/_x",
    "with a user": "http://user@127.0.0.1:{port}/",
    "with a backslash": "/\\127.0.0.1:{port}/",
    "to javascript": "javascript:alert(1)",
}


class Connections:
    """The addresses that this process connects to, as Python's own audit tells them."""

    def __init__(self) -> None:
        self.made: list[Any] = []
        self.watching = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.watching and event == "socket.connect":
            self.made.append(arguments[1])


_CONNECTIONS = Connections()


@pytest.fixture
def connections() -> Iterator[list[Any]]:
    _CONNECTIONS.made = []
    _CONNECTIONS.watching = True
    yield _CONNECTIONS.made
    _CONNECTIONS.watching = False


def moved(where: str, status: int) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": where})

    return handler


@EACH
@pytest.mark.parametrize("kind", list(ADDRESSES))
async def test_an_address_that_leads_inside(provider: str, kind: str, connections: list[Any]) -> None:
    async with serving() as inner:
        search = OPEN[provider](GuardedHttp(resolver=INNER), ADDRESSES[kind].format(port=inner.port))
        with pytest.raises(Unavailable, match=REFUSED):
            await search.search("x")
    assert inner.seen == []
    assert connections == []


@EACH
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("kind", list(LOCATIONS))
async def test_a_redirect_is_not_followed(
    provider: str, kind: str, status: int, connections: list[Any]
) -> None:
    async with serving() as inner, serving(moved(LOCATIONS[kind].format(port=inner.port), status)) as outer:
        search = OPEN[provider](GuardedHttp([HERE], resolver=INNER), outer.url())
        with pytest.raises(Unavailable, match="not followed"):
            await search.search("x")
    assert inner.seen == []
    assert connections == [(HERE, outer.port)]


@EACH
async def test_a_name_that_turns_inside_is_looked_up_once_for_each_search(
    provider: str, connections: list[Any]
) -> None:
    """DNS rebinding: what was checked is what is connected to, and the next search is checked again."""
    async with serving() as inner:
        names = Names({"rebinding.example": [[PUBLIC], [HERE]]})
        http = GuardedHttp(limits=EgressLimits(seconds=0.2), resolver=names)
        search = OPEN[provider](http, inner.url(host="rebinding.example"))
        with pytest.raises(Unavailable, match="did not work"):  # nobody is there, but it was tried
            await search.search("x")
        assert names.asked == ["rebinding.example"]
        with pytest.raises(Unavailable, match=REFUSED):
            await search.search("x")
    assert names.asked == ["rebinding.example"] * 2
    assert {address[0] for address in connections} == {PUBLIC}
    assert inner.seen == []


@EACH
async def test_the_counting_counts(provider: str, connections: list[Any]) -> None:
    async with serving() as inner:
        with pytest.raises(Unavailable, match="not answer with a list of results"):
            await OPEN[provider](GuardedHttp([HERE]), inner.url()).search("x")
    assert connections == [(HERE, inner.port)]
