"""The guarded client: parses the URL strictly, resolves its host once, checks the addresses, and calls those.

Nothing is kept between calls: no connection, no cookie, no answer of a name server. No proxy is used, because
a proxy would resolve the name again.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import aiohttp

from docagent.adapters.egress.addresses import AddressPolicy
from docagent.adapters.egress.resolver import CheckedAddresses, SystemResolver
from docagent.adapters.egress.urls import Target, parse_url, redirected
from docagent.domain.egress import Answer, EgressFailed, EgressRefused, Resolver

AGENT = "docagent"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
KEEP_METHOD = frozenset({307, 308})
FOR_ANY_HOST = frozenset({"accept", "accept-language", "content-type"})
"""The caller's headers that are sent on when a redirect leads to another host."""


@dataclass(frozen=True, slots=True)
class EgressLimits:
    seconds: float = 15.0
    """The time limit for the whole call: name look-up, redirects and body."""
    most_bytes: int = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    target: Target
    headers: Mapping[str, str]
    body: bytes | None
    read: bool


class GuardedHttp:
    def __init__(
        self,
        allowed: Sequence[str] = (),
        limits: EgressLimits | None = None,
        *,
        resolver: Resolver | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """`trust` replaces the machine's list of certificate authorities."""
        self._policy = AddressPolicy(allowed)
        self._limits = limits or EgressLimits()
        self._resolver = resolver or SystemResolver()
        self._trust = trust

    def check(self, url: str) -> None:
        target = parse_url(url)
        if target.address is not None:
            self._policy.check(target.host, [target.address])

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        redirects: int = 0,
        read: bool = True,
    ) -> Answer:
        given = {name.lower(): value for name, value in (headers or {}).items()}
        call = _Call(method.upper(), parse_url(url), given, body, read)
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._follow(call, redirects)
        except TimeoutError as error:
            raise EgressFailed(
                f"{call.target.host} took longer than {self._limits.seconds:g} seconds."
            ) from error

    async def _follow(self, call: _Call, redirects: int) -> Answer:
        for left in range(redirects, -1, -1):
            answer = await self._send(call)
            location = answer.headers.get("location")
            if answer.status not in REDIRECTS or location is None or not redirects:
                return answer
            if left:
                call = _next(call, answer.status, redirected(call.target, location))
        raise EgressFailed(f"{call.target.host} redirected more than {redirects} times.")

    async def _send(self, call: _Call) -> Answer:
        target = call.target
        addresses = await self._addresses(target)
        connector = aiohttp.TCPConnector(
            resolver=CheckedAddresses(addresses),
            use_dns_cache=False,
            force_close=True,
            ssl=self._trust if self._trust is not None else True,
        )
        try:
            async with (
                aiohttp.ClientSession(
                    connector=connector,
                    cookie_jar=aiohttp.DummyCookieJar(),
                    auto_decompress=False,
                    trust_env=False,
                ) as session,
                session.request(
                    call.method,
                    target.url,
                    headers={"user-agent": AGENT, **call.headers, "accept-encoding": "identity"},
                    data=call.body,
                    allow_redirects=False,
                ) as response,
            ):
                return Answer(
                    status=response.status,
                    headers={name.lower(): value for name, value in response.headers.items()},
                    body=await self._body(target, response) if call.read else b"",
                    url=target.url,
                )
        except aiohttp.ClientConnectorCertificateError as error:
            raise EgressFailed(f"The certificate of {target.host} is not trusted.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise EgressFailed(f"{target.host} did not answer: {type(error).__name__}.") from error

    async def _addresses(self, target: Target) -> Sequence[str]:
        if target.address is not None:
            found: Sequence[str] = [str(target.address)]
        else:
            found = await self._resolver.addresses(target.host, target.port)
        self._policy.check(target.host, found)
        return found

    async def _body(self, target: Target, response: aiohttp.ClientResponse) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise EgressFailed(f"{target.host} answered with a compressed body, which was not asked for.")
        body = bytearray()
        async for block in response.content.iter_any():
            body += block
            if len(body) > self._limits.most_bytes:
                raise EgressFailed(f"{target.host} answered with more than {self._limits.most_bytes} bytes.")
        return bytes(body)


def _next(call: _Call, status: int, target: Target) -> _Call:
    """Return the call that a redirect asks for. When it leads to another origin, most headers are dropped."""
    if call.target.scheme == "https" and target.scheme == "http":
        raise EgressRefused(f"{call.target.host} redirected from https to http.")
    headers = call.headers
    if target.origin != call.target.origin:
        headers = {name: value for name, value in headers.items() if name in FOR_ANY_HOST}
    if status in KEEP_METHOD or call.method in ("GET", "HEAD"):
        return replace(call, target=target, headers=headers)
    without = {name: value for name, value in headers.items() if name != "content-type"}
    return replace(call, method="GET", target=target, headers=without, body=None)
