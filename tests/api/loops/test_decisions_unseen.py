"""The JSON in which a model writes its decisions is for the loop: no transport shows it, not even in pieces."""

from __future__ import annotations

import json

import pytest

from tests.api.loops.playing import over_socket
from tests.api.loops.scenes import look, observe, plan, reason, think
from tests.support.agent import Desk, Json
from tests.support.models.provider import Answer

MISPLACED = 'Two tags.\n{"should_continue": false, "final_answer": "Two tags."}'
KEYS = ("should_continue", "final_answer", "tools_to_consider", "next_action_hint", '"steps"', "```")
TOLD: dict[str, tuple[Answer, ...]] = {
    "react": (reason(), look(), observe(True), reason(), MISPLACED, observe(False)),
    "think-act": (think(), look(), think(), MISPLACED),
    "plan-and-execute": (plan("look"), look(), "Two tags."),
}
EACH = pytest.mark.parametrize("strategy", TOLD)


def texts(events: list[Json]) -> str:
    """All that is written for people. What programs read, such as `decision` of an event, has fields of its own."""
    for_people = ("text", "chunk", "full_text", "token", "content", "message", "thinking", "parts")
    return json.dumps([[event.get(name) for name in for_people] for event in events])


def unseen(shown: str) -> bool:
    return not any(json.dumps(key)[1:-1] in shown for key in KEYS)


@EACH
async def test_over_the_events_of_the_turn(desk: Desk, strategy: str) -> None:
    turn_id = await desk.begin(
        "Go", *TOLD[strategy], loop_strategy=strategy, auto_approved_tools=["list_tags"]
    )
    if strategy == "plan-and-execute":
        await desk.until(turn_id, "awaiting_approval")
        await desk.api.call("POST", f"/turns/{turn_id}/plan", json={"approved": True})
    async with desk.watching(turn_id) as events:
        shown = texts([event async for event in events])
    assert "Two tags." in shown
    assert unseen(shown)


@EACH
async def test_over_docrouters_stream(desk: Desk, strategy: str) -> None:
    events = await desk.stream("Go", *TOLD[strategy], loop_strategy=strategy, auto_approve=True)
    shown = texts([*events, events[-1]["result"]])
    assert "Two tags." in shown
    assert unseen(shown)


@EACH
async def test_over_the_socket(desk: Desk, strategy: str) -> None:
    does = ({"plan": True},) if strategy == "plan-and-execute" else ()
    client = await over_socket(desk, TOLD[strategy], does, strategy, {})
    shown = texts(client.frames)
    assert "Two tags." in shown
    assert unseen(shown)
