"""One call of a tool: who makes it, how they are asked and told, and how long they wait for an answer."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import mcp_types as types
import orjson

from docagent.api.mcp.arguments import read_arguments
from docagent.api.mcp.asking import Context
from docagent.api.mcp.callers import Caller
from docagent.api.repeats import repeat_of
from docagent.domain.errors import InvalidInput
from docagent.domain.repeats import MOST_KEY_CHARACTERS, Repeat
from docagent.domain.turns.turns import Subject
from docagent.services.turns.calling import Called

MOST_CALLER = 80
WAIT = "wait_seconds"
MOST_SECONDS = 3600
KEY = "docagent/idempotency-key"
"""Where `_meta` of a call has the key under which it may be repeated."""


@dataclass(slots=True)
class Call:
    caller: Caller
    context: Context
    parameters: types.CallToolRequestParams
    arguments: dict[str, Any] = field(init=False)
    """By their names in the API."""
    deadline: float = field(init=False)
    """When the client gets an answer, whatever runs."""
    _told: int = 0

    def __post_init__(self) -> None:
        self.arguments = read_arguments(self.parameters.arguments)
        wait = self.arguments.get(WAIT)
        if wait is None:
            # Clients give up on a call of which they hear nothing, and hear only progress that they asked for.
            hears = bool((self.context.meta or {}).get("progress_token"))
            wait = math.inf if hears else self.caller.services.settings.mcp.answer_seconds
        elif isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 <= wait <= MOST_SECONDS:
            raise InvalidInput(f"{WAIT} is a number from 0 to {MOST_SECONDS}.")
        self.deadline = anyio.current_time() + wait

    @property
    def key(self) -> str | None:
        key: Any = (self.context.meta or {}).get(KEY)
        if key is not None and not (isinstance(key, str) and 0 < len(key) <= MOST_KEY_CHARACTERS):
            raise InvalidInput(f"{KEY} is a text of 1 to {MOST_KEY_CHARACTERS} characters.")
        return key

    @property
    def repeat(self) -> Repeat | None:
        """The call under its key. How long the client waits for the answer makes it no other call."""
        if self.key is None:
            return None
        asked = [(name, value) for name, value in sorted(self.arguments.items()) if name != WAIT]
        route = f"mcp {self.parameters.name}"[:60]
        return repeat_of(
            self.caller.member, route, self.key, orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)
        )

    async def tell(self, words: str) -> None:
        """Tell how it goes. Each message has a larger number than the one before, as the protocol wants it."""
        self._told += 1
        await self.context.session.report_progress(self._told, message=words)

    @asynccontextmanager
    async def showing_life(self) -> AsyncGenerator[None]:
        """Tell the client every few seconds that its call lives. Clients count the time since they heard something."""
        beating = asyncio.create_task(self._beat(), name="signs of life of an MCP call")
        try:
            yield
        finally:
            beating.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.caller.services.settings.mcp.sign_seconds)
            await self.tell("Still working.")

    def called(self, tool: str, arguments: dict[str, Any], subject: Subject | None) -> Called:
        client = self.context.session.client_params
        name = f"MCP client {client.client_info.name if client else ''}".strip()[:MOST_CALLER]
        return Called(tool, arguments, subject, self.caller.wants.terms, name, self.repeat)
