"""PostgreSQL goes away and comes back: callers are told to come again, and what runs goes on where it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from docagent.agent.memory import NoKill
from docagent.api.websocket.conversation import TRY_AGAIN_LATER
from docagent.domain.errors import DatabaseAway
from docagent.domain.ids import new_id
from docagent.domain.turns.events import Event, EventType
from docagent.store.engine.trouble import NO_ANSWER
from tests.conftest import make_settings
from tests.support.agent import Desk, Studio, call, calls, running_studio, say, yes
from tests.support.chat_socket import connected
from tests.support.operations import EVERY_ID, org_operations, request_for
from tests.support.polling import until
from tests.support.services.databases import Databases
from tests.support.services.postgres import SOCKET, USER
from tests.support.services.relay import Relay, relay_to


@dataclass
class Outpost:
    """A desk whose database is behind a line that can be cut."""

    studio: Studio
    desk: Desk
    line: Relay

    async def is_ready(self) -> bool:
        return (await self.studio.product.client.get("/ready")).status_code == 200


@pytest.fixture(scope="module")
async def studio_and_line(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Studio, Relay]]:
    url = make_url(await databases.new("postgresql"))
    with relay_to(Path(str(url.query["host"])) / SOCKET) as line:
        through_line = f"postgresql+asyncpg://{USER}@127.0.0.1:{line.port}/{url.database}"
        async with running_studio(make_settings(tmp_path_factory.mktemp("data"), through_line)) as studio:
            yield studio, line


@pytest.fixture
async def outpost(studio_and_line: tuple[Studio, Relay]) -> AsyncIterator[Outpost]:
    studio, line = studio_and_line
    studio.reset()
    found = Outpost(studio, await studio.new_desk(), line)
    yield found
    line.mend()
    studio.product.services.turn_runner.kill = NoKill()
    await until(found.is_ready)


class LosesAnswers:
    """Implements KillPoint: the answer to one commit, that of an event of this type, does not arrive."""

    def __init__(self, lost: EventType) -> None:
        self._lost: EventType | None = lost

    def reached(self, name: str, events: Sequence[Event] = ()) -> None:
        if name == "after commit" and any(event.type is self._lost for event in events):
            self._lost = None
            raise DatabaseAway(NO_ANSWER)


async def test_every_route_says_when_to_come_again(outpost: Outpost) -> None:
    api = outpost.desk.api
    ids = {name: new_id() for name in EVERY_ID}
    outpost.line.cut()
    for operation in org_operations():
        made = request_for(operation, api.organization_id, ids)
        answer = await api.client.request(
            made.method, made.path, params=made.params, headers=api.headers, **made.options
        )
        told = (operation.method, operation.path, answer.status_code, answer.headers.get("retry-after"))
        assert told == (operation.method, operation.path, 503, "3")
        assert answer.json()["detail"] == NO_ANSWER
    ready = await api.client.get("/ready")
    assert (ready.status_code, ready.headers["retry-after"]) == (503, "3")
    outpost.line.mend()
    await until(outpost.is_ready)
    assert await api.get("/tags") == {"tags": [], "total_count": 0, "skip": 0}


async def test_a_turn_outlives_the_database_and_asks_nothing_twice(outpost: Outpost) -> None:
    desk = outpost.desk
    tag = call("t", "create_tag", name="Urgent")
    gate = outpost.studio.hold_reply()
    turn_id = await desk.begin("Tag it", say("I tag it.", tag), auto_approve=True)
    desk.script("Tagged, with one more word.")
    async with desk.watching(turn_id) as events:
        seen = [await anext(events)]
        await gate.reached.wait()
        outpost.line.cut()
        gate.opened.set()
        assert (await outpost.studio.product.client.get("/ready")).status_code == 503
        outpost.line.mend()
        seen += [event async for event in events]
    log = await desk.events(turn_id)
    assert log[-1]["type"] == "completed"
    assert [event["id"] for event in seen if event["id"]] == [event["seq"] for event in log]
    assert await desk.tags() == ["Urgent"]
    assert len(desk.provider.requests) == 2


@pytest.mark.parametrize(
    "lost", [EventType.TOOL_RESULT, EventType.ASSISTANT_MESSAGE, EventType.APPROVAL_REQUESTED]
)
async def test_a_write_whose_answer_was_lost_is_recognised(outpost: Outpost, lost: EventType) -> None:
    desk = outpost.desk
    desk.services.turn_runner.kill = LosesAnswers(lost)
    desk.script(calls(call("r", "list_tags"), call("t", "create_tag", name="Urgent")), "Done.")
    turn_id = await desk.begin("Tag it")
    async with desk.watching(turn_id) as events:
        seen = [
            event
            async for event in events
            if event["type"] != "approval_requested" or await _approve(desk, turn_id)
        ]
    log = await desk.events(turn_id)
    assert log[-1]["type"] == "completed"
    assert [event["id"] for event in seen if event["id"]] == [event["seq"] for event in log]
    assert await desk.tags() == ["Urgent"]
    assert len(desk.provider.requests) == 2


async def _approve(desk: Desk, turn_id: str) -> bool:
    await desk.until(turn_id, "awaiting_approval")
    verdict = {"turn_id": turn_id, "approvals": [yes("t")], "background": True}
    answer = await desk.api.call("POST", f"{desk.path}/approve", json=verdict)
    return answer.status_code == 202


async def test_a_socket_stays_and_says_why_nothing_happens(outpost: Outpost) -> None:
    desk = outpost.desk
    desk.script("Here again.")
    async with connected(desk) as client:
        outpost.line.cut()
        await client.chat("Are you there?")
        error = await client.error()
        assert (error["message"], error["error_type"]) == (NO_ANSWER, "unavailable")
        async with connected(desk, ready=False) as late:
            assert (await late.error())["error_type"] == "unavailable"
            assert await late.closed() == TRY_AGAIN_LATER
        outpost.line.mend()
        await until(outpost.is_ready)
        await client.chat("Are you there?")
        await client.to_the_end()


async def test_a_worker_goes_on_when_the_database_is_back(outpost: Outpost) -> None:
    api = outpost.desk.api
    outpost.line.cut()
    assert await api.refused(503, "GET", "/tags") == NO_ANSWER
    outpost.line.mend()
    await until(outpost.is_ready)
    document_id = await api.add_document()

    async def is_read() -> bool:
        return (await api.get(f"/documents/{document_id}"))["state"] in ("ocr_completed", "llm_completed")

    await until(is_read)
