"""Processes of MCP servers that are kept for a conversation: how many, how long, and how they end."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.adapters.mcp_client.client import MOST_KEPT, McpClient, TalkLimits
from docagent.domain.turns.mcp_servers import OutsideFailed, Reach
from tests.support.polling import true_soon
from tests.support.services import mcp_side

SECONDS = 60.0


def side(notes: Path, mode: str = "counts") -> Reach:
    return Reach(command=(sys.executable, str(Path(mcp_side.__file__)), mode, str(notes)))


@asynccontextmanager
async def client(keep_seconds: float = SECONDS) -> AsyncIterator[McpClient]:
    made = McpClient(
        GuardedHttp((), EgressLimits(SECONDS, 1_000_000)), TalkLimits(SECONDS, 1_000_000, keep_seconds)
    )
    try:
        yield made
    finally:
        await made.close()


async def told(client: McpClient, reach: Reach, conversation: str = "") -> str:
    digest = next(said.digest for said in await client.tools(reach) if said.name == "tell")
    return (await client.call(reach, "tell", digest, {"city": "Paris"}, conversation)).text


async def test_without_a_conversation_or_a_time_each_call_has_its_own_process(tmp_path: Path) -> None:
    async with client() as keeping:
        assert [await told(keeping, side(tmp_path / "notes")) for _ in range(2)] == [_times(1)] * 2
    async with client(keep_seconds=0) as plain:
        assert [await told(plain, side(tmp_path / "notes"), "a") for _ in range(2)] == [_times(1)] * 2


async def test_a_process_ends_when_nobody_calls_it(tmp_path: Path) -> None:
    async with client(keep_seconds=0.01) as keeping:
        assert await told(keeping, side(tmp_path / "notes"), "a") == _times(1)
        (kept,) = keeping._kept.values()
        await true_soon(kept.task.done)
        assert await told(keeping, side(tmp_path / "notes"), "a") == _times(1)


async def test_one_that_died_is_started_again_after_the_call_that_noticed(tmp_path: Path) -> None:
    async with client() as keeping:
        for _ in range(2):
            with pytest.raises(OutsideFailed, match="ended before it answered"):
                await told(keeping, side(tmp_path / "notes", "dies"), "a")


async def test_the_one_that_is_idle_longest_makes_room(tmp_path: Path) -> None:
    reach = side(tmp_path / "notes")
    async with client() as keeping:
        for number in range(MOST_KEPT + 1):
            await told(keeping, reach, str(number))
        assert len(keeping._kept) == MOST_KEPT
        assert await told(keeping, reach, "1") == _times(2)
        assert await told(keeping, reach, "0") == _times(1)


def _times(number: int) -> str:
    return f"This process was called {number} times."
