"""MCP servers of an organisation: configured, asked what they offer, and confirmed by its administrators.

No transaction is open while a server is asked. What it says is stored as it is; what an administrator confirms is a
digest of it, so that nobody confirms a text that they did not see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.egress import OutgoingHttp
from docagent.domain.errors import Conflict, InvalidInput, Kind, existing
from docagent.domain.ids import new_id
from docagent.domain.turns.mcp_servers import (
    MOST_NAME_CHARACTERS,
    MOST_OFFERED,
    MOST_SCHEMA_BYTES,
    MOST_TEXT_CHARACTERS,
    SERVER_NAME,
    TOOL_NAME,
    McpServer,
    McpServers,
    McpTool,
    Reach,
    Said,
)
from docagent.jsonschema import InvalidSchema, SchemaValidator
from docagent.security import Secrets
from docagent.services.accounts.members import check_member
from docagent.store.engine.database import Database, OrgTx
from docagent.store.models import mcp_servers
from docagent.store.turns import permission_rules

MOST_SERVERS = 10
MOST_HEADERS = 10
TAKEN_HEADERS = frozenset(
    {"host", "content-type", "content-length", "transfer-encoding", "connection", "accept"}
)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]{1,4096}")
OFF = "MCP servers are switched off here. The operator can switch them on with the setting mcp.enabled."
ADMINS_DO = "see and set its MCP servers"


@dataclass(frozen=True, slots=True)
class ServerWish:
    """What an administrator wants of a server. None leaves a field as it is; empty headers remove them."""

    url: str | None = None
    command: str | None = None
    headers: Mapping[str, str] | None = None
    enabled: bool | None = None


@dataclass(eq=False)
class McpServerService:
    _db: Database
    _secrets: Secrets
    _http: OutgoingHttp
    _outside: McpServers
    _commands: Mapping[str, Sequence[str]]
    enabled: bool

    def __post_init__(self) -> None:
        self.command_names = sorted(self._commands)

    async def list(self, member: Member) -> Sequence[McpServer]:
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await mcp_servers.all_of(tx)

    async def get(self, member: Member, server_id: str) -> McpServer:
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await _find(tx, server_id)

    async def add(self, member: Member, name: str, wish: ServerWish) -> McpServer:
        self._require(member)
        if not SERVER_NAME.fullmatch(name):
            raise InvalidInput(
                "Use 1 to 24 small letters, digits and - for the name of a server, with a letter first."
            )
        self._check_reach(wish.url, wish.command)
        moment = now()
        server = McpServer(
            id=new_id(),
            organization_id=member.organization_id,
            name=name,
            url=wish.url,
            command=wish.command,
            header_names=(),
            sealed_headers=None,
            enabled=wish.enabled is not False,
            created_by=member.user_id,
            created_at=moment,
            updated_at=moment,
        )
        server = self._with_headers(server, wish.headers)
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            await tx.take_turns(f"MCP servers of {member.organization_id}")
            existing = await mcp_servers.all_of(tx)
            if any(other.name == name for other in existing):
                raise Conflict(f"There is an MCP server {name} already.", Kind.NAME_TAKEN)
            if len(existing) >= MOST_SERVERS:
                raise Conflict(f"An organisation has at most {MOST_SERVERS} MCP servers. Delete one first.")
            await mcp_servers.insert(tx, server)
        return server

    async def update(self, member: Member, server_id: str, wish: ServerWish) -> McpServer:
        """Change a server. At a new address everything is confirmed again, and headers are sent again: they go only
        where they were meant to."""
        self._require(member)
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            before = await _find(tx, server_id, lock=True)
            server = before
            if wish.url is not None or wish.command is not None:
                self._check_reach(wish.url, wish.command)
                server = replace(before, url=wish.url, command=wish.command)
            moved = (server.url, server.command) != (before.url, before.command)
            if moved and before.sealed_headers and wish.headers is None:
                raise InvalidInput(
                    "Send the headers again with a new url: they are sent only to the address they were entered for."
                )
            server = self._with_headers(server, wish.headers)
            enabled = before.enabled if wish.enabled is None else wish.enabled
            server = replace(server, enabled=enabled, updated_at=now())
            await mcp_servers.update(tx, server)
            if moved:
                await mcp_servers.delete_tools(tx, server.id)
                await permission_rules.delete_of_server(tx, server.name)
        return server

    async def delete(self, member: Member, server_id: str) -> None:
        """Also where servers are switched off: what is stored can always be taken away."""
        member.require_admin(ADMINS_DO)
        async with self._db.write_org(member.organization_id) as tx:
            server = await _find(tx, server_id, lock=True)
            await mcp_servers.delete(tx, server_id)
            await permission_rules.delete_of_server(tx, server.name)

    async def tools(self, member: Member, server_id: str) -> Sequence[McpTool]:
        """What the server said when it was last asked."""
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await mcp_servers.tools_of(tx, await _find(tx, server_id))

    async def refresh(self, member: Member, server_id: str) -> Sequence[McpTool]:
        """Ask the server what it offers now. Nothing new is offered to the agent by this."""
        self._require(member)
        server = await self.get(member, server_id)
        said = await self._outside.tools(self.reach(server))
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            still = await _find(tx, server_id, lock=True)
            if (still.url, still.command) != (server.url, server.command):
                raise Conflict("The server was changed while its tools were listed. List them again.")
            await store_said(tx, still, said)
            return await mcp_servers.tools_of(tx, still)

    async def confirm(
        self, member: Member, server_id: str, tool_id: str, *, digest: str | None, read_only: bool
    ) -> McpTool:
        """Offer a tool with the text that has this digest. Without one, switch it off."""
        self._require(member)
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            server = await _find(tx, server_id, lock=True)
            tool = await _find_tool(tx, server, tool_id)
            if digest is not None and digest != tool.said_digest:
                raise Conflict("The server's description has changed. Review the tool again.")
            if digest is not None:
                check_usable(tool)
                others = [other for other in await mcp_servers.offered(tx) if other.id != tool.id]
                if len(others) >= MOST_OFFERED:
                    raise Conflict(
                        f"At most {MOST_OFFERED} tools are offered at a time. Switch one off first."
                    )
            confirmed = {"confirmed_digest": digest, "confirmed_by": member.user_id, "confirmed_at": now()}
            changes = {**confirmed, "read_only": digest is not None and read_only}
            await mcp_servers.change_tool(tx, tool_id, changes)
            return await _find_tool(tx, server, tool_id)

    async def close(self) -> None:
        """End the processes of servers that conversations keep."""
        await self._outside.close()

    def reach(self, server: McpServer) -> Reach:
        """How the server is reached now. A command that the settings no longer name is not started."""
        if server.command is not None:
            return Reach(command=tuple(self._command(server.command)))
        headers = orjson.loads(self._secrets.unseal(server.sealed_headers)) if server.sealed_headers else {}
        return Reach(url=server.url, headers=headers)

    def _check_reach(self, url: str | None, command: str | None) -> None:
        if (url is None) == (command is None):
            raise InvalidInput("Say either url, or command, the name of one that the operator allows.")
        if url is not None:
            self._http.check(url)
        else:
            self._command(command or "")

    def _command(self, name: str) -> Sequence[str]:
        command = self._commands.get(name)
        if not command:
            known = ", ".join(self.command_names) or "none"
            raise InvalidInput(
                f"The operator does not allow the command {name[:40]!r}. The setting mcp.commands has: {known}."
            )
        return command

    def _with_headers(self, server: McpServer, headers: Mapping[str, str] | None) -> McpServer:
        if server.command is not None and headers:
            raise InvalidInput("Headers go with a url. A command takes what it needs from the settings.")
        if headers is None and server.command is None:
            return server
        _check_headers(headers or {})
        if not headers:
            return replace(server, header_names=(), sealed_headers=None)
        sealed = self._secrets.seal(orjson.dumps(dict(headers)).decode())
        return replace(server, header_names=tuple(headers), sealed_headers=sealed)

    def _require(self, member: Member) -> None:
        member.require_admin(ADMINS_DO)
        if not self.enabled:
            raise Conflict(OFF)


async def store_said(tx: OrgTx, server: McpServer, said: Sequence[Said]) -> None:
    """Keep what a server says now. A tool that it no longer has is forgotten, with what was confirmed of it."""
    known = {tool.said.name: tool for tool in await mcp_servers.tools_of(tx, server)}
    for each in said:
        tool = known.pop(each.name, None)
        if tool is None:
            await mcp_servers.add_tool(tx, McpTool(new_id(), server.id, server.name, each, each.digest))
        elif tool.said_digest != each.digest:
            await mcp_servers.says_now(tx, tool.id, each)
    if known:
        await mcp_servers.delete_tools(tx, server.id, [tool.id for tool in known.values()])


def check_usable(tool: McpTool) -> None:
    """Raise InvalidInput if no model could be offered the tool, or nobody could read what it says."""
    said = tool.said
    if not TOOL_NAME.fullmatch(said.name) or len(tool.name) + 1 > MOST_NAME_CHARACTERS:
        raise InvalidInput(
            f"Models cannot be offered {tool.name[:200]}: only letters, digits, _ and - can be sent to them, and "
            f"{MOST_NAME_CHARACTERS} characters with the server's name."
        )
    if len(said.description) > MOST_TEXT_CHARACTERS:
        raise InvalidInput(f"Its description is longer than {MOST_TEXT_CHARACTERS} characters.")
    if hidden := next((letter for letter in said.description if _is_hidden(letter)), None):
        raise InvalidInput(
            f"Its description holds the invisible character U+{ord(hidden):04X}. Such tools are not offered."
        )
    if len(orjson.dumps(said.parameters)) > MOST_SCHEMA_BYTES:
        raise InvalidInput(f"The schema of its arguments is larger than {MOST_SCHEMA_BYTES} bytes.")
    if said.parameters.get("type") != "object" or not isinstance(said.parameters.get("properties", {}), dict):
        raise InvalidInput("The schema of its arguments does not describe an object.")
    try:
        SchemaValidator(dict(said.parameters))
    except InvalidSchema as error:
        raise InvalidInput(f"The schema of its arguments cannot be used: {error}") from error


def _is_hidden(letter: str) -> bool:
    return not letter.isprintable() and letter not in "\n\t\r"


def _check_headers(headers: Mapping[str, str]) -> None:
    if len(headers) > MOST_HEADERS:
        raise InvalidInput(f"At most {MOST_HEADERS} headers go with a request.")
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise InvalidInput(f"The header {name[:40]!r} cannot be sent. Use printable ASCII characters.")
        if name.lower() in TAKEN_HEADERS or name.lower().startswith("mcp-"):
            raise InvalidInput(f"The header {name} is set by this server. Leave it out.")


async def _find(tx: OrgTx, server_id: str, *, lock: bool = False) -> McpServer:
    return existing(await mcp_servers.get(tx, server_id, lock=lock), "MCP server not found")


async def _find_tool(tx: OrgTx, server: McpServer, tool_id: str) -> McpTool:
    tools = await mcp_servers.tools_of(tx, server)
    return existing(next((tool for tool in tools if tool.id == tool_id), None), "Tool not found")
