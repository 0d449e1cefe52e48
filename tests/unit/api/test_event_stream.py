"""The answer that streams: it ends with its lines, or when the client goes, and leaves nothing running."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from docagent.api.stream import LISTENER, EventStream
from tests.support.polling import SECONDS

SCOPE: dict[str, Any] = {"type": "http", "asgi": {"spec_version": "2.3"}}


class Client:
    """Sends a request without a body, and goes when it is told to."""

    def __init__(self) -> None:
        self.goes = asyncio.Event()
        self.heard: list[dict[str, Any]] = []
        self.hears = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.goes.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.heard.append(message)
        if message.get("body"):
            self.hears.set()


class Lines:
    """One line, and then, when they are endless, silence."""

    def __init__(self, *, endless: bool) -> None:
        self._endless = endless
        self.ended = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            yield b"data: 1\n\n"
            if self._endless:
                await asyncio.Event().wait()
        finally:
            self.ended = True


def listeners() -> set[asyncio.Task[Any]]:
    """Tasks that a stream makes for itself, among all that this process runs."""
    return {task for task in asyncio.all_tasks() if task.get_name() == LISTENER}


async def test_it_ends_with_its_lines() -> None:
    client, lines, before = Client(), Lines(endless=False), listeners()
    async with asyncio.timeout(SECONDS):
        await EventStream(aiter(lines))(SCOPE, client.receive, client.send)
        await asyncio.gather(*(listeners() - before), return_exceptions=True)
    assert lines.ended
    assert [message.get("body") for message in client.heard] == [None, b"data: 1\n\n", b""]
    assert listeners() <= before


async def test_it_ends_when_the_client_goes() -> None:
    client, lines, before = Client(), Lines(endless=True), listeners()
    streaming = asyncio.create_task(EventStream(aiter(lines))(SCOPE, client.receive, client.send))
    async with asyncio.timeout(SECONDS):
        await client.hears.wait()
        client.goes.set()
        await streaming
    assert lines.ended
    assert listeners() <= before


async def test_who_is_cancelled_hears_of_it() -> None:
    client, lines, before = Client(), Lines(endless=True), listeners()
    streaming = asyncio.create_task(EventStream(aiter(lines))(SCOPE, client.receive, client.send))
    async with asyncio.timeout(SECONDS):
        await client.hears.wait()
        streaming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await streaming
        await asyncio.gather(*(listeners() - before), return_exceptions=True)
    assert lines.ended
    assert listeners() <= before
