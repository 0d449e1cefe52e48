"""The exact order of events for each strategy, over server-sent events and over the WebSocket, equal in both."""

from __future__ import annotations

import asyncio

import pytest

from docagent.domain.ids import new_id
from tests.api.loops.playing import asked, do_by_rest, over_rest, over_socket, pauses, retagged
from tests.api.loops.scenes import (
    BEGIN,
    HALTS,
    LOOKED,
    SCENES,
    STRATEGIES,
    Halt,
    Scene,
    frames_of,
    look,
    observe,
    plan,
    reason,
    think,
)
from tests.support.agent import OPENAI, Desk, Json, call, calls
from tests.support.chat_socket import ChatClient, connected, numbered, spoken
from tests.support.models.provider import Answer, Silent
from tests.support.models.provider_rules import check_openai_chat
from tests.support.polling import SECONDS


def kinds(events: list[Json]) -> str:
    return " ".join(event["type"] for event in events if event["type"] != "usage")


def purposes(events: list[Json]) -> str:
    return " ".join(event["purpose"] for event in events if event["type"] == "usage")


@pytest.mark.parametrize("scene", SCENES, ids=str)
async def test_a_scene(desk: Desk, scene: Scene) -> None:
    options = {**scene.options, "loop_strategy": scene.strategy}
    streamed = await over_rest(desk, scene.replies, scene.does, options)
    client = await over_socket(desk, scene.replies, scene.does, scene.strategy, scene.options)
    logged = await desk.events(client.turn_id)
    for events in (streamed, logged):
        assert kinds(events) == scene.events
        assert purposes(events) == scene.calls
        assert (
            sum(event["type"] == "tool_result" and event["is_error"] for event in events)
            == scene.failed_calls
        )
        if scene.text is not None:
            assert events[-1]["text"] == scene.text
    assert numbered(client.frames) == frames_of(logged)
    assert len(desk.provider.requests) == 2 * len(scene.calls.split())
    for request in desk.provider.requests:
        check_openai_chat(request.body)
    assert logged[-1]["text"] in [
        *spoken(client.frames),
        *(frame.get("message") for frame in client.frames),
        "",
    ]


@pytest.mark.parametrize("way", ["rest", "socket"])
@pytest.mark.parametrize("halt", HALTS, ids=str)
async def test_stop_in_each_phase(desk: Desk, halt: Halt, way: str) -> None:
    """At once: the provider sees its client go, and what was done before stays."""
    desk.script(*retagged(halt.replies), *(() if halt.waits else (Silent(),)))
    turn_id = await desk.begin("Go", loop_strategy=halt.strategy)
    todo = list(halt.does)
    async with asyncio.timeout(SECONDS), connected(desk) as client, desk.watching(turn_id) as events:
        await client.send("resume", turn_id=turn_id)
        seen: list[Json] = []
        stopping: asyncio.Task[None] | None = None
        async for event in events:
            if event["id"] is None:
                continue
            seen.append(event)
            if pauses(event) and todo:
                await do_by_rest(desk, turn_id, todo.pop(0))
            if kinds(seen) == halt.events.removesuffix(" stopped"):
                stopping = asyncio.create_task(stop_at(desk, client, turn_id, halt, way))
        assert stopping is not None, kinds(seen)
        await stopping
        await client.to_the_end()
    assert kinds(seen) == halt.events
    assert numbered(client.frames) == frames_of(seen)
    assert desk.services.turn_runner.running == 0


async def stop_at(desk: Desk, client: ChatClient, turn_id: str, halt: Halt, way: str) -> None:
    """Once the last request is with the provider, or the turn waits."""
    if not halt.waits:
        await asked(desk, len(halt.replies) + 1)
    if way == "rest":
        assert (await desk.api.post(f"/turns/{turn_id}/stop", {}))["state"] == "stopped"
    else:
        await client.send("agent_control", action="stop")
    if not halt.waits:
        await desk.provider.left_early.wait()


async def test_stop_while_a_tool_runs_keeps_what_was_done(desk: Desk) -> None:
    """The extraction is broken off and leaves nothing; the tag before it stays, and is named."""
    prompt = await desk.api.post(
        "/prompts", {"name": f"p {new_id()}", "content": "Read it.", "model": OPENAI}
    )
    name = f"tag {new_id()}"
    run = call("x", "run_extraction", prompt_revid=prompt["prompt_revid"])
    allowed = ["create_tag", "run_extraction"]
    desk.script(reason(), calls(call("w", "create_tag", name=name), run), Silent())
    async with connected(desk) as client:
        await client.chat("Go", agent_loop_strategy="react", auto_approved_tools=allowed)
        await client.until(lambda frame: frame["type"] == "tool_start" and frame["tool_call_id"] == "x")
        await asked(desk, 3)
        await client.send("agent_control", action="stop")
        stopped = await client.until("agent_stopped")
        assert stopped["kept"] == [f"Created tag “{name}”"]
        await client.until("response_complete")
    events = await desk.events(client.turn_id)
    ran = "tool_started tool_result tool_started tool_progress"
    assert kinds(events) == f"{BEGIN} reason assistant_message {ran} stopped"
    found = await desk.api.call(
        "GET", f"/llm/result/{desk.document_id}", params={"prompt_revid": prompt["prompt_revid"]}
    )
    assert found.status_code == 404


FULL_STEP: dict[str, tuple[Answer, ...]] = {
    "tools": (look(),),
    "react": (reason(), look(), observe(True)),
    "think-act": (think(), look()),
    "plan-and-execute": (look(),),
    "tool-first": (look(), "Two tags."),
    "llm-only": ("Two tags.",),
}


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_model_calls_of_a_step_are_as_many_as_the_list_says(desk: Desk, strategy: str) -> None:
    """Counted at the provider, for one step that acts."""
    listed = {item["name"]: item for item in (await desk.api.get("/agent/strategies"))["strategies"]}
    before: tuple[Answer, ...] = (plan("look"),) if strategy == "plan-and-execute" else ()
    ends = strategy in ("tool-first", "llm-only")
    replies = (*before, *FULL_STEP[strategy], *(() if ends else ("Closing.",)))
    options = {"loop_strategy": strategy, "max_steps": 1, "auto_approve": True}
    events = await over_rest(desk, replies, (), options)
    assert LOOKED in kinds(events) or strategy == "llm-only"
    count = len(desk.provider.requests) - len(before) - (0 if ends else 1)
    assert count == listed[strategy]["calls_per_step"] == len(FULL_STEP[strategy])
    assert set(listed) == set(STRATEGIES)


def test_every_strategy_has_each_kind_of_scene() -> None:
    """A table with a hole in it proves nothing."""
    for strategy in STRATEGIES:
        names = [scene.name for scene in SCENES if scene.strategy == strategy]
        wanted = ["happy", "no tools"]
        if strategy != "llm-only":
            wanted += ["tool error", "approved", "rejected", "question"]
        for name in wanted:
            assert any(each.startswith(name) for each in names), (strategy, name)
