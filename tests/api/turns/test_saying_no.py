"""A message while something waits: DocRouter's clients mean no; our own client decides first."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docagent.domain.ids import new_id
from docagent.services.turns.starting import ANOTHER_MESSAGE
from tests.support.agent import Desk, Json, add_member, call, calls, decision, message, say, yes
from tests.support.chat_socket import connected


async def new_thread(desk: Desk) -> str:
    created: str = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    return created


async def waiting(desk: Desk, thread: str, *more: Any) -> tuple[Json, str]:
    """A turn that waits for a verdict on a new tag, and the tag's name."""
    tag = f"tag {new_id()}"
    paused = await desk.chat(
        "Make it", say("creating", call("w", "create_tag", name=tag), *more), thread_id=thread
    )
    assert paused["state"] == "awaiting_approval"
    return paused, tag


@pytest.mark.parametrize("stream", [False, True])
async def test_a_message_is_a_no_to_the_calls_that_wait(own_desk: Desk, stream: bool) -> None:
    thread = await new_thread(own_desk)
    paused, _ = await waiting(own_desk, thread, call("r", "list_tags"), call("w2", "create_tag", name="two"))
    if stream:
        events = await own_desk.stream("Rather not. Hello!", "Hello.", thread_id=thread)
        answer = events[-1]["result"]
    else:
        answer = await own_desk.chat("Rather not. Hello!", "Hello.", thread_id=thread)
    assert (answer["text"], answer["state"]) == ("Hello.", "completed")
    assert await own_desk.tags() == []
    log = await own_desk.events(paused["turn_id"])
    verdicts = [event for event in log if event["type"] == "approval_decided"]
    assert [(event["call_id"], event["approved"], event["user_id"]) for event in verdicts] == [
        ("w", False, own_desk.tenant.user_id),
        ("w2", False, own_desk.tenant.user_id),
    ]
    assert {event["reason"] for event in verdicts} == {ANOTHER_MESSAGE}
    assert (log[-1]["type"], log[-1]["reason"]) == ("stopped", "user")
    told = {item["call_id"]: item["error"] for item in own_desk.told()}
    assert told["w"] == told["w2"] == "User rejected this action."
    assert told["r"] == "Stopped before this ran."
    loaded = await own_desk.api.get(f"{own_desk.path}/threads/{thread}")
    assert [turn["state"] for turn in loaded["turns"]] == ["stopped", "completed"]
    decided = [item["decisions"] for item in loaded["messages"] if item.get("decisions")]
    assert [item["approved"] for item in decided[0]] == [False, False]
    assert (await own_desk.api.get("/approvals"))["approvals"] == []


async def test_the_audit_has_the_no(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    await waiting(own_desk, thread)
    await own_desk.chat("Rather not", "Fine.", thread_id=thread)
    (entry,) = (await own_desk.api.get("/audit"))["entries"]
    assert (entry["tool"], entry["outcome"], entry["approved"]) == ("create_tag", "refused", False)
    assert (entry["decided_by"], entry["reason"]) == ("Ada", ANOTHER_MESSAGE)
    assert json.loads(entry["result"])["error"] == "User rejected this action."


async def test_a_verdict_that_comes_later_is_told_so(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    paused, _ = await waiting(own_desk, thread)
    await own_desk.chat("Rather not", "Fine.", thread_id=thread)
    body = decision(paused, yes("w"))
    await own_desk.api.refused(400, "POST", f"{own_desk.path}/approve", body)
    assert await own_desk.tags() == []


async def test_whoever_watches_sees_the_no(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    paused, _ = await waiting(own_desk, thread)
    async with own_desk.watching(paused["turn_id"]) as events:
        while (await anext(events))["type"] != "approval_requested":
            pass
        await own_desk.chat("Rather not", "Fine.", thread_id=thread)
        seen = [event["type"] async for event in events]
    assert seen == ["approval_decided", "tool_result", "stopped"]


async def test_a_question_that_waits_gives_way(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    asked = await own_desk.chat(
        "Which?", calls(call("q", "request_input", question="Which?")), thread_id=thread
    )
    assert asked["state"] == "awaiting_input"
    answer = await own_desk.chat("The second", "The second it is.", thread_id=thread)
    assert answer["text"] == "The second it is."
    assert (await own_desk.kinds(asked["turn_id"]))[-1] == "stopped"
    assert "Which?" in str(own_desk.asked()["messages"])


async def test_a_message_that_cannot_be_taken_leaves_the_card(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    paused, tag = await waiting(own_desk, thread)
    refused: list[Json] = [{"data_sources": [new_id()]}, {"model": "no-such-model"}, {"messages": []}]
    for wrong in refused:
        body = message("Hello", thread_id=thread) | wrong
        assert (await own_desk.api.call("POST", own_desk.path, json=body)).status_code >= 400
    await own_desk.approve(paused, yes("w"), answers=["Made."])
    assert await own_desk.tags() == [tag]


async def test_nobody_says_no_for_another(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    paused, tag = await waiting(own_desk, thread)
    colleague = await add_member(own_desk)
    await colleague.api.refused(404, "POST", colleague.path, message("No", thread_id=thread))
    await own_desk.approve(paused, yes("w"), answers=["Made."])
    assert await own_desk.tags() == [tag]


async def test_a_yes_and_a_message_at_once(own_desk: Desk) -> None:
    """Whichever comes first counts, and the thread never has two turns at work."""
    thread = await new_thread(own_desk)
    paused, tag = await waiting(own_desk, thread)
    own_desk.script("One.", "Two.")
    approved, said = await asyncio.gather(
        own_desk.api.call("POST", f"{own_desk.path}/approve", json=decision(paused, yes("w"))),
        own_desk.api.call("POST", own_desk.path, json=message("Rather not", thread_id=thread)),
    )
    assert (approved.status_code, said.status_code) in [(200, 409), (400, 200), (200, 200)]
    assert await own_desk.tags() == ([tag] if approved.is_success else [])
    first = (await own_desk.api.get(f"{own_desk.path}/threads/{thread}"))["turns"][0]
    assert first["state"] == ("completed" if approved.is_success else "stopped")


async def test_our_own_client_is_asked_to_decide_first(own_desk: Desk) -> None:
    thread = await new_thread(own_desk)
    paused, tag = await waiting(own_desk, thread)
    background = message("Hello", thread_id=thread, background=True)
    assert paused["turn_id"] in await own_desk.api.refused(409, "POST", own_desk.path, background)
    async with connected(own_desk) as client:
        await client.chat("Hello", conversation_id=thread)
        assert (await client.error())["error_type"] == "conflict"
    await own_desk.approve(paused, yes("w"), answers=["Made."])
    assert await own_desk.tags() == [tag]
