"""HTTP servers on this machine that record the requests they get."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from docagent.domain.egress import HostNotFound
from tests.support.polling import SECONDS

HERE = "127.0.0.1"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Server:
    port: int
    seen: list[web.Request] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def url(self, path: str = "/", host: str = HERE, scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def until(self, count: int) -> None:
        """Wait until so many requests have come."""
        async with asyncio.timeout(SECONDS):
            while True:
                if len(self.seen) >= count:
                    return
                await asyncio.sleep(0.02)


@dataclass
class Names:
    """A name server that answers each question with the next of its answers."""

    answers: dict[str, list[Sequence[str]]]
    asked: list[str] = field(default_factory=list)

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self.answers:
            raise HostNotFound(f"The host {host} was not found.")
        waiting = self.answers[host]
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


async def accept(request: web.Request) -> web.Response:
    return web.Response(status=204)


@asynccontextmanager
async def serving(handler: Handler = accept, trust: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server(0)

    async def noted(request: web.Request) -> web.StreamResponse:
        server.bodies.append(await request.read())
        server.seen.append(request)
        return await handler(request)

    app = web.Application(client_max_size=20 * 1024 * 1024)
    app.router.add_route("*", "/{path:.*}", noted)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HERE, 0, ssl_context=trust)
        await site.start()
        server.port = runner.addresses[0][1]
        yield server
    finally:
        await runner.cleanup()


async def endless(request: web.Request) -> web.StreamResponse:
    """An answer that goes on until the client leaves."""
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        while True:
            await response.write(b"x" * 10_000)
    except ConnectionError:
        return response
