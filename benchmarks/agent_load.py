"""Talks to an agent's chat as clients do, as a program of its own, so that its work is not counted as the server's.

It takes one job as JSON in its argument and prints what it saw as JSON. For streams it also prints when the
time begins in which all of them run, and when it ends.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
import uvloop

_CHUNK = b'data: {"type":"assistant_text_chunk"'
_DONE = b'data: {"type":"done"'
_CLOCK = re.compile(rb"t(\d{9,}) ")
OnLine = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Job:
    kind: str
    url: str
    """The address of the chat. Verdicts go to `/approve` below it."""
    token: str
    model: str
    threads: Sequence[str | None]
    """The threads to take a turn in, one after another; `null` for a turn without a thread."""
    at_once: int = 1
    opening_seconds: float = 0.0
    window_seconds: float = 0.0


class Connection(asyncio.Protocol):
    """Sends one request after another, and passes on lines however they were split into frames."""

    def __init__(self) -> None:
        self._rest = b""
        self._on_line: OnLine = lambda _: None
        self._head = True
        self._left: int | None = None
        self._done: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    async def post(self, url: str, token: str, body: Any, on_line: OnLine) -> None:
        content = orjson.dumps(body)
        path = urlsplit(url).path
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self._head, self._rest, self._on_line = True, b"", on_line
        self._done = asyncio.get_running_loop().create_future()
        self._transport.write(head.encode() + content)
        await self._done

    def close(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if self._head:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            self._head = False
            if not head.startswith(b"HTTP/1.1 200"):
                self._end(RuntimeError(f"the server answered {head[:200]!r} {data[:500]!r}"))
                return
            if b"chunked" not in head.lower():
                self._end(RuntimeError("the answer is not a stream"))
                return
        *lines, self._rest = data.split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self._on_line(line)
        if data.endswith(b"\r\n0\r\n\r\n") or data == b"0\r\n\r\n":
            self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionError("the server closed the connection"))

    def _end(self, error: Exception | None) -> None:
        if self._done is not None and not self._done.done():
            if error is None:
                self._done.set_result(None)
            else:
                self._done.set_exception(error)


async def connect(url: str) -> Connection:
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(Connection, str(parts.hostname), parts.port or 80)
    return connection


def _message(job: Job, thread: str | None) -> dict[str, Any]:
    asked = {"role": "user", "content": "Which tags do we have?"}
    body: dict[str, Any] = {"messages": [asked], "model": f"scripted/{job.model}", "stream": True}
    return body if thread is None else {**body, "thread_id": thread}


async def _result(connection: Connection, url: str, token: str, body: Any) -> dict[str, Any]:
    """Return the last event of a stream."""
    found: list[bytes] = []

    def look(line: bytes) -> None:
        if line.startswith(_DONE):
            found.append(line)
        elif line.startswith(b'data: {"type":"error"'):
            raise RuntimeError(line.decode())

    await connection.post(url, token, body, look)
    result: dict[str, Any] = orjson.loads(found[0][6:])["result"]
    return result


async def turns(job: Job) -> dict[str, Any]:
    """Run one turn after another."""
    connection = await connect(job.url)
    started = time.perf_counter()
    for thread in job.threads:
        result = await _result(connection, job.url, job.token, _message(job, thread))
        _expect(result, "completed")
    return {"seconds": time.perf_counter() - started}


async def approvals(job: Job) -> dict[str, Any]:
    """Run turns that pause for one call, and approve it at once."""
    connection = await connect(job.url)
    started = time.perf_counter()
    for thread in job.threads:
        paused = await _result(connection, job.url, job.token, _message(job, thread))
        _expect(paused, "awaiting_approval")
        verdicts = [{"call_id": call["id"], "approved": True} for call in paused["tool_calls"]]
        body = {"turn_id": paused["turn_id"], "approvals": verdicts, "stream": True}
        result = await _result(connection, f"{job.url}/approve", job.token, body)
        _expect(result, "completed")
    return {"seconds": time.perf_counter() - started}


async def pauses(job: Job) -> dict[str, Any]:
    """Run turns that pause, and leave them waiting."""
    waiting = list(job.threads)

    async def some() -> None:
        connection = await connect(job.url)
        while waiting:
            paused = await _result(connection, job.url, job.token, _message(job, waiting.pop()))
            _expect(paused, "awaiting_approval")

    await asyncio.gather(*(some() for _ in range(job.at_once)))
    return {}


@dataclass
class Seen:
    """What was seen of all streams, and how late."""

    expected: int
    begun: int = 0
    all_begun: asyncio.Event = field(default_factory=asyncio.Event)
    lags: list[float] = field(default_factory=list)

    def begins(self) -> None:
        self.begun += 1
        if self.begun == self.expected:
            self.all_begun.set()


async def streams(job: Job) -> dict[str, Any]:
    """Start streams one after another, then let them run side by side."""
    seen = Seen(len(job.threads))
    between = job.opening_seconds / seen.expected
    running = []
    for thread in job.threads:
        running.append(asyncio.create_task(_stream(job, thread, seen)))
        await asyncio.sleep(between)
    await seen.all_begun.wait()
    before = len(seen.lags)
    _say({"window": "begins"})
    started = time.perf_counter()
    await asyncio.wait(running, timeout=job.window_seconds, return_when=asyncio.FIRST_COMPLETED)
    seconds = time.perf_counter() - started
    lags = seen.lags[before:]
    _say({"window": "ends"})
    await asyncio.gather(*running)
    if seconds < job.window_seconds / 2:
        raise RuntimeError("streams ended before all of them ran for a while: give them more chunks")
    return {
        "chunks": len(lags),
        "seconds": seconds,
        "all_chunks": len(seen.lags),
        "p50_ms": _quantile(lags, 0.5),
        "p95_ms": _quantile(lags, 0.95),
        "opening_p95_ms": _quantile(seen.lags[:before], 0.95),
    }


async def _stream(job: Job, thread: str | None, seen: Seen) -> None:
    heard = done = 0

    def look(line: bytes) -> None:
        nonlocal heard, done
        if line.startswith(_CHUNK):
            moment = time.monotonic_ns()
            for sent in _CLOCK.findall(line):
                heard += 1
                if heard == 1:
                    seen.begins()
                seen.lags.append((moment - int(sent)) / 1e6)
        done += line.startswith(_DONE)

    connection = await connect(job.url)
    await connection.post(job.url, job.token, _message(job, thread), look)
    connection.close()
    wanted = int(job.model.split(":")[2])
    if not done or heard != wanted:
        raise RuntimeError(f"{heard} chunks came of {wanted}, and {done} ends")


def _expect(result: dict[str, Any], state: str) -> None:
    if result["state"] != state:
        raise RuntimeError(f"the turn is {result['state']}, not {state}: {result}")


def _quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(len(values) * share)] if values else 0.0


def _say(what: dict[str, Any]) -> None:
    print(orjson.dumps(what).decode(), flush=True)


JOBS = {"turns": turns, "approvals": approvals, "pauses": pauses, "streams": streams}

if __name__ == "__main__":
    wanted_job = Job(**orjson.loads(sys.argv[1]))
    _say(uvloop.run(JOBS[wanted_job.kind](wanted_job)))
