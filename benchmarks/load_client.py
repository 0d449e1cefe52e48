"""Requests one URL again and again over connections that stay open, doing as little work as possible itself.

It runs as a program of its own, `load_client URL CONNECTIONS REQUESTS [TOKEN]`, so that its processor time is
not counted as the server's. It prints the seconds it took.
"""

from __future__ import annotations

import asyncio
import sys
import time
from urllib.parse import urlsplit

import uvloop


async def ask_many(url: str, connections: int, requests: int, token: str | None) -> float:
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    request = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n{authorization}\r\n".encode()
    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(_ask(str(parts.hostname), parts.port or 80, request, requests // connections))
    return time.perf_counter() - started


async def _ask(host: str, port: int, request: bytes, times: int) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    for _ in range(times):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"the server answered {head[:80]!r}")
        await reader.readexactly(_length_of_body(head))
    writer.close()
    await writer.wait_closed()


def _length_of_body(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"content-length:")
    if not found:
        raise RuntimeError("the answer has no content-length")
    return int(rest.split(b"\r\n", 1)[0])


if __name__ == "__main__":
    _, url_argument, connections_argument, requests_argument, *token_argument = sys.argv
    print(
        uvloop.run(
            ask_many(
                url_argument,
                int(connections_argument),
                int(requests_argument),
                token_argument[0] if token_argument else None,
            )
        )
    )
