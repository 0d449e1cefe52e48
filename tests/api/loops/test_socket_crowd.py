"""Two hundred clients that stop, answer, decide and lose their line at random, against one server."""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.asyncio.client import connect

from docagent.adapters.llm.scripted import Answer, ScriptedModel, make_reply
from docagent.bootstrap import Services
from docagent.domain.models.llm import Model, ModelRequest, TextPart, ToolCall
from docagent.domain.models.providers import Connection
from docagent.store.engine.database import Tx
from docagent.store.tables import turns
from tests.api.loops.scenes import frames_of
from tests.conftest import make_settings, running_product
from tests.support.agent import KEYS, OPENAI, Json, served
from tests.support.chat_socket import ChatClient, address, numbered, spoken
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS

CLIENTS = 200
WORDS = "One two three four five six seven eight."


def reply(request: ModelRequest) -> Answer:
    """A look, a question or a change, then words; the conversation says how far it is."""
    done = sum(isinstance(part, ToolCall) for message in request.messages for part in message.parts)
    asked = request.messages[0].parts[0]
    assert isinstance(asked, TextPart)
    number = asked.text.split()[-1]
    calls: list[tuple[str, Json]] = [
        ("list_tags", {}),
        ("request_input", {"question": "Go on?"}),
        ("create_tag", {"name": f"tag {number}"}),
    ]
    if done:
        return WORDS
    name, arguments = calls[int(number) % len(calls)]
    return make_reply("Now this.", tool_calls=[ToolCall("c", name, json.dumps(arguments))])


class Visitor:
    """One client with a mind of its own: `random` decides when it stops, and when its line breaks."""

    def __init__(self, url: str, headers: dict[str, str], number: int) -> None:
        self._url = url
        self._headers = headers
        self._random = random.Random(number)
        self._number = number
        self.frames: list[Json] = []
        self.turn_id = ""
        self.reconnects = 0
        self._stopping = self._random.random() < 0.3
        self._moment = self._random.randrange(1, 8)

    async def visit(self) -> None:
        while not self.frames or self.frames[-1]["type"] != "response_complete":
            async with connect(
                self._url,
                additional_headers=self._headers,
                proxy=None,
                ping_timeout=SECONDS,
                open_timeout=SECONDS,
            ) as connection:
                client = ChatClient(connection, SECONDS)
                await client.read()
                await self._begin(client)
                await self._stay(client)
            self.reconnects += 1

    async def _begin(self, client: ChatClient) -> None:
        if not self.turn_id:
            await client.chat(f"Go {self._number}", model=OPENAI)
            self._keep(await client.until(lambda frame: "turn_id" in frame))
            return
        last: Json = max(
            (frame for frame in self.frames if "seq" in frame),
            key=lambda frame: (frame["seq"], frame["part"]),
        )
        await client.send("resume", turn_id=self.turn_id, after=last["seq"], part=last["part"])
        await self._do(client, self.frames[-1])  # what was sent just before may not have arrived

    async def _stay(self, client: ChatClient) -> None:
        """Until the end, or until the line breaks."""
        patience = self._random.randrange(2, 20)
        for _ in range(patience):
            frame = await client.read()
            self._keep(frame)
            if frame["type"] == "response_complete":
                return
            if self._stopping and len(self.frames) >= self._moment:
                self._stopping = False
                await client.send("agent_control", action="stop")
            await self._do(client, frame)

    async def _do(self, client: ChatClient, frame: Json) -> None:
        if frame.get("update_type") == "agent_request_input":
            await client.send("agent_user_input", content="Yes")
        elif frame["type"] == "tool_approval_request":
            approved = self._random.random() < 0.7
            await client.send("tool_approval_response", tool_call_id=frame["tool_call_id"], approved=approved)

    def _keep(self, frame: Json) -> None:
        """A verdict that came twice is refused, and that is all."""
        if frame["type"] == "error":
            assert frame["error_type"] == "conflict", frame
            return
        self.frames.append(frame)
        self.turn_id = frame.get("turn_id", self.turn_id)


@pytest.mark.timeout(180)
async def test_a_crowd(tmp_path: Path) -> None:
    model = ScriptedModel(reply)

    def open_model(connection: Connection) -> Model:
        return model

    settings = make_settings(tmp_path, models={"calls_per_provider": 64, "calls_per_organization": 64})
    async with (
        running_product(settings, KEYS, open_model) as product,
        served(product, product.services) as http,
    ):
        tenant = await product.new_tenant()
        api = OrgApi(http, tenant.organization_id, tenant.headers)
        document_id = await api.add_document()
        await product.read_document(tenant, document_id)
        await asyncio.sleep(0)
        before = tasks()
        url = address(http, tenant.organization_id, f"/documents/{document_id}/chat")
        visitors = [Visitor(url, tenant.headers, number) for number in range(CLIENTS)]
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(visitor.visit() for visitor in visitors))
        ends: Counter[str] = Counter()
        for visitor in visitors:
            log: list[Json] = (await api.get(f"/turns/{visitor.turn_id}/events"))["events"]
            assert numbered(visitor.frames) == frames_of(log)
            ends[log[-1]["type"]] += 1
            if log[-1]["type"] == "completed":
                assert spoken(visitor.frames)[-1] == WORDS
        assert set(ends) == {"completed", "stopped"}
        assert sum(visitor.reconnects for visitor in visitors) > CLIENTS  # the last one counts as well
        await quiet(product.services, before)


async def quiet(services: Services, before: Counter[str]) -> None:
    """Nothing runs, nothing is kept, and no task is left that was not there before."""
    async with asyncio.timeout(SECONDS):
        while services.turn_runner.running or not services.turn_runner.live.is_quiet() or tasks() - before:
            await asyncio.sleep(0.02)
            gc.collect()
    async with services.db.read() as tx:
        assert await open_turns(tx) == 0


def tasks() -> Counter[str]:
    """The tasks of this process by what they do; numbers in their names do not count."""
    return Counter(
        getattr(task.get_coro(), "__qualname__", "?") for task in asyncio.all_tasks() if not task.done()
    )


async def open_turns(tx: Tx) -> int:
    over = turns.c.state.in_(("completed", "stopped"))
    found = await tx.across(sa.select(sa.func.count()).select_from(turns).where(~over))
    count: int = found.scalar_one()
    return count
