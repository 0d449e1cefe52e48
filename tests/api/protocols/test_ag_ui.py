"""The agent as AG-UI's clients see it: runs, interrupts and their answers. Every event is one of the protocol's."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from ag_ui import core
from pydantic import TypeAdapter

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.ids import new_id
from docagent.domain.models.llm import Usage
from docagent.domain.turns.turns import Subject
from tests.api.loops.scenes import plan
from tests.support.accounts import new_person, set_members
from tests.support.agent import (
    OPENAI,
    Desk,
    Json,
    ProjectDesk,
    Studio,
    add_member,
    blocks,
    call,
    calls,
    data_of,
    say,
)
from tests.support.models.provider import Answer, Refusal
from tests.support.polling import SECONDS

EVENT: TypeAdapter[core.Event] = TypeAdapter(core.Event)
TERMS = {"docagent": {"model": OPENAI}}


def run_input(*messages: str, thread: str, resume: list[Json] | None = None, **more: Any) -> Json:
    said = [{"id": new_id(), "role": "user", "content": text} for text in messages]
    body = {"threadId": thread, "runId": new_id(), "messages": said, "state": {}, "tools": [], "context": []}
    return body | {"forwardedProps": TERMS} | ({"resume": resume} if resume else {}) | more


async def post(desk: Desk, body: Json) -> httpx2.Response:
    return await desk.api.call("POST", desk.path.replace("/chat", "/ag-ui"), json=body)


async def run(
    desk: Desk, *messages: str, thread: str, answers: tuple[Answer, ...] = (), **more: Any
) -> list[Json]:
    """Make a run and return its events, each of which must be one of the protocol's."""
    desk.script(*answers)
    body = run_input(*messages, thread=thread, **more)
    response = await post(desk, body)
    assert response.status_code == 200, response.text
    events = data_of(response.text)
    for event in events:
        EVENT.validate_python(event)
        assert None not in event.values()
    assert (events[0]["threadId"], events[0]["runId"]) == (thread, body["runId"])
    assert not desk.provider._answers
    return events


def kinds(events: list[Json]) -> list[str]:
    return [event["type"] for event in events if not event["type"].startswith("STATE")]


def interrupts(events: list[Json]) -> list[Json]:
    assert events[-1]["outcome"]["type"] == "interrupt"
    found: list[Json] = events[-1]["outcome"]["interrupts"]
    return found


def answer(interrupt: Json, payload: Any = None, status: str = "resolved") -> Json:
    return {"interruptId": interrupt["id"], "status": status, "payload": payload}


def thread_name() -> str:
    return f"conversation {new_id()}"


