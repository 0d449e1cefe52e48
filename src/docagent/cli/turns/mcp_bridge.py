"""MCP over stdio for a server elsewhere: each message goes to its `/mcp`, and what it answers comes back as a line.

It knows nothing of tools, so that there is one implementation of them; and it does without the SDK, whose import would
take longer than everything else here.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

import httpx2
import orjson

from docagent.api.mcp.local_files import with_contents
from docagent.cli.server.collecting import collect_from_now_on
from docagent.domain.errors import InvalidInput

VERSION = "io.modelcontextprotocol/protocolVersion"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
SERVER_ERROR, BAD_REQUEST = -32603, -32600
SECONDS = 600.0
"""How long an answer may be silent. An extraction of a long document takes minutes."""
Message = dict[str, Any]


def connection_headers(
    token: str, approved: Sequence[str], *, read_only: bool, tools: str | None = None
) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}"}
    if approved:
        headers["X-Docagent-Approve"] = ",".join(approved)
    if read_only:
        headers["X-Docagent-Read-Only"] = "true"
    if tools:
        headers["X-Docagent-Tools"] = tools
    return headers


async def bridge(url: str, organization_id: str | None, headers: Mapping[str, str]) -> None:
    """Carry messages until stdin ends."""
    place = f"/v0/orgs/{organization_id}/mcp" if organization_id else "/mcp"
    collect_from_now_on()
    timeout = httpx2.Timeout(10.0, read=SECONDS)
    async with httpx2.AsyncClient(headers=dict(headers), timeout=timeout) as client:
        carrying = Bridge(client, url.rstrip("/") + place, sys.stdout)
        async for line in _lines():
            await carrying.take(line)
        await carrying.close()


class Bridge:
    def __init__(self, client: httpx2.AsyncClient, address: str, out: TextIO) -> None:
        self._client = client
        self._address = address
        self._out = out
        self._session: dict[str, str] = {}
        """The headers of a client that began with `initialize`."""
        self._asked: dict[Any, asyncio.Task[None]] = {}
        self._others: set[asyncio.Task[None]] = set()

    async def take(self, line: bytes) -> None:
        """Take a message of the client. Answers come when they come, so nothing waits here."""
        try:
            message = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            self._write(_error(None, BAD_REQUEST, f"Not JSON: {error}"))
            return
        if not isinstance(message, dict):
            self._write(_error(None, BAD_REQUEST, "A message is one JSON object."))
            return
        if message.get("method") == "initialize":
            await self._request(message)  # what follows needs the session that it begins
        elif "method" in message and "id" in message:
            task = asyncio.create_task(self._request(message))
            self._asked[message["id"]] = task
            task.add_done_callback(lambda _: self._asked.pop(message["id"], None))
        elif not self._cancels(message):
            task = asyncio.create_task(self._tell(message))
            self._others.add(task)
            task.add_done_callback(self._others.discard)

    async def close(self) -> None:
        """End what is under way, and the session."""
        under_way = [*self._asked.values(), *self._others]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        if self._session:
            with suppress(httpx2.HTTPError):  # the session ends by itself
                await self._client.delete(self._address, headers=self._session)

    def _cancels(self, message: Message) -> bool:
        """Whether the message was a cancellation. Without a session it is sent by disconnecting."""
        if self._session or message.get("method") != "notifications/cancelled":
            return False
        if (task := self._asked.get(message.get("params", {}).get("requestId"))) is not None:
            task.cancel()
        return True

    async def _tell(self, message: Message) -> None:
        try:
            await self._client.post(
                self._address, content=orjson.dumps(message), headers=self._headers(message)
            )
        except httpx2.HTTPError as error:
            sys.stderr.write(f"{self._address} cannot be reached: {error}\n")

    async def _request(self, message: Message) -> None:
        identity = message["id"]
        try:
            sent = await _with_files(message)
            headers = self._headers(message)
            async with self._client.stream(
                "POST", self._address, content=orjson.dumps(sent), headers=headers
            ) as answer:
                session = answer.headers.get("mcp-session-id")
                if session and message["method"] == "initialize":
                    self._session = {"mcp-session-id": session}
                if answer.headers.get("content-type", "").startswith("text/event-stream"):
                    async for data in _events(answer):
                        self._write(data)
                else:
                    self._write(_answered(identity, answer.status_code, await answer.aread()))
        except InvalidInput as error:
            self._write(_error(identity, BAD_REQUEST, error.detail))
        except httpx2.HTTPError as error:
            self._write(_error(identity, SERVER_ERROR, f"{self._address} cannot be reached: {error}"))

    def _headers(self, message: Message) -> dict[str, str]:
        headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            **self._session,
        }
        parameters = message.get("params") or {}
        version = (parameters.get("_meta") or {}).get(VERSION)
        if isinstance(version, str):
            headers |= {"mcp-protocol-version": version, "mcp-method": str(message.get("method"))}
            named = parameters.get(NAMED_BY.get(str(message.get("method")), ""))
            if isinstance(named, str) and named.isascii():
                headers["mcp-name"] = named
        return headers

    def _write(self, message: bytes) -> None:
        self._out.write(message.decode().replace("\n", "") + "\n")
        self._out.flush()


async def _lines() -> AsyncIterator[bytes]:
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        if line.strip():
            yield line


async def _events(answer: httpx2.Response) -> AsyncIterator[bytes]:
    """The messages of a stream of events. Ours have one line each."""
    async for line in answer.aiter_lines():
        if line.startswith("data:") and (data := line[5:].strip()):
            yield data.encode()


async def _with_files(message: Message) -> Message:
    """The message with the contents of the files that a call names: the server cannot read them."""
    match message.get("params"):
        case {"name": str(tool), "arguments": dict(given), **rest}:
            filled = await with_contents(tool, given)
            return {**message, "params": {**rest, "name": tool, "arguments": filled}}
    return message


def _answered(identity: Any, status: int, body: bytes) -> bytes:
    """The answer as a message. What the server says outside of the protocol becomes an error in it."""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        found = None
    if isinstance(found, dict) and ("result" in found or "error" in found):
        return orjson.dumps({**found, "id": identity})
    detail = found.get("detail") if isinstance(found, dict) else None
    return _error(identity, BAD_REQUEST, str(detail or f"The server answered {status}."))


def _error(identity: Any, code: int, message: str) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}})
