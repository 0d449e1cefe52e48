"""Questions to the user: when they may be asked, how long they wait, who answers; and the limit of steps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from docagent.domain.turns.events import LimitReached
from docagent.domain.turns.turns import TurnState
from tests.api.loops.conftest import STEPS
from tests.api.loops.playing import do_by_rest, pauses
from tests.api.loops.scenes import (
    BEGIN,
    LOOKED,
    PLAN_YES,
    TIMEOUTS,
    ask,
    frames_of,
    look,
    observe,
    plan,
    reason,
)
from tests.conftest import make_settings
from tests.support.agent import Desk, Json, Studio, add_member, running_studio
from tests.support.chat_socket import connected, numbered
from tests.support.models.held_model import House
from tests.support.models.provider import Answer
from tests.support.polling import SECONDS

MINUTES = 0.0005


@pytest.fixture(scope="module")
async def hasty_studio(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Studio]:
    """Questions expire after a moment."""
    settings = make_settings(tmp_path_factory.mktemp("data"), agent={"answer_minutes": MINUTES})
    async with running_studio(settings) as studio:
        yield studio


@pytest.mark.parametrize("strategy", TIMEOUTS)
async def test_nobody_answers(hasty_studio: Studio, strategy: str) -> None:
    """The periodic sweep ends the turn; both streams show the same."""
    desk = await hasty_studio.new_desk()
    turn_id = await desk.begin("Go", *TIMEOUTS[strategy], loop_strategy=strategy)
    seen: list[Json] = []
    async with asyncio.timeout(SECONDS), connected(desk) as client, desk.watching(turn_id) as events:
        await client.send("resume", turn_id=turn_id)
        async for event in events:
            if event["id"] is None:
                continue
            seen.append(event)
            if pauses(event) and event["type"] == "plan":
                await do_by_rest(desk, turn_id, PLAN_YES)
            elif event["type"] == "input_requested":
                await swept(desk, turn_id)
        await client.to_the_end()
    kinds = [event["type"] for event in seen if event["type"] != "usage"]
    assert kinds[-3:] == ["input_requested", "input_timed_out", "stopped"]
    assert seen[-1]["reason"] == "input_timed_out"
    assert numbered(client.frames) == frames_of(seen)
    assert client.kinds[-3:] == ["agent_request_input_timeout", "agent_stopped", "response_complete"]
    await desk.api.refused(409, "POST", f"/turns/{turn_id}/answer", {"text": "Too late"})


async def swept(desk: Desk, turn_id: str) -> None:
    """Let the sweep come by until the question is too old."""
    async with asyncio.timeout(SECONDS):
        while True:
            await desk.services.turn_runner.recover()
            if (await desk.api.get(f"/turns/{turn_id}"))["state"] == "stopped":
                return
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("minutes", "waits"), [(None, timedelta(minutes=10)), (0, None), (3, timedelta(minutes=3))]
)
async def test_how_long_a_question_waits(
    tmp_path: Path, minutes: int | None, waits: timedelta | None
) -> None:
    agent: dict[str, object] = {} if minutes is None else {"answer_minutes": minutes}
    house = House(make_settings(tmp_path, agent=agent))
    async with house.process([ask()]) as bench:
        turn = await bench.start("tools")
        await bench.settle(turn)
        waiting = await bench.services.turns.watching.get(bench.member, turn.id)
        assert waiting.state is TurnState.AWAITING_INPUT
        if waits is None:
            assert waiting.waits_until is None
        else:
            assert waiting.waits_until == waiting.updated_at + waits
        assert await bench.services.turn_runner.recover() == 0


async def test_the_inbox_says_what_is_asked_and_until_when(desk: Desk) -> None:
    turn_id = await desk.begin("Go", ask())
    await desk.until(turn_id, "awaiting_input")
    (waiting,) = [
        item for item in (await desk.api.get("/approvals"))["approvals"] if item["turn_id"] == turn_id
    ]
    assert (waiting["question"], waiting["choices"]) == ("Which one?", ["A", "B"])
    left = datetime.fromisoformat(waiting["expires_at"]) - datetime.fromisoformat(waiting["since"])
    assert left == timedelta(minutes=10)
    await desk.api.post(f"/turns/{turn_id}/stop", {})


async def test_only_the_one_who_was_asked_answers_and_only_once(desk: Desk) -> None:
    colleague = await add_member(desk)
    turn_id = await desk.begin("Go", ask(), "B it is.")
    await desk.until(turn_id, "awaiting_input")
    await colleague.api.refused(404, "POST", f"/turns/{turn_id}/answer", {"text": "A"})
    answers = await asyncio.gather(
        *(desk.api.call("POST", f"/turns/{turn_id}/answer", json={"text": "B"}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    await desk.until(turn_id, "completed")
    assert (await desk.kinds(turn_id)).count("input_given") == 1


@dataclass(frozen=True)
class TwoInARow:
    """Something that waits, and something else that waits after it was decided."""

    replies: tuple[Answer, ...]
    state: str
    path: str
    decisions: tuple[Json, Json]
    event: str
    strategy: str = "tools"


SECOND = {
    "question": TwoInARow(
        (ask("q1"), ask("q2"), "Done."),
        "awaiting_input",
        "answer",
        ({"text": "A"}, {"text": "B"}),
        "input_given",
    ),
    "plan": TwoInARow(
        (plan("delete all"), plan("look"), "Done."),
        "awaiting_approval",
        "plan",
        ({"approved": False, "reason": "Only look"}, {"approved": True}),
        "plan_decided",
        "plan-and-execute",
    ),
}


@pytest.mark.parametrize("kind", SECOND)
async def test_a_tab_that_shows_what_is_decided_already_decides_nothing_else(desk: Desk, kind: str) -> None:
    case = SECOND[kind]
    turn_id = await desk.begin("Go", *case.replies, loop_strategy=case.strategy)
    path, (first, second) = f"/turns/{turn_id}/{case.path}", case.decisions
    stale = (await desk.until(turn_id, case.state))["last_seq"]
    assert (await desk.api.call("POST", path, json={**first, "seen": stale})).status_code == 202
    await desk.until(turn_id, case.state)
    refusal = await desk.api.refused(409, "POST", path, {**second, "seen": stale})
    assert "something other than what you saw" in refusal
    assert (await desk.kinds(turn_id)).count(case.event) == 1
    (waiting,) = [
        item for item in (await desk.api.get("/approvals"))["approvals"] if item["turn_id"] == turn_id
    ]
    seen = waiting["last_seq"]
    assert (await desk.api.call("POST", path, json={**second, "seen": seen})).status_code == 202
    await desk.until(turn_id, "completed")
    assert (await desk.kinds(turn_id)).count(case.event) == 2


@pytest.mark.parametrize("kind", SECOND)
async def test_a_socket_that_shows_what_is_decided_already_decides_nothing_else(
    desk: Desk, kind: str
) -> None:
    case = SECOND[kind]
    turn_id = await desk.begin("Go", *case.replies, loop_strategy=case.strategy)
    path, (first, second) = f"/turns/{turn_id}/{case.path}", case.decisions
    frame = {"question": "agent_user_input", "plan": "plan_response"}[kind]
    over_socket = {"content": second["text"]} if kind == "question" else second
    stale = (await desk.until(turn_id, case.state))["last_seq"]
    assert (await desk.api.call("POST", path, json=first)).status_code == 202
    now_waiting = (await desk.until(turn_id, case.state))["last_seq"]
    async with asyncio.timeout(SECONDS), connected(desk) as client:
        await client.send("resume", turn_id=turn_id, after=stale)
        await client.send(frame, **over_socket, seen=stale)
        await client.until("error")
        assert "something other than what you saw" in client.frames[-1]["message"]
        await client.send(frame, **over_socket, seen=now_waiting)
        await client.to_the_end()
    assert (await desk.kinds(turn_id)).count(case.event) == 2


def offered(desk: Desk) -> list[str]:
    return [tool["function"]["name"] for tool in desk.asked().get("tools", [])]


async def test_the_question_is_offered_in_agent_mode_only(desk: Desk) -> None:
    await desk.chat("Hi", "Hello.")
    assert "request_input" in offered(desk)
    await desk.chat("Hi", "Hello.", selected_tools=["list_tags"])
    assert offered(desk) == ["list_tags", "request_input"]
    plain = await desk.chat("Hi", ask(), agent_mode=False, loop_strategy="react")
    assert offered(desk) == []
    assert plain["state"] == "completed"
    assert "input_requested" not in await desk.kinds(plain["turn"])


@pytest.mark.parametrize(("wanted", "allowed"), [(None, STEPS), (2, 2), (STEPS + 1, STEPS), (1000, STEPS)])
async def test_the_servers_limit_of_steps_is_the_most(desk: Desk, wanted: int | None, allowed: int) -> None:
    rounds = [look(f"c{number}") for number in range(allowed)]
    answer = await desk.chat("Go", *rounds, "So far.", **({"max_steps": wanted} if wanted else {}))
    assert answer["state"] == "limit_reached"
    events = await desk.events(answer["turn"])
    assert events[0]["max_steps"] == allowed
    assert [event["step"] for event in events if event["type"] == "step_started"] == list(
        range(1, allowed + 1)
    )


async def test_no_steps_at_all_is_refused(desk: Desk) -> None:
    body = {"messages": [{"role": "user", "content": "Hi"}], "max_steps": 0}
    await desk.api.refused(422, "POST", desk.path, body)


@pytest.mark.parametrize(("group", "limit"), [({"tokens": 20}, "tokens"), ({"credits": 2}, "credits")])
async def test_budgets_end_a_turn_inside_a_step_too(
    tmp_path: Path, group: dict[str, int], limit: str
) -> None:
    """Fifteen tokens and one credit for each call of the model: nothing is left for the third phase."""
    house = House(make_settings(tmp_path, agent={"loop": group}))
    async with house.process([reason(), look(), observe(True)]) as bench:
        turn = await bench.start("react")
        await bench.settle(turn)
        assert await bench.kinds(turn) == f"{BEGIN} reason {LOOKED} limit_reached"
        end = (await bench.log(turn))[-1]
        assert isinstance(end, LimitReached)
        assert end.limit.value == limit
        assert len(bench.model.requests) == 2
