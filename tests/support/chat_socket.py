"""A client for the chat's WebSocket. It keeps every frame in order, and waits for the frames that a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.agent import OPENAI, Desk, Json
from tests.support.polling import SECONDS

Wanted = Callable[[Json], bool]


@dataclass
class ChatClient:
    """One connection to the chat."""

    connection: ClientConnection
    patience: float = SECONDS
    frames: list[Json] = field(default_factory=list)

    async def send(self, kind: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"type": kind, **fields}))

    async def send_raw(self, frame: str | bytes) -> None:
        await self.connection.send(frame)

    async def chat(self, text: str, **fields: Any) -> None:
        await self.send("chat", content=text, **{"model": OPENAI, **fields})

    async def read(self) -> Json:
        """Return the next frame, heartbeats included."""
        async with asyncio.timeout(self.patience):
            frame: Json = json.loads(await self.connection.recv())
        self.frames.append(frame)
        return frame

    async def until(self, wanted: Wanted | str) -> Json:
        """Read on to the first frame that is wanted, given by a function or by the name of its kind."""
        test = wanted if callable(wanted) else lambda frame: kind_of(frame) == wanted
        while True:
            frame = await self.read()
            if test(frame):
                return frame

    async def to_the_end(self) -> list[Json]:
        """Return all frames up to the end of the turn."""
        await self.until("response_complete")
        return self.frames

    async def error(self) -> Json:
        return await self.until("error")

    async def closed(self) -> int | None:
        """Read on until the server closes the connection, and return the code."""
        try:
            while True:
                await self.read()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    @property
    def turn_id(self) -> str:
        found: str = next(frame["turn_id"] for frame in reversed(self.frames) if "turn_id" in frame)
        return found

    @property
    def kinds(self) -> list[str]:
        return [kind_of(frame) for frame in self.frames]


def kind_of(frame: Mapping[str, Any]) -> str:
    return str(frame.get("update_type") or frame["type"])


def numbered(frames: Sequence[Json]) -> list[tuple[int, str]]:
    """Return the durable frames without pieces of text, each as its number and its kind."""
    return [
        (frame["seq"], kind_of(frame))
        for frame in frames
        if "seq" in frame and kind_of(frame) != "token_stream"
    ]


def spoken(frames: Sequence[Json]) -> list[str]:
    """Return the texts of a turn. A frame with `is_first` begins a new one."""
    texts: list[str] = []
    for frame in frames:
        if frame["type"] == "token_stream":
            if frame["is_first"]:
                texts.append("")
            texts[-1] += frame["token"]
    return texts


def address(client: httpx2.AsyncClient, organization_id: str, path: str) -> str:
    base = str(client.base_url).rstrip("/").replace("http", "ws", 1)
    return f"{base}/v0/orgs/{organization_id}{path}/ws"


def address_of(desk: Desk) -> str:
    return address(desk.api.client, desk.tenant.organization_id, desk.path)


@asynccontextmanager
async def connected(
    desk: Desk, headers: Mapping[str, str] | None = None, *, url: str | None = None, ready: bool = True
) -> AsyncIterator[ChatClient]:
    """Connect with the desk's token in the header, or with other headers."""
    given = desk.api.headers if headers is None else headers
    async with connect(
        url or address_of(desk), additional_headers=given, proxy=None, ping_timeout=SECONDS
    ) as connection:
        client = ChatClient(connection)
        if ready:
            assert await client.read() == {"type": "ready"}
            client.frames.clear()
        yield client
