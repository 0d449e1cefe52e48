"""The port to MCP servers. The SDK takes long to load, so it is loaded in a thread with the first server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from docagent.domain.egress import OutgoingHttp
from docagent.domain.turns.mcp_servers import Answered, Reach, Said

MOST_KEPT = 16
"""How many processes are kept for conversations at a time."""


@dataclass(frozen=True, slots=True)
class TalkLimits:
    seconds: float
    """For everything that one call needs: connecting, listing, calling."""
    most_bytes: int
    """The largest message that is taken from a server."""
    keep_seconds: float = 0
    """How long a process is kept for the next call of a conversation; 0 ends it after each call."""


class McpClient:
    """Opens a connection for each call, so that a server that hangs or dies takes nothing else with it.

    A process that runs here is kept for its conversation: it may remember what it was told.
    """

    def __init__(self, http: OutgoingHttp, limits: TalkLimits) -> None:
        self._http = http
        self._limits = limits
        self._kept: dict[tuple[str, tuple[str, ...]], Any] = {}

    async def tools(self, reach: Reach) -> Sequence[Said]:
        talking = await _talking()
        found: Sequence[Said] = await talking.listed(reach, self._http, self._limits)
        return found

    async def call(
        self, reach: Reach, tool: str, digest: str, arguments: Mapping[str, Any], conversation: str = ""
    ) -> Answered:
        talking = await _talking()
        answered: Answered
        key = (conversation, reach.command)
        kept = self._kept.pop(key, None)
        if kept is None or not kept.is_alive:
            keeps = reach.command and conversation and self._limits.keep_seconds and self._has_room()
            kept = talking.KeptServer(reach, self._http, self._limits) if keeps else None
        if kept is None:
            answered = await talking.called(reach, self._http, self._limits, tool, digest, arguments)
        else:
            self._kept[key] = kept  # the last of the line is the last that is ended
            answered = await kept.call(tool, digest, arguments)
        return answered

    async def close(self) -> None:
        """End all processes."""
        tasks = [kept.task for kept in self._kept.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _has_room(self) -> bool:
        """Forget what has ended, and end the process that was idle longest where there are too many."""
        self._kept = {key: kept for key, kept in self._kept.items() if kept.is_alive}
        idle = [key for key, kept in self._kept.items() if not kept.is_busy]
        if len(self._kept) >= MOST_KEPT and idle:
            self._kept.pop(idle[0]).task.cancel()
        return len(self._kept) < MOST_KEPT


async def _talking() -> Any:
    return await asyncio.to_thread(import_module, "docagent.adapters.mcp_client.talking")
