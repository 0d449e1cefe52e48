"""Queries on MCP servers, their tools, and the calls of them that were begun."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from docagent.domain.turns.mcp_servers import McpServer, McpTool, Said
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.engine.upsert import insert_or
from docagent.store.mapping import Mapped, Part
from docagent.store.tables import mcp_calls, mcp_servers, mcp_tools

_ALL = held(sa.select(mcp_servers).order_by(mcp_servers.c.name))
_OFFERED = held(
    sa.select(mcp_tools, mcp_servers.c.name.label("server_name"))
    .join(mcp_servers, mcp_servers.c.id == mcp_tools.c.server_id)
    .where(mcp_servers.c.enabled, mcp_tools.c.confirmed_digest == mcp_tools.c.said_digest)
    .order_by(mcp_servers.c.name, mcp_tools.c.name)
)


_SERVER = Mapped(McpServer, mcp_servers)
_SAID = Part(Said, mcp_tools)
_TOOL = Mapped(McpTool, mcp_tools, joined=("server_name",), parts={"said": _SAID})

get, insert, update, delete = _SERVER.get, _SERVER.insert, _SERVER.update, _SERVER.delete
add_tool, change_tool = _TOOL.insert, _TOOL.change


async def all_of(tx: OrgTx) -> list[McpServer]:
    return _SERVER.each(await tx.rows(_ALL))


async def offered(tx: OrgTx) -> list[McpTool]:
    """The tools of all servers that are switched on, as far as what they say is what was confirmed."""
    return _TOOL.each(await tx.rows(_OFFERED))


async def tools_of(tx: OrgTx, server: McpServer) -> list[McpTool]:
    statement = (
        sa.select(mcp_tools, sa.literal(server.name).label("server_name"))
        .where(mcp_tools.c.server_id == server.id)
        .order_by(mcp_tools.c.name)
    )
    return _TOOL.each(await tx.rows(statement))


async def says_now(tx: OrgTx, tool_id: str, said: Said) -> None:
    await _TOOL.change(tx, tool_id, _SAID.values(said, said_digest=said.digest))


async def delete_tools(tx: OrgTx, server_id: str, tool_ids: list[str] | None = None) -> None:
    """Forget tools of a server; without ids, all of them."""
    of_it = mcp_tools.c.server_id == server_id
    if tool_ids is not None:
        of_it &= mcp_tools.c.id.in_(tool_ids)
    await tx.execute(sa.delete(mcp_tools).where(of_it))


async def begin_call(tx: OrgTx, call_id: str, turn_id: str, now: datetime) -> bool:
    """Note that a call begins. False if it was begun before."""
    values = {"id": call_id, "organization_id": tx.organization_id, "turn_id": turn_id, "begun_at": now}
    noted = await tx.execute(
        insert_or(tx, mcp_calls).values(**values).on_conflict_do_nothing(index_elements=[mcp_calls.c.id])
    )
    return bool(noted.rowcount)
