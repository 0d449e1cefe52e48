"""Stop, in each phase of a turn: at once, with what was done kept, and with a conversation that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.domain.models.llm import CallDelta
from docagent.store.tables import turns
from docagent.store.turns.turns import get as get_turn
from tests.support.agent import Desk, Json, Studio, call, calls, decision, yes
from tests.support.polling import SECONDS, true_soon
from tests.support.services.databases import on_each_database
from tests.support.services.locks import waiting_for_a_lock

pytestmark = on_each_database


@pytest.fixture
async def thread(desk: Desk) -> str:
    created: str = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    return created


@pytest.fixture
async def held(studio: Studio) -> AsyncIterator[asyncio.Event]:
    """Every answer of the provider waits, once the test says so."""
    event = asyncio.Event()
    yield event
    event.set()
    studio.provider.hold = None


async def stop(desk: Desk, turn_id: str) -> Json:
    async with asyncio.timeout(SECONDS):
        stopped: Json = await desk.api.post(f"/turns/{turn_id}/stop", {})
    assert stopped["state"] == "stopped"
    end = (await desk.events(turn_id))[-1]
    assert (end["type"], end["reason"], end["user_id"]) == ("stopped", "user", desk.tenant.user_id)
    assert desk.services.turn_runner.running == 0
    return end


async def goes_on(desk: Desk, thread: str) -> list[Json]:
    """The next message of the thread is answered; the history that the provider got."""
    desk.studio.gate = None
    answer = await desk.chat("And now?", "Now this.", thread_id=thread)
    assert answer["text"] == "Now this."
    sent: list[Json] = desk.asked()["messages"][1:]
    assert sent[-1] == {"role": "user", "content": "And now?"}
    return sent


async def test_while_text_streams(desk: Desk, studio: Studio, thread: str) -> None:
    gate = studio.hold_reply(after=2)
    turn_id = await desk.begin("Talk", "Half of it and the other half.", thread_id=thread)
    await gate.reached.wait()
    end = await stop(desk, turn_id)
    assert "Half of it and the other half.".startswith(end["text"])
    assert len(end["text"]) > 4
    assert [await stop(desk, turn_id) for _ in range(2)] == [end, end]
    said = (await goes_on(desk, thread))[1]
    assert said == {
        "role": "assistant",
        "content": f"{end['text'].rstrip()}\n\n(The user stopped this here.)",
    }


async def test_when_a_library_loses_the_cancellation(desk: Desk, studio: Studio) -> None:
    gate = studio.hold_reply(after=2)
    gate.loses_a_cancellation = True
    turn_id = await desk.begin("Talk", "Half of it and the other half.")
    await gate.reached.wait()
    await stop(desk, turn_id)


async def test_two_clicks_at_once(desk: Desk, studio: Studio) -> None:
    gate = studio.hold_reply()
    turn_id = await desk.begin("Talk", "A long answer.")
    await gate.reached.wait()
    answers = await asyncio.gather(*(desk.api.post(f"/turns/{turn_id}/stop", {}) for _ in range(5)))
    assert {answer["state"] for answer in answers} == {"stopped"}
    assert (await desk.kinds(turn_id)).count("stopped") == 1


async def test_while_the_provider_has_not_answered(
    desk: Desk, studio: Studio, thread: str, held: asyncio.Event
) -> None:
    studio.provider.hold = held
    turn_id = await desk.begin("Talk", "Never said.", thread_id=thread)
    await requests(studio, 1)
    assert (await stop(desk, turn_id))["text"] == ""
    studio.reset()
    await goes_on(desk, thread)


@pytest.mark.databases("postgresql")
async def test_while_a_read_runs(desk: Desk, thread: str) -> None:
    """A table that someone else has locked makes the read wait; SQLite's readers never wait."""
    async with desk.services.db.write() as tx:
        await tx.across(sa.text("LOCK TABLE schemas IN ACCESS EXCLUSIVE MODE"))
        turn_id = await desk.begin("Look", calls(call("r", "list_schemas")), thread_id=thread)
        await desk.until_event(turn_id, "tool_started")
        await stop(desk, turn_id)
    sent = await goes_on(desk, thread)
    assert "interrupted" in sent[2]["content"]


