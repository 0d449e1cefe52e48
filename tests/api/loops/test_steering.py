"""A message while the agent works is taken in at the next step, and is never lost, however the turn ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from docagent.adapters.llm.scripted import Answer
from docagent.domain.errors import Conflict
from docagent.domain.models.llm import ModelError, ModelFailure, ModelRequest, TextPart
from docagent.domain.turns.events import LimitReached, Steered
from tests.api.loops.scenes import (
    BEGIN,
    LOOKED,
    PLANNED,
    STRATEGIES,
    look,
    make,
    plan,
    reason,
    think,
)
from tests.conftest import make_settings
from tests.support.agent import Desk
from tests.support.chat_socket import connected, spoken
from tests.support.models.held_model import Bench, House
from tests.support.services.databases import Databases

WORD = "And the colour"
MORE = "steered step_started"


@pytest.fixture(scope="module", params=["postgresql"])
async def process(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Bench]:
    url = await databases.new(request.param)
    house = House(make_settings(tmp_path_factory.mktemp("data"), url))
    async with house.process() as bench:
        yield bench


@pytest.fixture
def bench(process: Bench) -> Bench:
    process.model.reset()
    return process


async def steer(bench: Bench, turn_id: str) -> None:
    await bench.services.turns.steering.steer(bench.member, turn_id, WORD)


def said_to(request: ModelRequest) -> str:
    """Everything of the user's in a request."""
    return "\n".join(
        part.text
        for message in request.messages
        if message.role == "user"
        for part in message.parts
        if isinstance(part, TextPart)
    )


WHILE_IT_ANSWERS: dict[str, tuple[tuple[Answer, ...], tuple[Answer, ...], str]] = {
    "tools": (("First.",), ("Red.",), f"{BEGIN} assistant_message {MORE} assistant_message completed"),
    "react": (
        (reason(finish=True, final_answer="First."),),
        (reason(finish=True, final_answer="Red."),),
        f"{BEGIN} reason {MORE} reason completed",
    ),
    "think-act": (
        (think(finish=True, final_answer="First."),),
        (think(), "Red."),
        f"{BEGIN} reason {MORE} reason assistant_message completed",
    ),
    "plan-and-execute": (
        (plan("tell"), "First."),
        (plan("tell the colour"), "Red."),
        f"{BEGIN} plan assistant_message {MORE} plan assistant_message completed",
    ),
    "tool-first": (
        (look(), "First."),
        (look("b"), "Red."),
        f"{BEGIN} {LOOKED} assistant_message {MORE} {LOOKED} assistant_message completed",
    ),
    "llm-only": (("First.",), ("Red.",), f"{BEGIN} assistant_message {MORE} assistant_message completed"),
}


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_a_word_during_the_last_answer_gets_a_step_of_its_own(bench: Bench, strategy: str) -> None:
    before, after, events = WHILE_IT_ANSWERS[strategy]
    bench.model.add(*before, *after)
    bench.model.hold_from = len(before)
    turn = await bench.start(strategy, auto_approve=True)
    await bench.held()
    await steer(bench, turn.id)
    bench.model.go_on.set()
    assert (await bench.settle(turn)).value == "completed"
    assert await bench.kinds(turn) == events
    log = await bench.log(turn)
    assert log[-1].text == "Red."  # type: ignore[union-attr]  # a Completed
    assert [event.text for event in log if isinstance(event, Steered)] == [WORD]
    for request in bench.model.requests[len(before) :]:
        assert WORD in said_to(request)
    assert WORD not in said_to(bench.model.requests[len(before) - 1])


async def test_a_word_between_two_steps_costs_no_step_of_its_own(bench: Bench) -> None:
    bench.model.add(look(), "Both.")
    bench.model.hold_from = 1
    turn = await bench.start("tools")
    await bench.held()
    for _ in range(2):
        await steer(bench, turn.id)
    bench.model.go_on.set()
    await bench.settle(turn)
    assert (
        await bench.kinds(turn)
        == f"{BEGIN} {LOOKED} steered steered step_started assistant_message completed"
    )
    assert said_to(bench.model.requests[1]).count(WORD) == 2


async def test_a_word_after_a_rejected_plan_leads_to_another_plan(bench: Bench) -> None:
    bench.model.add(plan("erase"), plan("tell"), "Red.")
    turn = await bench.start("plan-and-execute")
    bench.model.hold_from = 2
    await bench.settle(turn)
    await bench.services.turns.deciding.decide_plan(bench.member, turn.id, approved=False, reason="No")
    await bench.held()
    await steer(bench, turn.id)
    bench.model.go_on.set()
    assert (await bench.settle(turn)).value == "awaiting_approval"
    await bench.do(turn, {"plan": False})
    assert (await bench.settle(turn)).value == "awaiting_approval"
    assert await bench.kinds(turn) == f"{BEGIN} {PLANNED} {PLANNED} {MORE} plan"
    await bench.services.turns.steering.stop(bench.member, turn.id)


