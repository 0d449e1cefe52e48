"""The simulators of providers refuse what the providers refuse, and take what they take."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.models.provider_rules import (
    MISTRAL_CALL_ID,
    Refused,
    check_anthropic,
    check_gemini,
    check_openai_chat,
    check_openai_responses,
)
from tests.support.tables import table

Change = Callable[[dict[str, Any]], Any]

# Anthropic

THOUGHT = {"type": "thinking", "thinking": "Let me look.", "signature": "S"}
ANTHROPIC: dict[str, Any] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 8000,
    "thinking": {"type": "enabled", "budget_tokens": 2000},
    "tools": [{"name": "find", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Go."}]},
        {
            "role": "assistant",
            "content": [
                THOUGHT,
                {"type": "tool_use", "id": "c1", "name": "find", "input": {}},
                {"type": "tool_use", "id": "c2", "name": "find", "input": {"a": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c2", "content": "Two."},
                {"type": "tool_result", "tool_use_id": "c1", "content": "One.", "is_error": True},
                {"type": "text", "text": "Hurry."},
            ],
        },
    ],
}


def asked(body: dict[str, Any]) -> Any:
    return body["messages"][1]["content"]


def answered(body: dict[str, Any]) -> Any:
    return body["messages"][2]["content"]


def repeat_round(body: dict[str, Any]) -> None:
    body["messages"] += copy.deepcopy(body["messages"][1:3])


def answer_after_a_word(body: dict[str, Any]) -> None:
    between: list[dict[str, Any]] = [
        {"role": "user", "content": "Wait."},
        {"role": "assistant", "content": "Yes."},
    ]
    body["messages"][2:2] = between


def test_anthropic_takes_a_good_conversation() -> None:
    check_anthropic(ANTHROPIC, [(THOUGHT,)])


def test_anthropic_joins_neighbours_of_one_role() -> None:
    body = copy.deepcopy(ANTHROPIC)
    body["messages"].insert(0, {"role": "user", "content": "Hello."})
    check_anthropic(body, [(THOUGHT,)])


@table(
    ("spoil", "why"),
    [
        (lambda body: body["messages"].clear(), "at least one"),
        (lambda body: body["messages"].pop(0), "first message"),
        (lambda body: body["messages"][0].update(role="system"), "role"),
        (lambda body: body["messages"][0].update(content=[]), "non-empty content"),
        (lambda body: body["messages"][0].update(content=""), "non-empty"),
        (lambda body: answered(body)[2].update(text=""), "non-empty"),
        (lambda body: answered(body)[2].update(text=" \n"), "non-whitespace"),
        (lambda body: answered(body).pop(0), "without `tool_result`"),
        (lambda body: body["messages"].pop(), "without `tool_result`"),
        (answer_after_a_word, "without `tool_result`"),
        (lambda body: asked(body).pop(), "unexpected `tool_use_id`"),
        (lambda body: answered(body).insert(0, answered(body)[0]), "single result"),
        (lambda body: answered(body).insert(0, answered(body).pop()), "come first"),
        (lambda body: asked(body)[2].update(id="c1"), "unexpected"),
        (repeat_round, "unique"),
        (lambda body: asked(body)[1].update(id="functions.find:0"), "id: String should match"),
        (lambda body: asked(body)[1].update(name="find it"), "name"),
        (lambda body: asked(body)[1].update(name=""), "name"),
        (lambda body: asked(body)[1].update(input="{}"), "dictionary"),
        (lambda body: asked(body)[1].update(input=[]), "dictionary"),
        (lambda body: answered(body)[1].update(content=""), "is_error"),
        (lambda body: asked(body)[0].pop("signature"), "signature"),
        (lambda body: asked(body)[0].update(signature="T"), "Invalid `signature`"),
        (lambda body: asked(body)[0].update(thinking="Let me see."), "Invalid `signature`"),
        (lambda body: asked(body).pop(0), "Expected `thinking`"),
        (lambda body: asked(body).insert(0, {"type": "text", "text": "Well"}), "Expected `thinking`"),
        (lambda body: asked(body).insert(1, THOUGHT), "modified"),
        (lambda body: asked(body).append(asked(body).pop(0)), "final block"),
        (lambda body: body["messages"][0]["content"].append(THOUGHT), "only be in `assistant`"),
        (lambda body: body.pop("thinking"), "thinking is disabled"),
        (lambda body: body.pop("tools"), "must define tools"),
        (lambda body: body["tools"].append(body["tools"][0]), "unique"),
        (lambda body: body.update(temperature=0.2), "temperature"),
        (lambda body: body.update(max_tokens=2000), "max_tokens"),
        (lambda body: body.update(tool_choice={"type": "any"}), "tool_choice"),
        (lambda body: body["messages"].append({"role": "assistant", "content": "So"}), "end with a user"),
        (lambda body: answered(body).append({"type": "image_url"}), "tag"),
    ],
)
def test_anthropic_refuses(spoil: Change, why: str) -> None:
    body = copy.deepcopy(ANTHROPIC)
    spoil(body)
    with pytest.raises(Refused, match=why):
        check_anthropic(body, [(THOUGHT,)])


def test_anthropic_refuses_a_part_of_the_thinking_of_a_reply() -> None:
    other = {"type": "redacted_thinking", "data": "R"}
    with pytest.raises(Refused, match="modified"):
        check_anthropic(ANTHROPIC, [(THOUGHT, other)])


# OpenAI chat

CHAT: dict[str, Any] = {
    "model": "gpt-5",
    "tools": [{"type": "function", "function": {"name": "find"}}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Go."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}},
                {"id": "c2", "type": "function", "function": {"name": "find", "arguments": '{"a":1}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "One."},
        {"role": "tool", "tool_call_id": "c2", "content": ""},
        {"role": "user", "content": [{"type": "text", "text": "Hurry."}]},
    ],
}


def call(body: dict[str, Any]) -> Any:
    return body["messages"][2]["tool_calls"][0]


def test_chat_takes_a_good_conversation() -> None:
    check_openai_chat(CHAT)


@table(
    ("spoil", "why"),
    [
        (lambda body: body["messages"].clear(), "too short"),
        (lambda body: body["messages"].pop(3), "must be followed"),
        (lambda body: body["messages"].insert(3, body["messages"].pop()), "must be followed"),
        (lambda body: body.update(messages=body["messages"][:3]), "must be followed"),
        (lambda body: body["messages"].pop(2), "must be a response"),
        (lambda body: body["messages"].insert(4, body["messages"][3]), "must be a response"),
        (lambda body: body["messages"][3].update(content=None), "content"),
        (lambda body: body["messages"].append({"role": "assistant", "content": None}), "null"),
        (lambda body: body["messages"][2].update(content="Hm", tool_calls=[]), "too short"),
        (lambda body: body["messages"][5].update(content=[]), "too short"),
        (lambda body: body["messages"][5]["content"][0].update(text=""), "empty"),
        (lambda body: body["messages"][0].update(role="robot"), "role"),
        (lambda body: call(body).update(id="c2"), "Duplicate"),
        (lambda body: call(body).update(id="c" * 41), "too long"),
        (lambda body: call(body)["function"].update(name="find.it"), "pattern"),
        (lambda body: call(body)["function"].update(name=""), "pattern"),
        (lambda body: call(body)["function"].update(arguments={}), "string"),
        (lambda body: call(body)["function"].update(arguments='{"a"'), "JSON"),
        (lambda body: call(body)["function"].update(arguments="[]"), "object"),
        (lambda body: body.update(tools=[]), "too short"),
        (lambda body: (body.pop("tools"), body.update(tool_choice="none")), "tool_choice"),
    ],
)
def test_chat_refuses(spoil: Change, why: str) -> None:
    body = copy.deepcopy(CHAT)
    spoil(body)
    with pytest.raises(Refused, match=why):
        check_openai_chat(body)


def test_mistral_wants_ids_of_nine_letters_and_digits() -> None:
    with pytest.raises(Refused, match="pattern"):
        check_openai_chat(CHAT, MISTRAL_CALL_ID)


# OpenAI responses

REASONING = {"type": "reasoning", "id": "rs_1", "encrypted_content": "E", "summary": []}
RESPONSES: dict[str, Any] = {
    "model": "gpt-5",
    "tools": [{"type": "function", "name": "find"}],
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]},
        REASONING,
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "One."},
    ],
}


def test_responses_takes_a_good_conversation() -> None:
    check_openai_responses(RESPONSES, [(REASONING,)])


@table(
    ("spoil", "why"),
    [
        (lambda body: body["input"].clear(), "empty"),
        (lambda body: body["input"].pop(3), "No tool output"),
        (lambda body: body["input"].pop(2), "No tool call|following"),
        (lambda body: body["input"].insert(2, body["input"].pop(3)), "No tool call|following"),
        (lambda body: body["input"].append(body["input"][1]), "following"),
        (lambda body: body["input"][1].update(encrypted_content="F"), "verified"),
        (lambda body: body["input"].extend(body["input"][2:4]), "Duplicate"),
        (lambda body: body["input"][2].update(call_id="c" * 65), "too long"),
        (lambda body: body["input"][2].update(name="find it"), "pattern"),
        (lambda body: body["input"][2].update(arguments="{"), "JSON"),
        (lambda body: body["input"][0].update(content=[]), "empty"),
        (lambda body: body["input"][0]["content"][0].update(text=""), "empty"),
        (lambda body: body["input"][0]["content"][0].update(type="output_text"), "Invalid"),
        (lambda body: body["input"][0].update(type="story"), "Invalid"),
        (lambda body: (body.pop("tools"), body.update(tool_choice="none")), "tool_choice"),
    ],
)
def test_responses_refuses(spoil: Change, why: str) -> None:
    body = copy.deepcopy(RESPONSES)
    spoil(body)
    with pytest.raises(Refused, match=why):
        check_openai_responses(body, [(REASONING,)])


# Gemini

SIGNED = {"functionCall": {"name": "find", "args": {}}, "thoughtSignature": "G"}
GEMINI: dict[str, Any] = {
    "tools": [{"functionDeclarations": [{"name": "find"}]}],
    "contents": [
        {"role": "user", "parts": [{"text": "Go."}]},
        {"role": "model", "parts": [SIGNED, {"functionCall": {"id": "c2", "name": "find", "args": {}}}]},
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "find", "response": {"result": "One."}}},
                {"functionResponse": {"id": "c2", "name": "find", "response": {"result": "Two."}}},
                {"text": "Hurry."},
            ],
        },
    ],
}


def part(body: dict[str, Any], content: int, place: int) -> Any:
    return body["contents"][content]["parts"][place]


def test_gemini_takes_a_good_conversation() -> None:
    check_gemini(GEMINI, "gemini-3-pro-preview", [(SIGNED,)])


@table(
    ("spoil", "why"),
    [
        (lambda body: body["contents"].clear(), "not specified"),
        (lambda body: body["contents"].pop(0), "role 'user'"),
        (lambda body: body["contents"].pop(), "end with a user"),
        (lambda body: body["contents"][1]["parts"].pop(), "number of function response"),
        (lambda body: body["contents"][2]["parts"].pop(0), "number of function response"),
        (lambda body: part(body, 2, 0)["functionResponse"].update(name="other"), "number of function"),
        (lambda body: body["contents"].pop(1), "response turn comes immediately after"),
        (
            lambda body: body["contents"].insert(1, {"role": "model", "parts": [{"text": "Hm."}]}),
            "call turn comes immediately after",
        ),
        (lambda body: body["contents"][0].update(parts=[]), "must not be empty"),
        (lambda body: part(body, 0, 0).update(text=""), "text parameter"),
        (lambda body: part(body, 0, 0).clear(), "oneof"),
        (lambda body: body["contents"][1].update(role="assistant"), "valid role"),
        (lambda body: part(body, 1, 0)["functionCall"].update(args="{}"), "Struct"),
        (lambda body: part(body, 1, 0)["functionCall"].update(name=""), "function name"),
        (lambda body: part(body, 2, 0)["functionResponse"].update(response="One."), "Struct"),
        (lambda body: part(body, 1, 0).pop("thoughtSignature"), "missing a thought_signature"),
        (lambda body: part(body, 1, 0).update(thoughtSignature="H"), "Corrupted"),
        (lambda body: body["tools"].append(body["tools"][0]), "Duplicate"),
        (lambda body: (body.pop("tools"), body.update(toolConfig={})), "without function_declarations"),
    ],
)
def test_gemini_refuses(spoil: Change, why: str) -> None:
    body = copy.deepcopy(GEMINI)
    spoil(body)
    with pytest.raises(Refused, match=why):
        check_gemini(body, "gemini-3-pro-preview", [(SIGNED,)])


def test_gemini_2_needs_no_signatures() -> None:
    body = copy.deepcopy(GEMINI)
    part(body, 1, 0).pop("thoughtSignature")
    check_gemini(body, "gemini-2.5-flash")