async def test_while_an_extraction_runs(desk: Desk, studio: Studio, thread: str, held: asyncio.Event) -> None:
    """Nothing of it is stored; what was done before is kept, and said."""
    tag = f"tag {new_id()}"
    prompt = await desk.api.post(
        "/prompts", {"name": f"prompt {new_id()}", "content": "Read it.", "model": "gpt-4o-mini"}
    )
    run = call("x", "run_extraction", prompt_revid=prompt["prompt_revid"])
    paused = await desk.chat("Go", calls(call("w", "create_tag", name=tag), run), thread_id=thread)
    studio.provider.hold = held
    body = decision(paused, yes("w"), yes("x"), background=True)
    assert (await desk.api.call("POST", f"{desk.path}/approve", json=body)).status_code == 202
    await requests(studio, 2)
    end = await stop(desk, paused["turn_id"])
    assert end["kept"] == [f"Created tag “{tag}”"]
    assert tag in await desk.tags()
    results = await desk.api.call(
        "GET", f"/llm/result/{desk.document_id}", params={"prompt_revid": prompt["prompt_revid"]}
    )
    assert results.status_code == 404
    studio.provider.hold = None
    sent = await goes_on(desk, thread)
    assert [item["tool_call_id"] for item in sent if item["role"] == "tool"] == ["w", "x"]
    assert "interrupted" in sent[3]["content"]


async def test_while_it_waits(desk: Desk, thread: str) -> None:
    tag = f"tag {new_id()}"
    paused = await desk.chat("Go", calls(call("w", "create_tag", name=tag)), thread_id=thread)
    more = {**chat_body("More"), "thread_id": thread, "background": True}
    await desk.api.refused(409, "POST", desk.path, more)
    await stop(desk, paused["turn_id"])
    body = decision(paused, yes("w"))
    await desk.api.refused(400, "POST", f"{desk.path}/approve", body)
    assert tag not in await desk.tags()
    sent = await goes_on(desk, thread)
    assert "Stopped before this ran." in sent[2]["content"]


async def test_as_it_begins_to_wait(desk: Desk, studio: Studio) -> None:
    """Asked for in another process, and found by the commit with which the turn begins to wait."""
    gate = studio.hold_reply(of=CallDelta)
    turn_id = await desk.begin("Go", calls(call("w", "create_tag", name=f"tag {new_id()}")))
    await gate.reached.wait()
    async with desk.services.db.write_org(desk.tenant.organization_id) as tx:
        asked = sa.update(turns).where(turns.c.id == turn_id)
        await tx.execute(asked.values(stop_requested_by=desk.tenant.user_id))
    gate.opened.set()
    await desk.until(turn_id, "stopped")
    assert (await desk.kinds(turn_id))[-2:] == ["approval_requested", "stopped"]


@pytest.mark.databases("postgresql")
async def test_a_moment_after_it_began_to_wait(desk: Desk, studio: Studio) -> None:
    """Who stops it saw it running. Both writers wait for a lock, which PostgreSQL gives them in their order."""
    gate = studio.hold_reply(of=CallDelta)
    turn_id = await desk.begin("Go", calls(call("w", "create_tag", name=f"tag {new_id()}")))
    await gate.reached.wait()
    async with desk.services.db.write_org(desk.tenant.organization_id) as tx:
        assert await get_turn(tx, turn_id, lock=True)
        gate.opened.set()
        await waiting_for_a_lock(desk.services.db, 1)
        stopping = asyncio.create_task(stop(desk, turn_id))
        await waiting_for_a_lock(desk.services.db, 2)
    await stopping
    assert (await desk.kinds(turn_id))[-2:] == ["approval_requested", "stopped"]


async def test_a_finished_turn_stays_as_it_is(desk: Desk) -> None:
    answer = await desk.chat("Hi", "Hello.")
    assert (await desk.api.post(f"/turns/{answer['turn']}/stop", {}))["state"] == "completed"
    assert (await desk.kinds(answer["turn"]))[-1] == "completed"


async def test_a_message_while_the_agent_works_is_refused(desk: Desk, studio: Studio, thread: str) -> None:
    gate = studio.hold_reply()
    turn_id = await desk.begin("Talk", "One moment.", thread_id=thread)
    await gate.reached.wait()
    detail = await desk.api.refused(409, "POST", desk.path, {**chat_body("More"), "thread_id": thread})
    assert turn_id in detail
    await desk.api.refused(409, "DELETE", f"{desk.path}/threads/{thread}")
    gate.opened.set()
    await desk.until(turn_id, "completed")


def chat_body(text: str) -> Json:
    return {"messages": [{"role": "user", "content": text}], "model": "gpt-4o-mini"}


async def requests(studio: Studio, count: int) -> None:
    """Until the provider was asked that often."""
    await true_soon(lambda: len(studio.provider.requests) >= count)
