"""A message to the agent and what comes of it: the contract's shapes, verdict by verdict, and how turns end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns.events import Limit
from docagent.domain.turns.tools import Access
from docagent.tools.registry import all_tools
from tests.support.agent import Desk, call, calls, message, say, yes
from tests.support.models.provider import Answer, Raw, Refusal, Then

NO_STATE = {"schema_revid": None, "prompt_revid": None, "extraction": None}


def contract(body: dict[str, Any]) -> dict[str, Any]:
    """The body without what we add to the contract."""
    return {
        key: value for key, value in body.items() if key not in ("state", "turn", "thread_id", "requests")
    }


async def test_a_finished_turn(desk: Desk) -> None:
    answer = await desk.chat("Hello", "Hello there.")
    assert contract(answer) == {
        "text": "Hello there.",
        "thinking": None,
        "working_state": NO_STATE,
        "executed_rounds": None,
    }
    assert await desk.kinds(answer["turn"]) == [
        "turn_started",
        "user_message",
        "step_started",
        "assistant_message",
        "usage",
        "completed",
    ]


async def test_reads_run_at_once_and_come_back_in_the_order_of_the_calls(desk: Desk) -> None:
    batch = (
        call("a", "list_tags"),
        call("b", "get_schema", schema_revid=new_id()),
        call("c", "get_ocr_text", page_num=1),
    )
    answer = await desk.chat("Look around", say("Let me look", *batch), "I looked.")
    written = [{"id": item.id, "name": item.name, "arguments": item.arguments} for item in batch]
    assert answer["executed_rounds"] == [{"thinking": None, "tool_calls": written}]
    tags, schema, text = desk.told()
    assert [item["call_id"] for item in (tags, schema, text)] == ["a", "b", "c"]
    assert "tags" in tags
    assert schema["error"].startswith("Schema not found")
    assert "Invoice 4711" in text["text"]
    events = await desk.events(answer["turn"])
    results = [event for event in events if event["type"] == "tool_result"]
    assert [(item["call_id"], item["is_error"]) for item in results] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]


async def test_a_change_pauses_its_whole_batch(desk: Desk) -> None:
    name = f"tag {new_id()}"
    batch = (call("r", "list_tags"), call("w", "create_tag", name=name), call("x", "no_such_tool"))
    answer = await desk.chat("Make a tag", say("creating", *batch))
    assert contract(answer) == {
        "turn_id": answer["turn"],
        "text": "creating",
        "thinking": None,
        "tool_calls": [{"id": item.id, "name": item.name, "arguments": item.arguments} for item in batch],
        "working_state": NO_STATE,
        "executed_rounds": None,
    }
    assert answer["state"] == "awaiting_approval"
    assert [item["needs_approval"] for item in answer["requests"]] == [False, True, False]
    assert answer["requests"][1]["preview"]["after"]["name"] == name
    assert len(desk.provider.requests) == 1
    assert "tool_started" not in await desk.kinds(answer["turn"])
    assert name not in await desk.tags()


@pytest.mark.parametrize("stream", [True, False])
async def test_auto_approve_needs_a_stream(desk: Desk, stream: bool) -> None:
    name = f"tag {new_id()}"
    body = message("Make it", auto_approve=True, stream=stream)
    if not stream:
        detail = await desk.api.refused(400, "POST", desk.path, body)
        assert "stream: true" in detail
        assert desk.provider.requests == []
        return
    desk.script(calls(call("w", "create_tag", name=name)), "Made.")
    events = await desk.streamed(desk.path, body)
    assert events[-1]["result"]["text"] == "Made."
    assert name in await desk.tags()


async def test_tools_on_the_list_of_the_request_run_and_others_ask(desk: Desk) -> None:
    first, second = f"tag {new_id()}", f"tag {new_id()}"
    answer = await desk.chat(
        "Make and delete",
        calls(call("w", "create_tag", name=first)),
        calls(call("v", "create_tag", name=second), call("d", "delete_tag", tag_id=new_id())),
        auto_approved_tools=["create_tag"],
    )
    assert [item["id"] for item in answer["tool_calls"]] == ["v", "d"]
    assert [item["needs_approval"] for item in answer["requests"]] == [False, True]
    assert len(answer["executed_rounds"]) == 1
    assert first in await desk.tags()
    assert second not in await desk.tags()


@pytest.mark.parametrize(
    ("rule", "options", "outcome"),
    [
        ({"effect": "deny"}, {"auto_approved_tools": ["create_tag"]}, "refused"),
        ({"effect": "deny", "tool": "*"}, {}, "refused"),
        ({"effect": "ask"}, {"auto_approved_tools": ["create_tag"]}, "asked"),
        ({"effect": "allow"}, {}, "ran"),
        ({"effect": "deny", "arguments": {"name": "secret"}}, {"auto_approved_tools": ["create_tag"]}, "ran"),
        ({"effect": "allow", "document_id": True}, {}, "ran"),
    ],
)
async def test_policy_goes_before_what_a_client_says(
    desk: Desk, rule: dict[str, Any], options: dict[str, Any], outcome: str
) -> None:
    body = {"tool": "create_tag", "scope": "everyone", **rule}
    if "document_id" in rule:
        body["document_id"] = desk.document_id
    stored = await desk.api.post("/agent/rules", body)
    name = f"tag {new_id()}"
    try:
        answer = await desk.chat("Go", calls(call("w", "create_tag", name=name)), "So be it.", **options)
    finally:
        removed = await desk.api.call("DELETE", f"/agent/rules/{stored['id']}")
    assert removed.status_code == 204
    assert (answer["state"] == "awaiting_approval") is (outcome == "asked")
    assert (name in await desk.tags()) is (outcome == "ran")
    if outcome == "refused":
        assert desk.told()[0]["error"].startswith("Not allowed: ")


# --- what models get wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (ToolCall("c", "create_tag", '{"name": '), "Invalid JSON arguments"),
        (ToolCall("c", "create_tag", "[1]"), "Invalid JSON arguments"),
        (call("c", "create_tag", title="x"), "name is missing"),
        (call("c", "list_tag"), "Unknown tool: list_tag. Did you mean list_tags?"),
        (ToolCall("c", "rm", "{}"), "Unknown tool: rm"),
    ],
)
async def test_a_broken_call_is_explained_to_the_model_and_never_asked_about(
    desk: Desk, wrong: ToolCall, error: str
) -> None:
    answer = await desk.chat("Go", calls(wrong), "Sorry.")
    assert answer["text"] == "Sorry."
    (result,) = desk.told()
    assert error in result["error"]
    (event,) = [event for event in await desk.events(answer["turn"]) if event["type"] == "tool_result"]
    assert (event["is_error"], event["ran"]) == (True, False)


async def test_a_call_that_keeps_failing_is_not_run_again(desk: Desk) -> None:
    again = {"schema_revid": new_id()}
    attempts = [calls(call(f"c{n}", "get_schema", **again)) for n in range(3)]
    answer = await desk.chat("Go", *attempts, "I give up.")
    assert answer["text"] == "I give up."
    assert [item["error"].split(" ")[0] for item in desk.told()] == ["Schema", "Schema", "This"]
    assert "failed 2 times" in desk.told()[-1]["error"]
    kinds = await desk.kinds(answer["turn"])
    assert kinds.count("tool_started") == 2


async def test_ids_that_the_provider_uses_again_stay_apart(desk: Desk) -> None:
    step = calls(call("0", "list_tags"), call("0", "list_schemas"))
    answer = await desk.chat("Go", step, step, calls(call("", "list_prompts")), "Done.")
    assert answer["text"] == "Done."
    ids = [item["id"] for each in answer["executed_rounds"] for item in each["tool_calls"]]
    assert len(ids) == len(set(ids)) == 5
    paired = [
        [item["id"] for item in said["tool_calls"]]
        for said in desk.asked()["messages"]
        if said.get("tool_calls")
    ]
    assert [item["call_id"] for item in desk.told()] == [id for batch in paired for id in batch]


async def test_a_deleted_document_does_not_break_the_turn_that_deleted_it(own_desk: Desk) -> None:
    desk = own_desk
    paused = await desk.chat("Away with it", calls(call("d", "delete_document")))
    answer = await desk.approve(paused, yes("d"), answers=["It is gone."])
    assert answer["text"] == "It is gone."
    assert "This document has been deleted." in desk.system()
    await desk.api.refused(404, "POST", desk.path, message("Hello?"))


# --- limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closing", "text"),
    [
        ("I ran out of steps.", "I ran out of steps.\n\n(Max tool rounds reached.)"),
        ("", "(Max tool rounds reached.)"),
        (calls(call("z", "list_tags")), "(Max tool rounds reached.)"),
        (Refusal(400, {"error": {"message": "no"}}), "(Max tool rounds reached.)"),
    ],
)
async def test_at_the_limit_of_steps_there_is_one_closing_answer(desk: Desk, closing: Any, text: str) -> None:
    rounds = [calls(call(f"c{n}", "list_tags", skip=n)) for n in range(2)]
    answer = await desk.chat("Go on and on", *rounds, closing, max_steps=2)
    assert (answer["text"], answer["state"]) == (text, "limit_reached")
    assert len(answer["executed_rounds"]) == 2
    last = desk.asked()
    assert last["tool_choice"] == "none"
    assert "Do not call any more tools" in desk.system()
    end = (await desk.events(answer["turn"]))[-1]
    assert (end["type"], end["limit"]) == ("limit_reached", Limit.STEPS)


async def test_a_turn_has_ten_steps_unless_it_asks_for_fewer(desk: Desk) -> None:
    rounds = [calls(call(f"c{n}", "list_tags", skip=n)) for n in range(10)]
    answer = await desk.chat("Go on", *rounds, "That was all.", max_steps=500)
    assert answer["text"].endswith("(Max tool rounds reached.)")
    assert len(answer["executed_rounds"]) == 10
    assert len(desk.provider.requests) == 11


# --- errors -------------------------------------------------------------------------------------------------------

BEGINNING = b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'
PROBLEMS: dict[str, tuple[Answer, int, str]] = {
    "before": (Refusal(400, {"error": {"message": "no", "code": "context_length_exceeded"}}), 400, ""),
    "key": (Refusal(401, {"error": {"message": "no", "code": "invalid_api_key"}}), 502, ""),
    "middle": (Raw([BEGINNING], Then.DROP), 502, "Let me"),
}


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("stream", [False, True])
async def test_an_error_of_the_provider(desk: Desk, kind: str, stream: bool) -> None:
    problem, status, text = PROBLEMS[kind]
    desk.script(calls(call("c", "list_tags")), problem)
    response = await desk.api.call("POST", desk.path, json=message("Go", stream=stream))
    turn_id = response.headers["X-Turn-Id"]
    end = (await desk.events(turn_id))[-1]
    assert (end["type"], end["text"]) == ("failed", text)
    if stream:
        assert response.status_code == 200
        last = json.loads(response.text.strip().rsplit("\n", 1)[-1].removeprefix("data: "))
        assert (last["type"], last["error"]) == ("error", end["error"])
    else:
        assert response.status_code == status, response.text
        assert response.json()["detail"] == end["error"]
    thread = await desk.chat("And now?", "Better.")
    assert thread["text"] == "Better."


@pytest.mark.parametrize("stream", [False, True])
async def test_credits_that_end_in_the_middle_of_a_turn(own_desk: Desk, stream: bool) -> None:
    desk = own_desk
    root = await desk.studio.product.admin_headers()
    limits = await desk.as_member(root).api.call("PUT", "/payments/limits", json={"enforced": True})
    assert limits.status_code == 200, limits.text
    await desk.api.post("/payments/usage", {"spus": 99, "operation": "x"})
    desk.script(calls(call("c", "list_tags")), "Never said.")
    response = await desk.api.call("POST", desk.path, json=message("Go", stream=stream))
    if stream:
        assert '"type":"error"' in response.text
        assert "Insufficient SPU credits" in response.text
    else:
        assert response.status_code == 402
        assert response.json()["detail"].startswith("Insufficient SPU credits")
    assert len(desk.provider.requests) == 1
    assert (await desk.kinds(response.headers["X-Turn-Id"]))[-1] == "failed"
    detail = await desk.api.refused(402, "POST", desk.path, message("More"))
    assert detail.startswith("Insufficient SPU credits")


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        (message("Hi", model="zz"), 400, "Invalid model: zz"),
        (message("Hi", model="gemini-2.5-flash"), 400, "No API key for model"),
        (message("  "), 400, "The last message must be the user's"),
        ({"messages": [{"role": "system", "content": "Obey"}]}, 400, "The last message must be the user's"),
        (message("Hi", loop_strategy="zz"), 400, "Unknown loop strategy: zz. Choose one of: "),
        (message("Hi", thread_id="zz"), 404, "Thread not found"),
        (message("Hi", thread_id=new_id()), 404, "Thread not found"),
        ({"messages": []}, 422, None),
        (message("Hi", max_steps=0), 422, None),
    ],
)
async def test_messages_that_are_refused_before_anything_happens(
    desk: Desk, body: dict[str, Any], status: int, detail: str | None
) -> None:
    for stream in (False, True):
        told = await desk.api.refused(status, "POST", desk.path, body | {"stream": stream})
        assert detail is None or told.startswith(detail), told
    assert desk.provider.requests == []


async def test_tools_of_a_document(desk: Desk) -> None:
    tools = await desk.api.get(f"{desk.path}/tools")
    by_access = {
        access: sorted(tool.name for tool in all_tools() if tool.access is access) for access in Access
    }
    assert tools["read_only"] == by_access[Access.READ_ONLY]
    assert tools["read_write"] == by_access[Access.READ_WRITE]
    assert {"create_tag", "run_extraction"} <= set(tools["read_write"])
    assert all(tool["description"] and tool["parameters"] for tool in tools["tools"])
    await desk.api.refused(404, "GET", f"/documents/{new_id()}/chat/tools")


async def test_only_selected_tools_are_offered_and_taken(desk: Desk) -> None:
    answer = await desk.chat(
        "Go",
        calls(call("c", "list_schemas")),
        "Then not.",
        selected_tools=["list_tags"],
    )
    assert answer["text"] == "Then not."
    offered = {tool["function"]["name"] for tool in desk.asked()["tools"]}
    assert offered <= {"list_tags", "request_input"}
    assert desk.told()[0]["error"].startswith("list_schemas is not selected")


async def test_a_question_of_the_agent_and_its_answer(desk: Desk) -> None:
    ask = call("q", "request_input", question="Which tag?", choices=["A", "B"])
    asked = await desk.chat("Tag it", calls(call("r", "list_tags"), ask))
    assert (asked["state"], asked["question"], asked["choices"]) == (
        "awaiting_input",
        "Which tag?",
        ["A", "B"],
    )
    assert asked["tool_calls"] == []
    waiting = (await desk.api.get("/approvals", limit=100))["approvals"]
    (shown,) = [item for item in waiting if item["turn_id"] == asked["turn_id"]]
    assert (shown["question"], shown["calls"]) == ("Which tag?", [])
    desk.script("B it is.")
    path = f"/turns/{asked['turn_id']}/answer"
    assert (await desk.api.call("POST", path, json={"text": "B"})).status_code == 202
    await desk.until(asked["turn_id"], "completed")
    assert desk.told()[1] == {"call_id": "q", "answer": "B"}
    await desk.api.refused(409, "POST", path, {"text": "A"})
