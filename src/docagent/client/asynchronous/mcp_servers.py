"""MCP servers of others whose tools the agent may use. Administrators of the organisation may change them."""

from __future__ import annotations

from collections.abc import Mapping

from docagent.client import models
from docagent.client.asynchronous.connection import AsyncPart


class AsyncMcpServers(AsyncPart):
    async def list(self) -> models.McpServers:
        """The servers, whether the operator allows them, and the commands that may be named."""
        return await self._ask(models.McpServers, "GET", "mcp-servers")

    async def get(self, server_id: str) -> models.McpServer:
        return await self._ask(models.McpServer, "GET", "mcp-servers", server_id)

    async def create(
        self,
        name: str,
        *,
        url: str | None = None,
        command: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> models.McpServer:
        """Add a server by its address or by the name of a command. None of its tools is offered yet."""
        body = {"name": name, "url": url, "command": command, "headers": headers}
        return await self._ask(models.McpServer, "POST", "mcp-servers", body=body)

    async def update(
        self,
        server_id: str,
        *,
        url: str | None = None,
        command: str | None = None,
        headers: Mapping[str, str] | None = None,
        enabled: bool | None = None,
    ) -> models.McpServer:
        """Change what is given. At another address its tools are confirmed again."""
        body = {"url": url, "command": command, "headers": headers, "enabled": enabled}
        return await self._ask(models.McpServer, "PUT", "mcp-servers", server_id, body=body)

    async def delete(self, server_id: str) -> None:
        """Delete a server with its tools and the rules about them."""
        await self._ask(models.Message, "DELETE", "mcp-servers", server_id)

    async def tools(self, server_id: str, *, refresh: bool = False) -> models.McpTools:
        """Its tools as it described them when it was last asked; with `refresh` it is asked now."""
        path = ("mcp-servers", server_id, "tools", *(["refresh"] if refresh else []))
        return await self._ask(models.McpTools, "POST" if refresh else "GET", *path)

    async def confirm(
        self, server_id: str, tool_id: str, digest: str, *, read_only: bool = False
    ) -> models.McpTool:
        """Offer a tool with what it said when it had this digest. `read_only`: a call need not ask."""
        return await self._choose(server_id, tool_id, digest, read_only=read_only)

    async def switch_off(self, server_id: str, tool_id: str) -> models.McpTool:
        """Offer a tool no longer."""
        return await self._choose(server_id, tool_id, None, read_only=False)

    async def _choose(
        self, server_id: str, tool_id: str, digest: str | None, *, read_only: bool
    ) -> models.McpTool:
        body = {"digest": digest, "read_only": read_only}
        return await self._ask(models.McpTool, "PUT", "mcp-servers", server_id, "tools", tool_id, body=body)
