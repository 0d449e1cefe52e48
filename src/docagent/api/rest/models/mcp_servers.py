"""MCP servers of others whose tools the agent may use, for administrators of an organisation."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import ShortText, Text
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.turns.mcp_servers import ToolState
from docagent.services.models.mcp_servers import ServerWish

router = Router(prefix="/v0/orgs/{organization_id}/mcp-servers", tags=["mcp servers"])

Headers = Annotated[dict[ShortText, Text], Field(max_length=10)]


class McpServerChangesIn(BaseModel):
    """What is left out stays."""

    url: Annotated[Text, Field(min_length=1, max_length=2048)] | None = None
    command: ShortText | None = Field(None, description="The name of a command that the operator allows")
    headers: Headers | None = Field(None, description="Sent with every request; never shown again")
    enabled: bool | None = None

    @property
    def wish(self) -> ServerWish:
        return ServerWish(self.url, self.command, self.headers, self.enabled)


class NewMcpServerIn(McpServerChangesIn):
    name: ShortText = Field(description="Small letters, digits and -; its tools are called `name/tool`")


class McpServerOut(Answer):
    id: str
    name: str
    url: str | None
    command: str | None
    header_names: list[str]
    enabled: bool
    created_by: str
    created_at: datetime
    updated_at: datetime


class McpServersOut(BaseModel):
    enabled: bool
    """Whether the operator allows them; without, those listed are not used."""
    commands: list[str]
    """Names of the commands that the operator allows."""
    servers: list[McpServerOut]


class McpToolOut(Answer):
    id: str
    name: str
    """`server/tool`, as rules and people name it."""
    state: ToolState
    description: str = at_path("said.description")
    parameters: dict[str, Any] = at_path("said.parameters")
    annotations: dict[str, Any] = at_path("said.annotations")
    """What the server claims of it, such as `readOnlyHint`. It decides nothing."""
    digest: str = at_path("said_digest")
    """Of all that the server says of the tool. Confirm the tool with it."""
    read_only: bool
    """Whether an administrator confirmed that it only reads."""
    confirmed_by: str | None
    confirmed_at: datetime | None


class McpToolsOut(Answer):
    tools: list[McpToolOut]


class McpToolChoiceIn(BaseModel):
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        None, description="That of the text which was looked at, to offer the tool; null switches it off"
    )
    read_only: bool = Field(False, description="The tool changes nothing, so that a call need not ask")


@router.get("")
async def list_mcp_servers(member: OrgMember, services: ServicesDep) -> McpServersOut:
    """The MCP servers of the organisation, without their headers."""
    found = await services.mcp_servers.list(member)
    return McpServersOut(
        enabled=services.mcp_servers.enabled,
        commands=services.mcp_servers.command_names,
        servers=[McpServerOut.model_validate(server) for server in found],
    )


@router.post("", status_code=201)
async def create_mcp_server(
    body: NewMcpServerIn, member: OrgMember, services: ServicesDep, response: Response
) -> McpServerOut:
    """Add a server. None of its tools is offered before it is asked for them and they are confirmed."""
    server = await services.mcp_servers.add(member, body.name, body.wish)
    response.headers["Location"] = f"/v0/orgs/{server.organization_id}/mcp-servers/{server.id}"
    return McpServerOut.model_validate(server)


@router.get("/{server_id}")
async def get_mcp_server(server_id: str, member: OrgMember, services: ServicesDep) -> McpServerOut:
    """One server, without its headers."""
    return McpServerOut.model_validate(await services.mcp_servers.get(member, server_id))


@router.put("/{server_id}")
async def update_mcp_server(
    server_id: str, body: McpServerChangesIn, member: OrgMember, services: ServicesDep
) -> McpServerOut:
    """Change a server. At another address its tools are confirmed again."""
    return McpServerOut.model_validate(await services.mcp_servers.update(member, server_id, body.wish))


@router.delete("/{server_id}")
async def delete_mcp_server(server_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a server with its tools and the rules about them."""
    await services.mcp_servers.delete(member, server_id)
    return MessageOut(message="MCP server deleted successfully")


@router.get("/{server_id}/tools")
async def list_mcp_tools(server_id: str, member: OrgMember, services: ServicesDep) -> McpToolsOut:
    """The tools of a server, as it described them when it was last asked."""
    return McpToolsOut.model_validate({"tools": await services.mcp_servers.tools(member, server_id)})


@router.post("/{server_id}/tools/refresh")
async def refresh_mcp_tools(server_id: str, member: OrgMember, services: ServicesDep) -> McpToolsOut:
    """Ask the server for its tools now. New ones are off; those that say something else are `changed`."""
    return McpToolsOut.model_validate({"tools": await services.mcp_servers.refresh(member, server_id)})


@router.put("/{server_id}/tools/{tool_id}")
async def confirm_mcp_tool(
    server_id: str, tool_id: str, body: McpToolChoiceIn, member: OrgMember, services: ServicesDep
) -> McpToolOut:
    """Offer a tool to the agent with what it says now, or switch it off."""
    tool = await services.mcp_servers.confirm(
        member, server_id, tool_id, digest=body.digest, read_only=body.read_only
    )
    return McpToolOut.model_validate(tool)
