"""A provider of models on loopback that says what it was told to, in any of the four formats."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from aiohttp import web

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply
from tests.support.models.wire_streams import encoder_for


class Then(Enum):
    """What happens after the last bytes."""

    END = "end"
    HANG = "hang"
    DROP = "drop"


@dataclass(frozen=True)
class Refusal:
    """An answer that is not a stream."""

    status: int
    body: object = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """A stream of exactly these bytes. A number is a pause in seconds."""

    blocks: Sequence[bytes | float]
    then: Then = Then.END


@dataclass(frozen=True)
class Silent:
    """No answer at all: not even its head comes, or the connection drops."""

    drop: bool = False


Body = dict[str, Any]
Answer = ModelReply | str | Refusal | Raw | Silent | Callable[[Body], ModelReply]
"""A function makes the answer from the request, such as one that names what an earlier call made."""


@dataclass(frozen=True)
class Received:
    path: str
    query: str
    headers: dict[str, str]
    body: Body
    connection: object
    """Identifies the connection: requests over the same one share it."""


class ScriptedProvider:
    def __init__(self) -> None:
        self.base_url = ""
        self.requests: list[Received] = []
        self.at_once = 0
        self.most_at_once = 0
        self.left_early = asyncio.Event()
        """Set when a client leaves before its answer is complete."""
        self.told: dict[str, object] = {}
        """JSON by path, for questions about the server itself; or a function of what was posted."""
        self.hold: asyncio.Event | None = None
        """While this event is not set, every answer waits."""
        self._answers: deque[Answer] = deque()
        self._changed = asyncio.Condition()

    def add(self, *answers: Answer) -> None:
        """Add answers for the next requests, in this order."""
        self._answers.extend(answers)

    def forget(self) -> None:
        """Drop the answers that were not used."""
        self._answers.clear()

    async def is_asked(self, at_once: int = 1) -> None:
        """Wait until that many requests have been open at once, now or earlier."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.most_at_once >= at_once)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if request.path in self.told:
            return await self.tell(request)
        body = json.loads(await request.read())
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert request.transport is not None
        connection = request.transport.get_extra_info("peername")
        self.requests.append(Received(request.path, request.query_string, headers, body, connection))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            async with self._changed:
                self._changed.notify_all()
            if self.hold is not None:
                await self.hold.wait()
            answer = self._answers.popleft()
            return await self._say(request, answer(body) if callable(answer) else answer)
        except (asyncio.CancelledError, ConnectionError):
            self.left_early.set()
            raise
        finally:
            self.at_once -= 1

    async def release(self, request: web.Request) -> web.StreamResponse:
        """A client in a process of its own has seen enough: answers wait no longer."""
        del request
        assert self.hold is not None
        self.hold.set()
        return web.Response()

    async def tell(self, request: web.Request) -> web.StreamResponse:
        told = self.told.get(request.path)
        if told is None:
            raise web.HTTPNotFound
        if isinstance(told, Silent):
            await asyncio.Event().wait()
        if isinstance(told, web.StreamResponse):
            return told
        return web.json_response(told(await request.json()) if callable(told) else told)

    async def _say(
        self, request: web.Request, answer: ModelReply | str | Refusal | Raw | Silent
    ) -> web.StreamResponse:
        if isinstance(answer, Refusal):
            text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            kind = "text/html" if text.startswith("<") else "application/json"
            return web.Response(status=answer.status, text=text, content_type=kind, headers=answer.headers)
        if isinstance(answer, Silent):
            if answer.drop:
                _drop(request)
            await asyncio.Event().wait()
        if isinstance(answer, str):
            answer = make_reply(answer)
        if isinstance(answer, ModelReply):
            answer = Raw(encoder_for(request.path)(answer))
        assert isinstance(answer, Raw)
        return await self._stream(request, answer)

    async def _stream(self, request: web.Request, answer: Raw) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for block in answer.blocks:
            if isinstance(block, float):
                await asyncio.sleep(block)
            else:
                await response.write(block)
        if answer.then is Then.HANG:
            await asyncio.Event().wait()
        if answer.then is Then.DROP:
            _drop(request)
        return response


def _drop(request: web.Request) -> None:
    assert request.transport is not None
    request.transport.abort()


@asynccontextmanager
async def running_provider(tls: ssl.SSLContext | None = None) -> AsyncIterator[ScriptedProvider]:
    """Run a provider on a free port of loopback until the block ends."""
    provider = ScriptedProvider()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_get("/{path:.*}", provider.tell)
    app.router.add_post("/v1/release", provider.release)
    app.router.add_post("/{path:.*}", provider.answer)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    host, port = runner.addresses[0][:2]
    provider.base_url = f"{'https' if tls else 'http'}://{host}:{port}/v1"
    try:
        yield provider
    finally:
        await runner.cleanup()
