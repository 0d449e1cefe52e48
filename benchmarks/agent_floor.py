"""The floors for the agent, with as little code as can do the work.

The loop uses aiohttp, a parser of a few lines, and orjson. It sends the same requests as our server, with
system text and tools, which it gets from the scripted provider. It has no server and no permissions, and
writes rows with sqlite3 only where a turn waits or a thread goes on. `agent_floor turns|approvals|thread
PROVIDER MODEL COUNT` prints the processor seconds of one turn.

The stream is `agent_floor:app` under uvicorn: raw ASGI that passes the provider's chunks on.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from pathlib import Path
from statistics import mean
from typing import Any

import aiohttp
import orjson
import uvloop

WARM_UP = 10
QUESTION = "Which tags do we have?"
Message = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Client:
    """Sends the provider the request that our server sent last."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self.last: dict[str, Any] = {}

    async def __aenter__(self) -> Client:
        async with self._session.get(f"{self._provider}/last") as response:
            self.last = orjson.loads(await response.read())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    def opening(self) -> list[Message]:
        return [self.last["messages"][0], {"role": "user", "content": QUESTION}]

    async def deltas(self, model: str, messages: list[Message]) -> AsyncGenerator[Message]:
        request = {**self.last, "model": model, "messages": messages}
        rest = b""
        async with self._session.post(
            f"{self._provider}/chat/completions",
            data=orjson.dumps(request),
            headers={"content-type": "application/json"},
        ) as response:
            async for block in response.content.iter_any():
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    if line.startswith(b"data: {"):
                        for choice in orjson.loads(line[6:])["choices"]:
                            yield choice["delta"]


class Loop:
    def __init__(self, client: Client, model: str) -> None:
        self._client = client
        self._model = model
        results = [item["content"] for item in client.last["messages"] if item["role"] == "tool"]
        self._result = results[-1] if results else "{}"

    async def reply(self, messages: list[Message]) -> list[Message]:
        """Collect one reply, add it to the messages and return its calls."""
        text: list[str] = []
        calls: list[Message] = []
        async for delta in self._client.deltas(self._model, messages):
            if content := delta.get("content"):
                text.append(content)
            for part in delta.get("tool_calls") or ():
                if "id" in part:
                    calls.append({**part, "function": dict(part["function"])})
                else:
                    calls[part["index"]]["function"]["arguments"] += part["function"]["arguments"]
        said: Message = {"role": "assistant", "content": "".join(text) or None}
        messages.append({**said, "tool_calls": calls} if calls else said)
        return calls

    def call(self, messages: list[Message], calls: Iterable[Message]) -> None:
        for call in calls:
            orjson.loads(call["function"]["arguments"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": self._result})

    async def finish(self, messages: list[Message]) -> None:
        while calls := await self.reply(messages):
            self.call(messages, calls)

    async def turn(self) -> None:
        await self.finish(self._client.opening())

    async def approval(self, rows: Rows, thread: int) -> None:
        """Store the messages before the call, as for an approval. Then load them, make the call and finish."""
        messages = self._client.opening()
        await self.reply(messages)
        rows.add(thread, messages)
        messages = rows.of(thread)
        known = len(messages)
        self.call(messages, messages[-1]["tool_calls"])
        await self.finish(messages)
        rows.add(thread, messages[known:])

    async def next_turn(self, rows: Rows, thread: int) -> None:
        """Run one more turn of a thread, with everything said before."""
        messages = rows.of(thread)
        known = len(messages)
        messages += [{"role": "user", "content": QUESTION}] if messages else self._client.opening()
        await self.finish(messages)
        rows.add(thread, messages[known:])


class Rows:
    """Stores one row per message, with one commit for messages added together."""

    def __init__(self, folder: str) -> None:
        self._database = sqlite3.connect(Path(folder) / "floor.db", isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, thread INTEGER, body BLOB)")
        self._database.execute("CREATE INDEX of_thread ON messages (thread)")

    def add(self, thread: int, messages: Iterable[Message]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany(
            "INSERT INTO messages (thread, body) VALUES (?, ?)",
            [(thread, orjson.dumps(message)) for message in messages],
        )
        self._database.execute("COMMIT")

    def of(self, thread: int) -> list[Message]:
        found = self._database.execute("SELECT body FROM messages WHERE thread = ? ORDER BY id", (thread,))
        return [orjson.loads(body) for (body,) in found]


async def measure(kind: str, provider: str, model: str, count: int) -> float:
    """Return the processor seconds of one turn; for a thread, of its last turns."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Rows(folder)
        async with Client(provider) as client:
            loop = Loop(client, model)
            numbers = iter(range(sys.maxsize))

            async def once() -> float:
                started = time.process_time()
                if kind == "turns":
                    await loop.turn()
                elif kind == "approvals":
                    await loop.approval(rows, next(numbers))
                else:
                    await loop.next_turn(rows, 0)
                return time.process_time() - started

            for _ in range(WARM_UP if kind != "thread" else 0):
                await once()
            costs = [await once() for _ in range(count)]
    return mean(costs[-5:] if kind == "thread" else costs)


# The stream

_clients: list[Client] = []


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    body = b""
    while (message := await receive()) and message["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"text/event-stream")],
    }
    await send(start)
    if body:
        await hand_on(orjson.loads(body)["model"].partition("/")[2], send)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def hand_on(model: str, send: Send) -> None:
    if not _clients:
        _clients.append(await Client(os.environ["PROVIDER"]).__aenter__())
    client = _clients[0]
    async for delta in client.deltas(model, client.opening()):
        if text := delta.get("content"):
            event = {"type": "assistant_text_chunk", "chunk": text, "round_index": 0}
            line = b"data: " + orjson.dumps(event) + b"\n\n"
            await send({"type": "http.response.body", "body": line, "more_body": True})
    done = b'data: {"type":"done"}\n\n'
    await send({"type": "http.response.body", "body": done, "more_body": True})


if __name__ == "__main__":
    _, kind_argument, provider_argument, model_argument, count_argument = sys.argv
    print(uvloop.run(measure(kind_argument, provider_argument, model_argument, int(count_argument))))
