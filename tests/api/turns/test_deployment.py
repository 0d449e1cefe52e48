"""What the operator sets: limits of a turn, and how long it waits for people. One database is enough for these."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from docagent.agent.limits import CLOSING
from docagent.domain.turns.events import Limit
from docagent.services.turns.own import NO_TURN
from tests.api.loops.scenes import reason
from tests.conftest import make_settings
from tests.support.agent import Desk, Json, call, calls, decision, running_studio, yes
from tests.support.chat_socket import connected
from tests.support.polling import SECONDS


@pytest.mark.parametrize(
    ("loop", "text", "requests"),
    [
        ({"tokens": 15}, "The tokens for this turn are used up.", 1),
        ({"credits": 1}, "The credits for this turn are used up.", 1),
        ({"max_steps": 1}, "Closing.\n\n(Max tool rounds reached.)", 2),
        ({"calls_per_turn": 1}, CLOSING[Limit.CALLS_OF_TURN], 1),
    ],
)
async def test_limits_of_a_turn(tmp_path: Path, loop: dict[str, Any], text: str, requests: int) -> None:
    async with running_studio(make_settings(tmp_path, agent={"loop": loop})) as studio:
        desk = await studio.new_desk()
        answer = await desk.chat("Go", calls(call("a", "list_tags")), "Closing.", max_steps=9)
        assert (answer["text"], answer["state"]) == (text, "limit_reached")
        assert len(studio.provider.requests) == requests
        end = (await desk.events(answer["turn"]))[-1]
        assert end["limit"] == {"max_steps": "steps"}.get(next(iter(loop)), next(iter(loop)))


async def test_the_model_calls_of_a_step_have_a_limit(tmp_path: Path) -> None:
    """Told in the answer, in the stream and over the WebSocket."""
    settings = make_settings(tmp_path, agent={"loop": {"calls_per_step": 2}})
    replies = (reason(), calls(call("a", "list_tags")))
    text = CLOSING[Limit.CALLS_OF_STEP]
    async with running_studio(settings) as studio:
        desk = await studio.new_desk()
        answer = await desk.chat("Go", *replies, loop_strategy="react")
        assert (answer["text"], answer["state"]) == (text, "limit_reached")
        assert (await desk.events(answer["turn"]))[-1]["limit"] == "calls_per_step"
        streamed = await desk.stream("Go", *replies, loop_strategy="react")
        assert (streamed[-1]["result"]["state"], streamed[-1]["result"]["text"]) == ("limit_reached", text)
        desk.script(*replies)
        async with connected(desk) as client:
            await client.chat("Go", agent_loop_strategy="react")
            told = await client.until("agent_max_steps")
        assert (told["limit"], told["message"]) == ("calls_per_step", text)
        assert len(studio.provider.requests) == 3 * len(replies)


async def test_an_approval_that_nobody_gives_in_time(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, agent={"approval_minutes": 0.0001, "answer_minutes": 0.0001})
    async with running_studio(settings) as studio:
        desk = await studio.new_desk()
        paused = await desk.chat("Make it", calls(call("w", "create_tag", name="A")))
        asked = await desk.chat(
            "Ask", calls(call("q", "request_input", question="Which?", choices=["A", "B"]))
        )
        assert (asked["state"], asked["question"], asked["choices"]) == (
            "awaiting_input",
            "Which?",
            ["A", "B"],
        )
        for turn, reason, word in (
            (paused, "approval_expired", "approval_expired"),
            (asked, "input_timed_out", "input_timed_out"),
        ):
            end = await expired(desk, turn["turn_id"])
            assert (end["type"], end["reason"]) == ("stopped", reason)
            assert word in await desk.kinds(turn["turn_id"])
        late = await desk.api.refused(400, "POST", f"{desk.path}/approve", decision(paused, yes("w")))
        assert late.startswith(NO_TURN)
        path = f"/turns/{asked['turn_id']}/answer"
        assert (await desk.api.refused(409, "POST", path, {"text": "A"})).startswith(NO_TURN)
        assert await desk.tags() == []


async def expired(desk: Desk, turn_id: str) -> Json:
    """The last event, once what waits has run out of time."""
    async with asyncio.timeout(SECONDS):
        while (await desk.api.get(f"/turns/{turn_id}"))["state"] != "stopped":
            await desk.services.turn_runner.recover()
    return (await desk.events(turn_id))[-1]
