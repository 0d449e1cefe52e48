"""Model adapters against the bare aiohttp loop: processor time for a chunk and for a call.

Both sides talk to the same scripted provider, which runs as a process of its own (`python -m
benchmarks.model_stream PORT`) and sends prepared bytes. The floor splits lines, decodes JSON and hands out
the text of each delta. Ours gives typed events, assembles the reply and watches the time limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson
import uvloop

from benchmarks.measure import interleaved
from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.models.llm import Message, Model, ModelReply, ModelRequest, TextDelta, TextPart

NAME = "model_stream"
STREAMS = 200
PACE_SECONDS = 0.02
WORD = "lease "
KINDS = {"chat": ProviderKind.OPENAI, "anthropic": ProviderKind.ANTHROPIC}
PATHS = {"chat": "/chat/completions", "anthropic": "/messages"}


@dataclass(frozen=True)
class Load:
    """How many streams run at once, the chunks of each, and the seconds between chunks."""

    streams: int
    chunks: int
    pace: float = 0.0

    @property
    def model(self) -> str:
        return f"{self.chunks}@{self.pace}"


def run(quick: bool) -> dict[str, float]:
    loads = {
        "paced": Load(STREAMS, 50 if quick else 150, PACE_SECONDS),
        "burst": Load(10, 2000 if quick else 5000),
        "call": Load(300 if quick else 1000, 1),
    }
    figures: dict[str, float] = {}
    with _provider() as base_url, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for wire in KINDS:
            for name, load in loads.items():

                def floor(wire: str = wire, load: Load = load) -> float:
                    return runner.run(_cost(load, _bare(base_url, wire)))

                def ours(wire: str = wire, load: Load = load) -> float:
                    return runner.run(_cost(load, _ours(base_url, wire)))

                for warm_up in (floor, ours):
                    warm_up()
                costs = interleaved(3 if quick else 7, {"ours": ours, "floor": floor})
                unit = load.streams * load.chunks
                figures[f"{wire}_{name}_x"] = costs.ratio("ours", "floor")
                figures[f"{wire}_{name}_us"] = costs.median("ours") / unit * 1e6
                figures[f"{wire}_{name}_floor_us"] = costs.median("floor") / unit * 1e6
    return figures


Stream = Callable[[str], Awaitable[int]]
"""Reads one answer and returns the number of its pieces of text."""


async def _cost(load: Load, opening: contextlib.AbstractAsyncContextManager[Stream]) -> float:
    """Return this process's processor seconds for the whole load. Short calls run ten at a time."""
    at_once = asyncio.Semaphore(load.streams if load.chunks > 1 else 10)

    async def one(stream: Stream) -> None:
        async with at_once:
            found = await stream(load.model)
            if found != load.chunks:
                raise RuntimeError(f"{found} pieces of text came, {load.chunks} were sent")

    async with opening as stream:
        started = time.process_time()
        await asyncio.gather(*(one(stream) for _ in range(load.streams)))
        return time.process_time() - started


@contextlib.asynccontextmanager
async def _bare(base_url: str, wire: str) -> AsyncIterator[Stream]:
    url = base_url + PATHS[wire]
    text_of = _chat_text if wire == "chat" else _anthropic_text

    async def stream(model: str) -> int:
        body = orjson.dumps(
            {"model": model, "messages": [{"role": "user", "content": "Hello"}], "stream": True}
        )
        found, rest = 0, b""
        async with session.post(url, data=body, headers={"content-type": "application/json"}) as response:
            async for block in response.content.iter_any():
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    if line.startswith(b"data: {") and text_of(orjson.loads(line[6:])):
                        found += 1
        return found

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        yield stream


def _chat_text(chunk: dict[str, Any]) -> object:
    return chunk["choices"][0]["delta"].get("content") if chunk["choices"] else None


def _anthropic_text(event: dict[str, Any]) -> object:
    return event["delta"].get("text") if "delta" in event else None


@contextlib.asynccontextmanager
async def _ours(base_url: str, wire: str) -> AsyncIterator[Stream]:
    async with ModelTransport() as transport:
        model: Model = make_model(KINDS[wire], transport, base_url=base_url, api_key="key")

        async def stream(name: str) -> int:
            found = 0
            request = ModelRequest(name, (Message("user", (TextPart("Hello"),)),))
            async for event in model.stream(request):
                if isinstance(event, TextDelta):
                    found += 1
            if not isinstance(event, ModelReply):
                raise RuntimeError("the stream ended without a reply")
            return found

        yield stream


# The provider


def _chunk(value: object, name: str | None = None) -> bytes:
    data = (b"event: %b\n" % name.encode() if name else b"") + b"data: " + orjson.dumps(value) + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(data), data)


def _chat_answer(chunks: int) -> list[bytes]:
    shared = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "scripted",
    }

    def chunk(delta: dict[str, str], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return _chunk({**shared, "choices": [choice], "usage": None})

    usage = {"prompt_tokens": 10, "completion_tokens": chunks, "total_tokens": 10 + chunks}
    done = b"data: [DONE]\n\n"
    return [
        chunk({"role": "assistant", "content": ""}),
        *[chunk({"content": WORD})] * chunks,
        chunk({}, "stop"),
        _chunk({**shared, "choices": [], "usage": usage}),
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(done), done),
    ]


def _anthropic_answer(chunks: int) -> list[bytes]:
    def named(value: dict[str, object]) -> bytes:
        return _chunk(value, str(value["type"]))

    delta = {"type": "text_delta", "text": WORD}
    usage = {"input_tokens": 10, "output_tokens": 1}
    return [
        named({"type": "message_start", "message": {"model": "scripted", "usage": usage}}),
        named({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        *[named({"type": "content_block_delta", "index": 0, "delta": delta})] * chunks,
        named({"type": "content_block_stop", "index": 0}),
        named({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
        named({"type": "message_stop"}) + b"0\r\n\r\n",
    ]


async def _serve(port: int) -> None:
    known: dict[tuple[bool, int], list[bytes]] = {}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                chunks, _, pace = orjson.loads(await reader.readexactly(length))["model"].partition("@")
                key = (b"/messages " in head, int(chunks))
                events = known.get(key)
                if events is None:
                    events = known[key] = (_anthropic_answer if key[0] else _chat_answer)(key[1])
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
                )
                if float(pace):
                    await _write_slowly(writer, events, float(pace))
                else:
                    writer.write(b"".join(events))
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


async def _write_slowly(writer: asyncio.StreamWriter, events: list[bytes], pace: float) -> None:
    loop = asyncio.get_running_loop()
    due = loop.time()
    for event in events:
        writer.write(event)
        due += pace
        await asyncio.sleep(max(0.0, due - loop.time()))


@contextlib.contextmanager
def _provider() -> Iterator[str]:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = asked.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.model_stream", str(port)])
    try:
        deadline = time.monotonic() + 30
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the scripted provider did not start")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    uvloop.run(_serve(int(sys.argv[1])))
