"""One conversation with an MCP server: connect, list its tools, and call one if it still says what was confirmed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import mcp_types as types
import orjson
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from docagent.adapters.mcp_client.client import TalkLimits
from docagent.adapters.mcp_client.over_http import GuardedTransport
from docagent.adapters.mcp_client.over_stdio import Spoken, process_streams
from docagent.domain.egress import OutgoingHttp
from docagent.domain.errors import DocAgentError
from docagent.domain.turns.mcp_servers import MOST_TOOLS, Answered, OutsideFailed, Reach, Said, ToolChanged

MOST_PAGES = 20
US = types.Implementation(name="docagent", version="1")
BROKEN = (
    MCPError,
    ValidationError,
    ValueError,
    TypeError,
    KeyError,
    RuntimeError,
    OSError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
    httpx2.HTTPError,
)
"""What the SDK raises when a server breaks the protocol or is gone."""


async def listed(reach: Reach, http: OutgoingHttp, limits: TalkLimits) -> list[Said]:
    async with _connected(reach, http, limits) as client:
        return await _tools(client)


async def called(
    reach: Reach,
    http: OutgoingHttp,
    limits: TalkLimits,
    tool: str,
    digest: str,
    arguments: Mapping[str, Any],
) -> Answered:
    async with _connected(reach, http, limits) as client:
        return await _called(client, tool, digest, arguments)


async def _called(client: Client, tool: str, digest: str, arguments: Mapping[str, Any]) -> Answered:
    """List and call in one connection, so that what was checked is what is called."""
    said = next((each for each in await _tools(client) if each.name == tool), None)
    if said is None or said.digest != digest:
        raise ToolChanged(
            f"The server now describes {tool} differently from what was confirmed, so it was not called. "
            "An administrator of the organisation must review it in the settings of the MCP servers."
        )
    # The client's own `call_tool` would list and call again.
    result = await client.session.call_tool(tool, dict(arguments))
    return Answered(_text(result), bool(result.is_error))


class KeptServer:
    """The process of a server, kept for one conversation: what it remembers is there in the next call.

    A task of its own holds it, because the SDK wants a connection closed by whoever opened it. It ends with the first
    call that fails or is cancelled, and when nobody has called for a while.
    """

    def __init__(self, reach: Reach, http: OutgoingHttp, limits: TalkLimits) -> None:
        self._limits = limits
        self._spoken = Spoken()
        self._asked: asyncio.Queue[tuple[tuple[Any, ...], asyncio.Future[Answered]]] = asyncio.Queue()
        self._under_way = 0
        self._is_over = False
        self.task = asyncio.create_task(self._hold(reach, http), name="MCP server of a conversation")

    @property
    def is_alive(self) -> bool:
        return not (self._is_over or self._spoken.ended or self.task.done())

    @property
    def is_busy(self) -> bool:
        return self._under_way > 0

    async def call(self, tool: str, digest: str, arguments: Mapping[str, Any]) -> Answered:
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._under_way += 1
        self._asked.put_nowait(((tool, digest, arguments), answer))
        try:
            both: set[asyncio.Future[Any]] = {answer, self.task}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            error = None if self.task.cancelled() else self.task.exception()
            raise error or OutsideFailed("The MCP server was ended before it answered.")
        except asyncio.CancelledError:
            self.task.cancel()
            raise
        finally:
            self._under_way -= 1

    async def _hold(self, reach: Reach, http: OutgoingHttp) -> None:
        clock = asyncio.get_running_loop().time
        limit = anyio.CancelScope(deadline=clock() + self._limits.seconds)
        async with _connected(reach, http, self._limits, limit, self._spoken) as client:
            while True:
                limit.deadline = math.inf
                try:
                    asked, answer = await asyncio.wait_for(self._asked.get(), self._limits.keep_seconds)
                except TimeoutError:
                    self._is_over = True
                    return
                limit.deadline = clock() + self._limits.seconds
                answer.set_result(await _called(client, *asked))


@asynccontextmanager
async def _connected(
    reach: Reach,
    http: OutgoingHttp,
    limits: TalkLimits,
    limit: anyio.CancelScope | None = None,
    spoken: Spoken | None = None,
) -> AsyncGenerator[Client]:
    guarded, spoken = GuardedTransport(http, reach.headers), spoken or Spoken()
    limit = limit or anyio.CancelScope(deadline=anyio.current_time() + limits.seconds)
    try:
        with limit:
            if reach.url is None:
                process = process_streams(reach.command, limits.most_bytes, spoken)
                async with Client(process, client_info=US, cache=None) as client:
                    yield client
            else:
                async with httpx2.AsyncClient(transport=guarded) as web:
                    transport = streamable_http_client(
                        reach.url, http_client=web, max_sse_event_size=limits.most_bytes
                    )
                    async with Client(transport, client_info=US, cache=None) as client:
                        yield client
        if limit.cancelled_caught:
            raise TimeoutError
    except TimeoutError as error:
        raise OutsideFailed(f"The MCP server took longer than {limits.seconds:g} seconds.") from error
    except BROKEN as error:
        raise _failure(error, guarded, spoken, limits) from error
    except ExceptionGroup as group:  # how the SDK's tasks raise
        ours, _ = group.split(DocAgentError)
        if ours is not None:
            raise _first(ours) from group
        raise _failure(_first(group), guarded, spoken, limits) from group


def _first(group: ExceptionGroup[Exception]) -> Exception:
    error: Exception = group
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _failure(
    error: Exception, guarded: GuardedTransport, spoken: Spoken, limits: TalkLimits
) -> DocAgentError:
    if guarded.failure is not None:
        return guarded.failure
    if spoken.too_long:
        return OutsideFailed(f"The MCP server answered with more than {limits.most_bytes} bytes.")
    if isinstance(error, FileNotFoundError | PermissionError):
        return OutsideFailed("The command of the MCP server cannot be started. Check it in the settings.")
    if guarded.status in (401, 403):
        return OutsideFailed("The MCP server refused us. Check the headers that are sent to it.")
    if spoken.ended:
        return OutsideFailed("The MCP server ended before it answered.")
    if isinstance(error, MCPError):
        return OutsideFailed(f"The MCP server answered with an error: {str(error)[:300]}")
    return OutsideFailed("The MCP server answered something that is not MCP.")


async def _tools(client: Client) -> list[Said]:
    found: list[Said] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += [_said(tool) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None or len(found) > MOST_TOOLS:
            break
    names = [tool.name for tool in found]
    if len(found) > MOST_TOOLS:
        raise OutsideFailed(f"The MCP server has more than {MOST_TOOLS} tools. Let it offer fewer.")
    if len(set(names)) < len(names):
        raise OutsideFailed(
            "The MCP server has two tools with the same name, so it is unclear which is meant."
        )
    return found


def _said(tool: types.Tool) -> Said:
    annotations = tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {}
    title = {"title": tool.title} if tool.title else {}
    written = orjson.dumps([tool.name, tool.description or "", tool.input_schema, {**title, **annotations}])
    if b"\\u0000" in written:
        raise OutsideFailed("The MCP server describes a tool with characters that cannot be stored.")
    return Said(*orjson.loads(written))


def _text(result: types.CallToolResult) -> str:
    """The result as text. Pictures and sounds are only named."""
    parts = [_part(part) for part in result.content]
    if not any(parts) and result.structured_content is not None:
        return orjson.dumps(result.structured_content, option=orjson.OPT_INDENT_2).decode()
    return "\n\n".join(part for part in parts if part)


def _part(part: Any) -> str:
    if isinstance(part, types.TextContent):
        return part.text
    if isinstance(part, types.EmbeddedResource) and isinstance(part.resource, types.TextResourceContents):
        return part.resource.text
    return f"({part.type}, which is not shown)"