async def test_a_word_at_the_limit_is_in_the_closing_answer(bench: Bench) -> None:
    bench.model.add("First.", "Red, and that was all.")
    bench.model.hold_from = 1
    turn = await bench.start("tools", max_steps=1)
    await bench.held()
    await steer(bench, turn.id)
    bench.model.go_on.set()
    await bench.settle(turn)
    assert await bench.kinds(turn) == f"{BEGIN} assistant_message steered assistant_message limit_reached"
    assert WORD in said_to(bench.model.requests[1])


async def test_a_word_during_the_closing_answer_is_kept_and_the_user_is_told(bench: Bench) -> None:
    bench.model.add(look(), "So far.")
    bench.model.hold_from = 2
    turn = await bench.start("tools", max_steps=1)
    await bench.held()
    await steer(bench, turn.id)
    bench.model.go_on.set()
    await bench.settle(turn)
    assert await bench.kinds(turn) == f"{BEGIN} {LOOKED} assistant_message steered limit_reached"
    end = (await bench.log(turn))[-1]
    assert isinstance(end, LimitReached)
    assert end.text == (
        "Your last message came too late for this turn: send it again. (Max tool rounds reached.)"
    )


@pytest.mark.parametrize("end", ["stopped", "failed"])
async def test_a_word_before_a_sudden_end_stays_in_the_log(bench: Bench, end: str) -> None:
    if end == "failed":
        bench.model.add(ModelError(ModelFailure.UNAVAILABLE, "Gone.", provider="test"))
    bench.model.hold_from = 1
    turn = await bench.start("react")
    await bench.held()
    await steer(bench, turn.id)
    if end == "stopped":
        await bench.services.turns.steering.stop(bench.member, turn.id)
    bench.model.go_on.set()
    await bench.settle(turn)
    assert await bench.kinds(turn) == f"{BEGIN} steered {end}"


async def test_who_comes_too_late_is_told(bench: Bench) -> None:
    bench.model.add("Done.")
    turn = await bench.start("tools")
    await bench.settle(turn)
    with pytest.raises(Conflict, match="Send a new message"):
        await steer(bench, turn.id)
    bench.model.add(make())
    waiting = await bench.start("tools")
    await bench.settle(waiting)
    with pytest.raises(Conflict, match="waits for you"):
        await steer(bench, waiting.id)
    await bench.services.turns.steering.stop(bench.member, waiting.id)


async def test_a_word_that_was_taken_is_answered_and_one_that_was_refused_was_not_taken(bench: Bench) -> None:
    """The first while the model answers, the others at any moment around the end of the turn."""
    for delay in range(12):
        bench.model.add(*["Said."] * 4)
        bench.model.hold_from = 1
        turn = await bench.start("tools")
        await bench.held()
        await steer(bench, turn.id)
        bench.model.go_on.set()
        accepted = 1
        for _ in range(2):
            for _ in range(delay):
                await asyncio.sleep(0)
            try:
                await steer(bench, turn.id)
            except Conflict:
                continue
            accepted += 1
        assert (await bench.settle(turn)).value == "completed"
        log = await bench.log(turn)
        assert sum(isinstance(event, Steered) for event in log) == accepted
        heard = "\n".join(said_to(request) for request in bench.model.requests[-1:])
        assert heard.count(WORD) == accepted
        bench.model.reset()


async def test_over_rest_and_over_the_socket(desk: Desk) -> None:
    gate = desk.studio.hold_reply()
    desk.script("First answer.", "Red it is.")
    async with connected(desk) as client:
        await client.chat("Go", agent_loop_strategy="tools")
        await gate.reached.wait()
        await client.chat(WORD)
        turn_id = client.turn_id if any("turn_id" in frame for frame in client.frames) else ""
        await client.until("agent_turn_start")
        turn_id = turn_id or client.turn_id
        answer = await desk.api.call("POST", f"/turns/{turn_id}/steer", json={"text": "And the size"})
        assert answer.status_code == 202
        gate.opened.set()
        await client.to_the_end()
        assert client.kinds.count("agent_steered") == 2
        assert spoken(client.frames) == ["First answer.", "Red it is."]
        assert client.kinds.count("agent_start") == 1
    detail = await desk.api.refused(409, "POST", f"/turns/{turn_id}/steer", {"text": "Too late"})
    assert detail == "The agent is not running. Send a new message instead."
    stranger = replace(desk.api, headers=(await desk.studio.product.new_tenant()).headers)
    assert (await stranger.call("POST", f"/turns/{turn_id}/steer", json={"text": "x"})).status_code == 401
