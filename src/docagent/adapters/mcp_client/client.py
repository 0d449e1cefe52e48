"""The port to MCP servers. The SDK takes long to load, so it is loaded in a thread with the first server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from docagent.domain.egress import OutgoingHttp
from docagent.domain.turns.mcp_servers import Answered, Reach, Said


@dataclass(frozen=True, slots=True)
class TalkLimits:
    seconds: float
    """For everything that one call needs: connecting, listing, calling."""
    most_bytes: int
    """The largest message that is taken from a server."""


class McpClient:
    """Opens a connection for each call, so that a server that hangs or dies takes nothing else with it."""

    def __init__(self, http: OutgoingHttp, limits: TalkLimits) -> None:
        self._http = http
        self._limits = limits

    async def tools(self, reach: Reach) -> Sequence[Said]:
        talking = await _talking()
        found: Sequence[Said] = await talking.listed(reach, self._http, self._limits)
        return found

    async def call(self, reach: Reach, tool: str, digest: str, arguments: Mapping[str, Any]) -> Answered:
        talking = await _talking()
        answered: Answered = await talking.called(reach, self._http, self._limits, tool, digest, arguments)
        return answered


async def _talking() -> Any:
    return await asyncio.to_thread(import_module, "docagent.adapters.mcp_client.talking")
