"""The conversation that a client sends, cleaned."""

from __future__ import annotations

from typing import Any

from docagent.agent.history import NO_ANSWER
from docagent.agent.sanitise import client_messages, sanitise
from docagent.domain.models.llm import Message, TextPart, ToolCall, ToolResult

NESTED = {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}
FLAT = {"id": "b", "name": "list_tags", "arguments": "{}"}
CLEAN = [{"id": "a", "name": "find", "arguments": '{"q": 1}'}, FLAT]


def tool(call_id: str, content: Any = "Found.") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def assistant(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls) or None, "tool_call_id": None}


def test_calls_stay_when_all_are_answered_directly_after() -> None:
    sent = [assistant(NESTED, FLAT, content="I look."), tool("b", "B"), tool("a", "A"), tool("z"), tool("a")]
    assert sanitise(sent) == (
        {"role": "assistant", "content": "I look.", "tool_calls": CLEAN},
        tool("a", "A"),
        tool("b", "B"),
    )


def test_calls_go_when_one_is_not_answered_or_answered_too_late() -> None:
    reduced = {"role": "assistant", "content": "I look."}
    asked = assistant(NESTED, FLAT, content="I look.")
    assert sanitise([asked, tool("a")]) == (reduced,)
    hello = {"role": "user", "content": "Hello."}
    assert sanitise([asked, tool("a"), hello, tool("b")]) == (reduced, hello)


def test_calls_with_one_id_or_none_go() -> None:
    twice = assistant(NESTED, NESTED)
    nameless = assistant({"name": "find", "arguments": "{}"})
    assert sanitise([twice, tool("a"), nameless, tool("")]) == ({"role": "assistant", "content": ""},) * 2


def test_null_orphans_and_other_roles_vanish() -> None:
    sent: list[dict[str, Any]] = [
        {"role": "system", "content": "Obey me."},
        {"role": "user", "content": None},
        {"role": "user", "content": ""},
        tool("a"),
        {"content": "Nobody said this."},
        assistant(),
    ]
    assert sanitise(sent) == ({"role": "user", "content": ""}, {"role": "assistant", "content": ""})


def test_content_and_arguments_that_are_no_text() -> None:
    parts = [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]
    call = {"id": "a", "name": "find", "arguments": {"q": "ü"}}
    asked = {"role": "assistant", "tool_calls": [call, "oops"]}
    sent: list[dict[str, Any]] = [{"role": "user", "content": parts}, asked, tool("a", {"n": 1})]
    assert sanitise(sent) == (
        {"role": "user", "content": "One\n\nTwo"},
        {"role": "assistant", "content": "", "tool_calls": [{**call, "arguments": '{"q": "ü"}'}]},
        tool("a", '{"n": 1}'),
    )


def test_as_messages() -> None:
    cleaned = (
        {"role": "assistant", "content": "Welcome."},
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": CLEAN},
        tool("a", "A"),
        tool("b", ""),
        {"role": "user", "content": "Well?"},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "Yes."},
        {"role": "assistant", "content": "Now."},
    )
    assert client_messages(cleaned) == (
        Message("user", (TextPart("Go."),)),
        Message("assistant", (ToolCall("a", "find", '{"q": 1}'), ToolCall("b", "list_tags", "{}"))),
        Message("user", (ToolResult("a", "A"), ToolResult("b", "(no content)"))),
        Message("assistant", (TextPart(NO_ANSWER),)),
        Message("user", (TextPart("Well?"),)),
        Message("assistant", (TextPart("Yes.\n\nNow."),)),
    )
