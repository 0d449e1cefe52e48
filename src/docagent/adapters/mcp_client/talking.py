"""One conversation with an MCP server: connect, list its tools, and call one if it still says what was confirmed."""

from __future__ import annotations

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
    """Both in one connection, so that what was checked is what is called."""
    async with _connected(reach, http, limits) as client:
        said = next((each for each in await _tools(client) if each.name == tool), None)
        if said is None or said.digest != digest:
            raise ToolChanged(
                f"The server now says something else of {tool} than what was confirmed, so it was not called. "
                "An administrator of the organisation must look at it again, in the settings of the MCP servers."
            )
        result = await client.session.call_tool(
            tool, dict(arguments)
        )  # the client's own would list and call again
        return Answered(_text(result), bool(result.is_error))


@asynccontextmanager
async def _connected(reach: Reach, http: OutgoingHttp, limits: TalkLimits) -> AsyncGenerator[Client]:
    guarded, spoken = GuardedTransport(http, reach.headers), Spoken()
    try:
        with anyio.fail_after(limits.seconds):
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
        raise OutsideFailed("The MCP server has two tools of one name, so nobody knows which is meant.")
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
