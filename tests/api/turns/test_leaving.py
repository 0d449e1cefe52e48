"""Clients that go away: a plain stream takes its turn along, as in DocRouter, and everything else goes on."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from docagent.domain.ids import new_id
from docagent.services.turns.steering import TurnLeaving
from docagent.store.turns import turns
from tests.support.agent import Desk, Json, Studio, blocks, call, calls, decision, message, served, yes
from tests.support.polling import SECONDS
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


@pytest.fixture
async def thread(desk: Desk) -> str:
    created: str = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    return created


@asynccontextmanager
async def impatient(desk: Desk, grace_seconds: float = 0.05) -> AsyncIterator[Desk]:
    """The same desk at a server that waits for nobody to come back."""
    services = desk.services
    leaving = TurnLeaving(services.db, services.turns.steering, grace_seconds)
    changed = dataclasses.replace(services.turns, leaving=leaving)
    async with served(desk.studio.product, dataclasses.replace(services, turns=changed)) as client:
        yield dataclasses.replace(desk, api=dataclasses.replace(desk.api, client=client))


async def aborted(desk: Desk, path: str, body: Json, first: str) -> str:
    """Read a stream up to its first event, which must be of this kind, and leave. The turn."""
    url = f"/v0/orgs/{desk.tenant.organization_id}{path}"
    async with desk.api.client.stream("POST", url, json=body, headers=desk.api.headers) as response:
        assert (await anext(blocks(response)))["type"] == first
        turn_id: str = response.headers["x-turn-id"]
    return turn_id


async def is_deserted(desk: Desk, turn_id: str, *, wanted: bool = True) -> None:
    """Until the row says so, or says no longer so."""
    async with asyncio.timeout(SECONDS):
        while True:
            async with desk.services.db.read_org(desk.tenant.organization_id) as tx:
                turn = await turns.get(tx, turn_id)
            assert turn is not None
            if (turn.deserted_at is not None) is wanted:
                return
            await asyncio.sleep(0.01)


async def test_leaving_a_plain_stream_stops_the_turn(desk: Desk, studio: Studio) -> None:
    studio.hold_reply()
    async with impatient(desk) as there:
        desk.script("Said to the end.")
        turn_id = await aborted(there, there.path, message("Go", stream=True), "assistant_text_chunk")
        await desk.until(turn_id, "stopped")
    end = (await desk.events(turn_id))[-1]
    assert (end["reason"], end["user_id"]) == ("user", desk.tenant.user_id)
    assert end["text"]
    assert "Said to the end.".startswith(end["text"])


async def test_leaving_the_stream_of_a_verdict_stops_the_turn(desk: Desk, studio: Studio) -> None:
    tag = f"tag {new_id()}"
    paused = await desk.chat("Make it", calls(call("w", "create_tag", name=tag)))
    studio.hold_reply()
    async with impatient(desk) as there:
        desk.script("Said to the end.")
        body = decision(paused, yes("w"), stream=True)
        turn_id = await aborted(there, f"{there.path}/approve", body, "tool_calls")
        await desk.until(turn_id, "stopped")
    assert (await desk.events(turn_id))[-1]["kept"] == [f"Created tag “{tag}”"]


async def test_a_turn_that_pauses_after_its_client_left_is_stopped_too(desk: Desk) -> None:
    """A card that nobody got to see does not stay in the inbox."""
    paused = await desk.chat("Make it", calls(call("w", "create_tag", name="x")))
    leaving = TurnLeaving(desk.services.db, desk.services.turns.steering, grace_seconds=0)
    await leaving.left(desk.tenant.member, paused["turn_id"])
    assert (await desk.api.get(f"/turns/{paused['turn_id']}"))["state"] == "stopped"


async def test_a_stream_that_was_read_to_its_end_is_not_left(desk: Desk) -> None:
    """A page may be closed, or loaded again, while its card waits."""
    async with impatient(desk, 0) as there:
        events = await there.stream("Make it", calls(call("w", "create_tag", name=f"tag {new_id()}")))
        paused = events[-1]["result"]
    assert (await desk.api.get(f"/turns/{paused['turn_id']}"))["state"] == "awaiting_approval"
    assert (await desk.approve(paused, yes("w"), answers=["Made."]))["state"] == "completed"


@pytest.mark.parametrize("way", ["watches", "steers", "decides"])
async def test_who_comes_back_in_time_finds_the_turn_going_on(desk: Desk, studio: Studio, way: str) -> None:
    services = desk.services
    leaving = TurnLeaving(services.db, services.turns.steering)
    gate = studio.hold_reply()
    if way == "decides":
        paused = await desk.chat("Make it", calls(call("w", "create_tag", name=f"tag {new_id()}")))
        turn_id = paused["turn_id"]
    else:
        turn_id = await desk.begin("Talk", "All that I have to say.", "And more.")
        await gate.reached.wait()
    going = asyncio.create_task(leaving.left(desk.tenant.member, turn_id))
    await is_deserted(desk, turn_id)
    if way == "watches":
        async with desk.watching(turn_id, {"Last-Event-ID": "2"}) as events:
            assert (await anext(events))["id"] == 3
    elif way == "steers":
        steered = await desk.api.call("POST", f"/turns/{turn_id}/steer", json={"text": "Faster"})
        assert steered.status_code == 202
    else:
        desk.script("Made, as I say.")
        body = decision(paused, yes("w"), background=True)
        assert (await desk.api.call("POST", f"{desk.path}/approve", json=body)).status_code == 202
    await is_deserted(desk, turn_id, wanted=False)
    await going
    assert (await desk.api.get(f"/turns/{turn_id}"))["state"] == "running"
    gate.opened.set()
    await desk.until(turn_id, "completed")


async def test_a_turn_in_the_background_goes_on_without_anyone(desk: Desk, studio: Studio) -> None:
    gate = studio.hold_reply()
    async with impatient(desk, 0) as there:
        turn_id = await there.begin("Go", "Said to the end.")
        async with there.watching(turn_id) as events:
            while (await anext(events))["type"] != "text_delta":
                pass
    gate.opened.set()
    await desk.until(turn_id, "completed")
    assert (await desk.events(turn_id))[-1]["text"] == "Said to the end."


async def test_the_next_message_need_not_wait_for_the_grace(desk: Desk, studio: Studio, thread: str) -> None:
    """DocRouter's page stops by closing the stream; what one types then is not refused."""
    studio.hold_reply()
    desk.script("Said to the end.")
    body = message("Go", stream=True, thread_id=thread)
    turn_id = await aborted(desk, desk.path, body, "assistant_text_chunk")
    await is_deserted(desk, turn_id)
    studio.gate = None
    answer = await desk.chat("Something else", "Of course.", thread_id=thread)
    assert answer["text"] == "Of course."
    assert (await desk.api.get(f"/turns/{turn_id}"))["state"] == "stopped"
    assert "(The user stopped this here.)" in str(desk.asked()["messages"])
