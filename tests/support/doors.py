"""An application behind the server's own protocols, with limits that the test chooses, on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import uvicorn

from docagent.api.server.connections import ConnectionLimits, Connections
from docagent.api.server.uvicorn_internals import Door
from docagent.cli.server.serving import listen
from docagent.domain.accounts.addresses import Networks
from tests.support.polling import SECONDS, true_soon, until

LIMITS = ConnectionLimits(
    in_all=100,
    per_place=50,
    head_seconds=10,
    idle_seconds=5,
    bytes_per_second=500,
    body_seconds=20,
    answer_seconds=60,
)


@dataclass
class Line:
    """One connection of a client."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Read one answer of known length: its status, its headers and its body."""
        async with asyncio.timeout(SECONDS):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
            }
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return int(head[0].split()[1]), headers, body

    async def is_ended(self) -> bool:
        """Wait for the end. False if something came instead."""
        async with asyncio.timeout(SECONDS):
            try:
                return await self.reader.read(1) == b""
            except ConnectionResetError:
                return True


@dataclass
class House:
    port: int
    connections: Connections
    server: uvicorn.Server
    opened: list[Line]

    async def connect(self, source: str = "127.0.0.1") -> Line:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        line = Line(reader, writer)
        self.opened.append(line)
        return line

    async def after(self, seconds: float) -> None:
        """Look after the connections as if so much time had passed since they did what they did."""
        self.connections.cut_overdue(asyncio.get_running_loop().time() + seconds)

    async def has_unsent(self) -> bool:
        """Whether a part of an answer waits for its client."""
        return any(
            connection.transport.get_write_buffer_size()
            for connection in self.server.server_state.connections
        )

    async def holds(self, count: int) -> None:
        """Wait until the server knows of so many connections."""

        async def is_so() -> bool:
            return self.connections.count == count

        await until(is_so)


@asynccontextmanager
async def house(app: Any, proxies: Sequence[str] = (), **limits: Any) -> AsyncIterator[House]:
    connections = Connections(replace(LIMITS, **limits))
    door = Door(connections, Networks(proxies))
    config = uvicorn.Config(
        app,
        lifespan="off",
        http=door.http(),
        ws=door.websocket(),
        log_config=None,
        access_log=False,
        timeout_keep_alive=600,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        opened: list[Line] = []
        try:
            await true_soon(lambda: server.started)
            yield House(listener.getsockname()[1], connections, server, opened)
        finally:
            for line in opened:
                line.writer.close()
                with suppress(OSError):
                    await line.writer.wait_closed()
            server.should_exit = True
            await serving


def request(method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> bytes:
    """One request as bytes. A length among the headers may be a lie."""
    lines = {"Host": "docagent.test", **(headers or {})}
    if body and "Content-Length" not in lines and "Transfer-Encoding" not in lines:
        lines["Content-Length"] = str(len(body))
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body
