"""A scripted model provider for the agent's benchmark: OpenAI's chat completions, streamed from prepared bytes.

It runs as a program of its own, `agent_provider PORT`. The model's name is the script,
`TOOL:ROUNDS:CHUNKS:PACE`: so many rounds with one call of the tool each, then an answer of so many chunks, so
many milliseconds apart (0 means all at once). In a paced answer every chunk is the sender's clock,
`t<nanoseconds> `, which all processes of a machine share.

`GET /last` gives the last request that was answered in words, so that a floor can send the same.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import orjson
import uvloop

WORDS = ("The ", "tags ", "of ", "this ", "document ", "are ", "listed ", "above", ". ")
SEARCHED = "Which invoice says that the payment of contract 4711 is due?"
EVENT_STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_CLOCK = b"@clock@"
_names = itertools.count(1)
_call_ids = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Script:
    tool: str
    rounds: int
    chunks: int
    pace: float

    @property
    def arguments(self) -> Sequence[str]:
        """The arguments in pieces, as models send them."""
        if self.tool == "create_tag":
            return ("{", '"name"', ": ", f'"bench {next(_names)}"', "}")
        if self.tool == "search_project":
            return ("{", '"words"', ": ", f'"{SEARCHED}"', "}")
        return ("{", '"limit"', ": ", "1", "}")


@cache
def script(model: str) -> Script:
    tool, rounds, chunks, pace = model.split(":")
    return Script(tool, int(rounds), int(chunks), float(pace) / 1000)


def rounds_done(messages: Sequence[dict[str, Any]]) -> int:
    """Count the rounds of calls since the user last spoke."""
    done = 0
    for message in reversed(messages):
        if message["role"] == "user":
            break
        done += "tool_calls" in message
    return done


def framed(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _event(model: str, choices: list[dict[str, Any]], usage: dict[str, int] | None = None) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": model,
        "choices": choices,
        "usage": usage,
    }
    return b"data: " + orjson.dumps(chunk) + b"\n\n"


def _choice(model: str, delta: dict[str, Any], reason: str | None = None) -> bytes:
    return _event(model, [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}])


def _ending(model: str, reason: str, made: int) -> Iterator[bytes]:
    yield _choice(model, {}, reason)
    yield _event(model, [], {"prompt_tokens": 100, "completion_tokens": made, "total_tokens": 100 + made})
    yield b"data: [DONE]\n\n"


def called(model: str) -> Iterator[bytes]:
    """Yield a reply with one call."""
    wanted = script(model)
    yield _choice(model, {"role": "assistant", "content": None})
    function = {"name": wanted.tool, "arguments": ""}
    call = {"index": 0, "id": f"call_{next(_call_ids)}", "type": "function", "function": function}
    yield _choice(model, {"tool_calls": [call]})
    for piece in wanted.arguments:
        yield _choice(model, {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    yield from _ending(model, "tool_calls", 12)


@cache
def said(model: str) -> tuple[bytes, ...]:
    """Return a reply in words. In a paced reply, each word is a placeholder for the clock."""
    wanted = script(model)
    words = [_CLOCK.decode()] if wanted.pace else WORDS
    return (
        _choice(model, {"role": "assistant", "content": ""}),
        *(_choice(model, {"content": words[number % len(words)]}) for number in range(wanted.chunks)),
        *_ending(model, "stop", wanted.chunks),
    )


@cache
def said_at_once(model: str) -> bytes:
    return b"".join(map(framed, said(model))) + b"0\r\n\r\n"


class Provider(asyncio.Protocol):
    """Serves one connection, one request at a time."""

    last = b"{}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._received = b""
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, rest = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        if head.startswith(b"GET"):
            self._received = b""
            self._whole(Provider.last)
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        if len(rest) >= length:
            self._received = rest[length:]
            self._answer(rest[:length])

    def _answer(self, body: bytes) -> None:
        request = orjson.loads(body)
        model = request["model"]
        wanted = script(model)
        self._transport.write(EVENT_STREAM)
        if rounds_done(request["messages"]) < wanted.rounds:
            self._transport.write(b"".join(map(framed, called(model))) + b"0\r\n\r\n")
            return
        Provider.last = body
        if wanted.pace:
            self._next(iter(said(model)), wanted.pace, self._loop.time())
        else:
            self._transport.write(said_at_once(model))

    def _next(self, events: Iterator[bytes], pace: float, due: float) -> None:
        event = next(events, None)
        if event is None:
            self._timer = None
            self._transport.write(b"0\r\n\r\n")
            return
        self._transport.write(framed(event.replace(_CLOCK, b"t%d " % time.monotonic_ns())))
        self._timer = self._loop.call_at(due + pace, self._next, events, pace, due + pace)

    def _whole(self, body: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        self._transport.write(head % len(body) + body)


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Provider, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
