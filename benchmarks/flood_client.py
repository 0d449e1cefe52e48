"""Floods a server, as a program of its own so that its memory and processor time are not counted as the server's.

    flood_client bodies URL CLIENTS MEGABYTES   each client sends one body without a sign-in
    flood_client sign-ins URL CLIENTS PLACES    clients at so many addresses try names again and again
    flood_client idle URL CONNECTIONS           connections that say nothing

The last two print a line when the flood is there. `sign-ins` goes on until its standard input ends, `idle` until the
server has ended every connection. Each prints, as its last line, a JSON object with what it saw, by number.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections import Counter
from urllib.parse import SplitResult, urlsplit

import uvloop

PIECE = b"x" * 65536


async def send_bodies(url: SplitResult, clients: int, megabytes: int) -> Counter[str]:
    statuses: Counter[str] = Counter()

    async def send() -> None:
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        head = f"POST {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {megabytes * 1_000_000}\r\n\r\n".encode())
        left = megabytes * 1_000_000
        while left > 0:
            writer.write(PIECE[:left])
            await writer.drain()
            left -= len(PIECE)
        statuses[await _status(reader)] += 1
        writer.close()

    await asyncio.gather(*(send() for _ in range(clients)))
    return statuses


async def try_names(url: SplitResult, clients: int, places: int) -> Counter[str]:
    statuses: Counter[str] = Counter()
    is_there, over = asyncio.Event(), asyncio.Event()

    async def keep_trying(place: str) -> None:
        reader, writer = await asyncio.open_connection(url.hostname, url.port, local_addr=(place, 0))
        while not over.is_set():
            body = json.dumps({"email": f"{secrets.token_hex(8)}@example.com", "password": "a wrong one"})
            head = f"POST {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            statuses[await _status(reader)] += 1
            is_there.set()
        writer.close()

    trying = [asyncio.create_task(keep_trying(f"127.0.1.{1 + n % places}")) for n in range(clients)]
    await is_there.wait()
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    over.set()
    await asyncio.gather(*trying)
    return statuses


async def say_nothing(url: SplitResult, connections: int) -> Counter[str]:
    opened = [await asyncio.open_connection(url.hostname, url.port) for _ in range(connections)]
    print("there", flush=True)

    async def end(reader: asyncio.StreamReader) -> str:
        try:
            return "ended" if await reader.read(1) == b"" else "answered"
        except ConnectionResetError:
            return "ended"

    return Counter(await asyncio.gather(*(end(reader) for reader, _ in opened)))


async def _status(reader: asyncio.StreamReader) -> str:
    """Read one answer with its body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    await reader.readexactly(int(head.partition("content-length:")[2].splitlines()[0]))
    return head.split()[1]


async def main() -> None:
    kind, url, *numbers = sys.argv[1:]
    flood = {"bodies": send_bodies, "sign-ins": try_names, "idle": say_nothing}[kind]
    print(json.dumps(await flood(urlsplit(url), *map(int, numbers))))  # type: ignore[operator]


if __name__ == "__main__":
    uvloop.run(main())
