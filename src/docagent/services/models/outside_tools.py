"""Tools of MCP servers inside a turn: which are offered, and calling one.

A call that may change something outside is noted before it is made. A process that dies between the call and the commit
of its result leaves the note: then nobody knows what happened, and the call is not made a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docagent.domain.clock import now
from docagent.domain.errors import Conflict, NotFound
from docagent.domain.turns.mcp_servers import Answered, McpServer, McpServers, McpTool, ToolChanged
from docagent.domain.turns.tools import CallContext
from docagent.services.models.mcp_servers import McpServerService, store_said
from docagent.store.engine.database import Database
from docagent.store.models import mcp_servers

GONE = "{name} is no longer offered: an administrator of the organisation switched it off or must review it again."
IN_DOUBT = (
    "{name} was called before this process began, and its answer was lost. Whether it did something is not known, so "
    "it was not called again. Find out with a tool that only reads, or ask the user, before you call it once more."
)


class OutsideTools:
    def __init__(self, db: Database, servers: McpServerService, outside: McpServers) -> None:
        self._db = db
        self._servers = servers
        self._outside = outside

    async def offered(self, organization_id: str) -> Sequence[McpTool]:
        """What turns of the organisation may use. Nothing is asked of any server for it."""
        if not self._servers.enabled:
            return ()
        async with self._db.read_org(organization_id) as tx:
            return await mcp_servers.offered(tx)

    async def call(self, context: CallContext, tool: McpTool, arguments: Mapping[str, Any]) -> Answered:
        """Call a tool that was offered when the turn began. Raises Conflict if it no longer is."""
        server = await self._still_offered(context, tool)
        reach = self._servers.reach(server)
        if not tool.read_only:
            await self._begin(context, tool)
        try:
            said, conversation = tool.said, context.scope.thread_id or context.scope.turn_id
            return await self._outside.call(reach, said.name, tool.said_digest, arguments, conversation)
        except ToolChanged:
            await self._look_again(server)
            raise

    async def _still_offered(self, context: CallContext, tool: McpTool) -> McpServer:
        async with self._db.read_org(context.member.organization_id) as tx:
            offered = await mcp_servers.offered(tx)
            server = await mcp_servers.get(tx, tool.server_id)
        same = any(
            (other.id, other.said_digest, other.read_only) == (tool.id, tool.said_digest, tool.read_only)
            for other in offered
        )
        if not same or server is None:
            raise Conflict(GONE.format(name=tool.name))
        return server

    async def _begin(self, context: CallContext, tool: McpTool) -> None:
        async with self._db.write_org(context.member.organization_id) as tx:
            if not await mcp_servers.begin_call(tx, context.run_id, context.scope.turn_id, now()):
                raise Conflict(IN_DOUBT.format(name=tool.name))

    async def _look_again(self, server: McpServer) -> None:
        """Store what the server says now, so that administrators see it and nobody is offered the old text."""
        said = await self._outside.tools(self._servers.reach(server))
        async with self._db.write_org(server.organization_id) as tx:
            still = await mcp_servers.get(tx, server.id, lock=True)
            if still is None or (still.url, still.command) != (server.url, server.command):
                raise NotFound("The MCP server is gone.")
            await store_said(tx, still, said)