async def test_a_message_is_told_as_a_run(desk: Desk) -> None:
    read = say("Let me look.", call("r", "list_tags"), thinking="Tags, then.")
    events = await run(desk, "Which tags?", thread=thread_name(), answers=(read, "None."))
    assert kinds(events) == [
        "RUN_STARTED",
        "STEP_STARTED",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        *["REASONING_MESSAGE_CONTENT"] * kinds(events).count("REASONING_MESSAGE_CONTENT"),
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "TEXT_MESSAGE_START",
        *["TEXT_MESSAGE_CONTENT"] * (kinds(events).count("TEXT_MESSAGE_CONTENT") - 1),
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "STEP_FINISHED",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    text = [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]
    assert "".join(text) == "Let me look.None."
    started = next(event for event in events if event["type"] == "TOOL_CALL_START")
    first = next(event for event in events if event["type"] == "TEXT_MESSAGE_START")
    assert (started["toolCallName"], started["parentMessageId"]) == ("list_tags", first["messageId"])
    end = events[-1]
    assert end["outcome"] == {"type": "success"}
    assert end["result"] == {"text": "None."}
    (used,) = end["usage"]
    assert used["totalTokens"] == used["inputTokens"] + used["outputTokens"] > 0


async def test_the_state_of_the_run_is_told(desk: Desk) -> None:
    events = await run(desk, "Hello", thread=thread_name(), answers=("Hi.",))
    snapshot, *changes = [event for event in events if event["type"].startswith("STATE")]
    assert snapshot["snapshot"]["state"] == "running"
    assert set(snapshot["snapshot"]) == {"state", "plan", "working_state"}
    assert changes[-1]["delta"] == [{"op": "replace", "path": "/state", "value": "completed"}]


async def test_usage_counts_only_the_calls_of_the_run(desk: Desk) -> None:
    thread, tag = thread_name(), f"tag {new_id()}"
    asks = make_reply(tool_calls=(call("w", "create_tag", name=tag),), usage=Usage(100, 10))
    paused = await run(desk, "Make it", thread=thread, answers=(asks,))
    assert paused[-1]["usage"][0]["totalTokens"] == 110
    done = make_reply("Done.", usage=Usage(200, 20))
    events = await run(
        desk, thread=thread, answers=(done,), resume=[answer(interrupts(paused)[0], {"approved": True})]
    )
    assert events[-1]["usage"][0]["totalTokens"] == 220


async def test_an_approval_interrupts_and_its_verdict_resumes(desk: Desk) -> None:
    thread, tag = thread_name(), f"tag {new_id()}"
    paused = await run(desk, "Make it", thread=thread, answers=(calls(call("w", "create_tag", name=tag)),))
    (asked,) = interrupts(paused)
    assert (asked["reason"], asked["toolCallId"]) == ("tool_call", "w")
    assert tag in asked["message"]
    assert asked["responseSchema"]["required"] == ["approved"]
    assert tag not in await desk.tags()
    events = await run(
        desk, "Make it", thread=thread, answers=("Made.",), resume=[answer(asked, {"approved": True})]
    )
    assert kinds(events)[:2] == ["RUN_STARTED", "TOOL_CALL_RESULT"]
    assert events[-1]["outcome"] == {"type": "success"}
    assert tag in await desk.tags()
    late = await post(desk, run_input(thread=thread, resume=[answer(asked, {"approved": True})]))
    assert late.status_code == 409


@pytest.mark.parametrize(
    "refusal", [("resolved", {"approved": False}), ("resolved", False), ("cancelled", None)]
)
async def test_a_no_goes_back_to_the_model(desk: Desk, refusal: tuple[str, Any]) -> None:
    thread, tag = thread_name(), f"tag {new_id()}"
    paused = await run(desk, "Make it", thread=thread, answers=(calls(call("w", "create_tag", name=tag)),))
    status, payload = refusal
    no = [answer(interrupts(paused)[0], payload, status)]
    events = await run(desk, thread=thread, answers=("As you wish.",), resume=no)
    result = next(event for event in events if event["type"] == "TOOL_CALL_RESULT")
    assert result["metadata"]["docagent"]["is_error"]
    assert tag not in await desk.tags()


async def test_a_call_runs_with_edited_arguments(desk: Desk) -> None:
    thread, tag, better = thread_name(), f"tag {new_id()}", f"better {new_id()}"
    paused = await run(desk, "Make it", thread=thread, answers=(calls(call("w", "create_tag", name=tag)),))
    edited = answer(interrupts(paused)[0], {"approved": True, "editedArgs": {"name": better}})
    await run(desk, thread=thread, answers=("Made.",), resume=[edited])
    assert {tag, better} & set(await desk.tags()) == {better}


async def test_what_was_not_answered_interrupts_again(desk: Desk) -> None:
    thread, names = thread_name(), [f"tag {new_id()}", f"tag {new_id()}"]
    both = calls(call("a", "create_tag", name=names[0]), call("b", "create_tag", name=names[1]))
    first, second = interrupts(await run(desk, "Make them", thread=thread, answers=(both,)))
    (left,) = interrupts(await run(desk, thread=thread, resume=[answer(first, True)]))
    assert left["id"] == second["id"]
    await run(desk, thread=thread, answers=("Made.",), resume=[answer(second, True)])
    assert set(names) <= set(await desk.tags())


async def test_a_question_interrupts_and_its_answer_resumes(desk: Desk) -> None:
    thread = thread_name()
    asks = calls(call("q", "request_input", question="Which tag?", choices=["A", "B"]))
    (asked,) = interrupts(await run(desk, "Ask", thread=thread, answers=(asks,)))
    assert (asked["reason"], asked["message"]) == ("input_required", "Which tag?")
    assert asked["metadata"]["docagent"]["choices"] == ["A", "B"]
    events = await run(desk, thread=thread, answers=("B it is.",), resume=[answer(asked, "B")])
    assert events[-1]["result"] == {"text": "B it is."}
    assert desk.told()[-1] == {"call_id": "q", "answer": "B"}


async def test_a_question_that_is_cancelled_ends_the_turn(desk: Desk) -> None:
    thread = thread_name()
    asks = calls(call("q", "request_input", question="Which tag?"))
    (asked,) = interrupts(await run(desk, "Ask", thread=thread, answers=(asks,)))
    events = await run(desk, thread=thread, resume=[answer(asked, status="cancelled")])
    assert events[-1]["outcome"] == {"type": "cancelled"}


async def test_a_late_answer_does_not_hit_the_next_question(desk: Desk) -> None:
    thread = thread_name()
    asks = calls(call("q", "request_input", question="Which tag?"))
    (first,) = interrupts(await run(desk, "Ask", thread=thread, answers=(asks,)))
    again = calls(call("q2", "request_input", question="Which page?"))
    (second,) = interrupts(await run(desk, thread=thread, answers=(again,), resume=[answer(first, "B")]))
    for late in (answer(first, "A"), answer(first, status="cancelled")):
        refused = await post(desk, run_input(thread=thread, resume=[late]))
        assert refused.status_code == 409
        assert "no longer waits" in refused.json()["detail"]
    events = await run(desk, thread=thread, answers=("Done.",), resume=[answer(second, "7")])
    assert events[-1]["result"] == {"text": "Done."}


async def test_a_plan_interrupts_and_is_told_in_the_state(desk: Desk) -> None:
    thread = thread_name()
    terms = {"docagent": {"model": OPENAI, "loop_strategy": "plan-and-execute"}}
    paused = await run(desk, "Go", thread=thread, answers=(plan("tell"),), forwardedProps=terms)
    (asked,) = interrupts(paused)
    assert (asked["reason"], asked["message"]) == ("confirmation", "1. tell")
    told = [change for event in paused for change in event.get("delta", ()) if isinstance(change, dict)]
    assert {"op": "replace", "path": "/plan", "value": [{"text": "tell", "done": False}]} in told
    events = await run(desk, thread=thread, resume=[answer(asked, {"approved": False})])
    assert events[-1]["outcome"] == {"type": "success"}


async def test_a_name_of_the_clients_is_one_thread_of_ours(desk: Desk) -> None:
    thread = thread_name()
    first = await run(desk, "My name is Ada.", thread=thread, answers=("Hello Ada.",))
    await run(desk, "My name is Ada.", "Who am I?", thread=thread, answers=("Ada.",))
    said = [message["content"] for message in desk.asked()["messages"] if message["role"] != "system"]
    assert said == ["My name is Ada.", "Hello Ada.", "Who am I?"]
    ours = first[0]["metadata"]["docagent"]["thread_id"]
    loaded = await desk.api.get(f"{desk.path}/threads/{ours}")
    assert len(loaded["turns"]) == 2
    again = await run(desk, "And now?", thread=ours, answers=("Still Ada.",))
    assert again[0]["metadata"]["docagent"]["thread_id"] == ours


async def test_two_first_runs_at_once_make_one_thread(desk: Desk) -> None:
    thread = thread_name()
    services, tenant = desk.services, desk.tenant
    member = await services.identity.member(
        tenant.headers["Authorization"].split()[1], None, tenant.organization_id
    )
    subject = Subject.document(desk.document_id)
    made = await asyncio.gather(*(services.threads.named(member, subject, thread) for _ in range(5)))
    assert len({each.id for each in made}) == 1


async def test_the_same_name_is_another_thread_for_another_member(own_desk: Desk) -> None:
    thread = thread_name()
    mine = await run(own_desk, "Mine", thread=thread, answers=("Yes.",))
    colleague = await add_member(own_desk)
    theirs = await run(colleague, "Theirs", thread=thread, answers=("Yes.",))
    assert mine[0]["metadata"] != theirs[0]["metadata"]
    ours = mine[0]["metadata"]["docagent"]["thread_id"]
    assert (await post(colleague, run_input("Hello", thread=ours))).status_code == 404


async def test_a_turn_that_fails_is_an_error(desk: Desk) -> None:
    refused = Refusal(400, {"error": {"message": "No."}})
    events = await run(desk, "Hello", thread=thread_name(), answers=(refused,))
    assert events[-1]["type"] == "RUN_ERROR"
    assert events[-1]["code"] == "model_bad_request"
    assert events[-1]["message"]


async def test_a_message_while_something_waits_is_refused_and_an_empty_run_shows_it_again(desk: Desk) -> None:
    thread, tag = thread_name(), f"tag {new_id()}"
    paused = await run(desk, "Make it", thread=thread, answers=(calls(call("w", "create_tag", name=tag)),))
    refused = await post(desk, run_input("Hello?", thread=thread))
    assert refused.status_code == 409
    assert "waits for you" in refused.json()["detail"]
    shown = await run(desk, thread=thread)
    assert interrupts(shown) == interrupts(paused)
    assert [event["toolCallName"] for event in shown if event["type"] == "TOOL_CALL_START"] == ["create_tag"]
    no = [answer(asked, False) for asked in interrupts(shown)]
    await run(desk, thread=thread, answers=("Fine.",), resume=no)
    nothing = await post(desk, run_input(thread=thread))
    assert nothing.status_code == 400


async def test_a_connection_that_breaks_leaves_a_turn_in_the_background_running(
    desk: Desk, studio: Studio
) -> None:
    """Whoever comes back is told the turn from its beginning."""
    thread = thread_name()
    gate = studio.hold_reply()
    desk.script("Said to the end.")
    url = f"/v0/orgs/{desk.tenant.organization_id}{desk.path.replace('/chat', '/ag-ui')}"
    async with asyncio.timeout(SECONDS):
        body = run_input(
            "Go", thread=thread, forwardedProps={"docagent": {**TERMS["docagent"], "background": True}}
        )
        async with desk.api.client.stream("POST", url, json=body, headers=desk.api.headers) as response:
            assert (await anext(blocks(response)))["type"] == "RUN_STARTED"
            turn_id = response.headers["x-turn-id"]
        await gate.reached.wait()
        body = run_input(thread=thread)
        async with desk.api.client.stream("POST", url, json=body, headers=desk.api.headers) as response:
            assert response.headers["x-turn-id"] == turn_id
            told = blocks(response)
            assert (await anext(told))["type"] == "RUN_STARTED"
            gate.opened.set()
            events = [event async for event in told]
    assert events[-1]["result"] == {"text": "Said to the end."}
    text = [event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]
    assert "".join(text) == "Said to the end."


async def test_a_project_has_runs_too(desk: Desk) -> None:
    project = await ProjectDesk.at(desk)
    events = await run(project, "Hello", thread=thread_name(), answers=("Hi.",))
    assert events[-1]["result"] == {"text": "Hi."}


async def test_what_cannot_be_run_is_refused_in_words(desk: Desk) -> None:
    thread = thread_name()
    picture = [{"type": "image", "source": {"type": "url", "value": "https://example.com/a.png"}}]
    body = run_input(thread=thread, messages=[{"id": "1", "role": "user", "content": picture}])
    assert "Only text" in (await post(desk, body)).json()["detail"]
    unknown = run_input(thread=thread, resume=[{"interruptId": "odd", "status": "resolved"}])
    assert (await post(desk, unknown)).status_code == 400
    foreign = run_input(thread=thread, resume=[{"interruptId": f"{new_id()}:call:w", "status": "cancelled"}])
    assert (await post(desk, foreign)).status_code == 404
    assert (await post(desk, run_input("Hello", thread=new_id()))).status_code == 404
    tag = calls(call("w", "create_tag", name=f"tag {new_id()}"))
    (asked,) = interrupts(await run(desk, "Make it", thread=thread, answers=(tag,)))
    unread = await post(desk, run_input(thread=thread, resume=[answer(asked, {"yes": 1})]))
    assert unread.status_code == 400
    assert "responseSchema" in unread.json()["detail"]
    elsewhere = await post(desk, run_input(thread=thread_name(), resume=[answer(asked, True)]))
    assert elsewhere.status_code == 404


async def test_only_members_run(desk: Desk, studio: Studio) -> None:
    body = run_input("Hello", thread=thread_name())
    stranger = desk.as_member({})
    assert (await post(stranger, body)).status_code == 401
    outsider = desk.as_member((await new_person(studio.product)).headers)
    assert (await post(outsider, body)).status_code == 403
    other = await studio.new_desk()
    there = ProjectDesk(studio, other.tenant, other.api, desk.document_id, new_id())
    assert (await post(there, body)).status_code == 404


async def test_somebody_who_left_is_told_so(own_desk: Desk, studio: Studio) -> None:
    colleague = await add_member(own_desk)
    gate = studio.hold_reply()
    async with asyncio.timeout(SECONDS):
        running = asyncio.create_task(
            run(colleague, "Go", thread=thread_name(), answers=("Said to the end.",))
        )
        await gate.reached.wait()
        await set_members(studio.product, own_desk.tenant)
        gate.opened.set()
        events = await running
    assert (events[-1]["type"], events[-1]["code"]) == ("RUN_ERROR", "forbidden")
