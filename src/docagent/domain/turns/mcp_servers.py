"""MCP servers whose tools the agent may use: what is configured, what they say of their tools, and the port to them.

What a server says of a tool goes to the model as an instruction would. So it is pinned: an administrator confirms a
text by its digest, the model is shown only that text, and a server that says something else is asked about again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

import orjson

from docagent.domain.errors import Conflict, Unavailable

SERVER_NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""No underscore: two of them part the server from the tool in the name that models see."""
TOOL_NAME = re.compile(r"[A-Za-z0-9_-]+")
MOST_NAME_CHARACTERS = 64
"""The longest name of a tool that every provider takes."""
MOST_TOOLS = 256
"""How many tools of one server are looked at."""
MOST_OFFERED = 64
"""How many tools of all servers an organisation offers: providers take 128 with our own."""
MOST_TEXT_CHARACTERS = 4_000
MOST_SCHEMA_BYTES = 32_000


class OutsideFailed(Unavailable):
    """The server could not be reached, did not end in time, or answered something that cannot be used."""


class ToolChanged(Conflict):
    """The server says something else of a tool than what an administrator confirmed."""


class ToolState(StrEnum):
    OFFERED = "offered"
    CHANGED = "changed"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Reach:
    """How a server is reached: at an address with headers, or by a command that is started for a conversation."""

    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """Everything that a server says of one tool."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    annotations: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        told = [self.name, self.description, self.parameters, self.annotations]
        return sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Answered:
    """What a call gave, as text."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class McpServer:
    id: str
    organization_id: str
    name: str
    url: str | None
    command: str | None
    """The name of one of the commands in the settings."""
    header_names: tuple[str, ...]
    sealed_headers: str | None
    enabled: bool
    created_by: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool of a server: what it says now, and the digest of what was confirmed."""

    id: str
    server_id: str
    server_name: str
    said: Said
    said_digest: str
    confirmed_digest: str | None = None
    read_only: bool = False
    confirmed_by: str | None = None
    confirmed_at: datetime | None = None

    @property
    def name(self) -> str:
        """The name for people and rules."""
        return f"{self.server_name}/{self.said.name}"

    @property
    def state(self) -> ToolState:
        if self.confirmed_digest is None:
            return ToolState.OFF
        return ToolState.OFFERED if self.confirmed_digest == self.said_digest else ToolState.CHANGED


class McpServers(Protocol):
    """Talks to servers. Every method ends in bounded time and memory; it raises OutsideFailed and EgressRefused."""

    async def tools(self, reach: Reach) -> Sequence[Said]:
        """What the server says of its tools now."""

    async def call(
        self, reach: Reach, tool: str, digest: str, arguments: Mapping[str, Any], conversation: str = ""
    ) -> Answered:
        """Call a tool. Raises ToolChanged, without calling it, unless the server still says what the digest pins.

        A process may be kept for the other calls of the conversation.
        """

    async def close(self) -> None:
        """End what is kept."""
