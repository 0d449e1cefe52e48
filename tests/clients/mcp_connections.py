"""Ways to reach the server with the official MCP client: over HTTP and over stdio, in both eras of the protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.clients.workspace import Workspace
from tests.support.services.server import ENVIRONMENT

ALLOWED = {"X-Docagent-Approve": "*"}
COMMAND = str(Path(sys.executable).with_name("docagent"))


class Person:
    """Whoever sits at the client. Says one word to everything that is asked, and keeps what was asked."""

    def __init__(self, action: Literal["accept", "decline", "cancel"], **content: Any) -> None:
        self.action = action
        self.content = content
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params.message)
        content = self.content if self.action == "accept" else None
        return types.ElicitResult(action=self.action, content=content)


@asynccontextmanager
async def over_http(
    workspace: Workspace,
    *,
    mode: str = "auto",
    person: Person | None = None,
    headers: Mapping[str, str] | None = None,
    token: str | None = None,
    path: str = "/mcp",
) -> AsyncIterator[Client]:
    credentials = {"Authorization": f"Bearer {token or workspace.org_token}", **(headers or {})}
    async with httpx2.AsyncClient(headers=credentials, timeout=60) as http:
        transport = streamable_http_client(workspace.base_url + path, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=person) as client:
            yield client


@asynccontextmanager
async def over_stdio(
    arguments: Sequence[str], *, mode: str = "auto", person: Person | None = None
) -> AsyncIterator[Client]:
    """Run `docagent mcp`."""
    environment = {**os.environ, **ENVIRONMENT}
    server = StdioServerParameters(command=COMMAND, args=["mcp", *arguments], env=environment)
    async with Client(stdio_client(server), mode=mode, elicitation_callback=person) as client:
        yield client


def bridged(workspace: Workspace, *more: str) -> list[str]:
    return ["--url", workspace.base_url, "--token", workspace.org_token, *more]


def text_of(result: types.CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, types.TextContent)
    return first.text


def done(result: types.CallToolResult) -> Any:
    assert not result.is_error, text_of(result)
    return result.structured_content


def rest(workspace: Workspace, method: str, path: str, **options: Any) -> Any:
    answer = httpx2.request(
        method,
        f"{workspace.base_url}/v0/orgs/{workspace.organization_id}{path}",
        headers={"Authorization": f"Bearer {workspace.org_token}"},
        **options,
    )
    answer.raise_for_status()
    return answer.json() if answer.content else None
