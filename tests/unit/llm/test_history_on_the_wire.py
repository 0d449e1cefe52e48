"""Conversations of other models, broken calls and forbidden calls, as each format writes them."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import orjson

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.call_ids import ANY_ID, CallIds, call_name
from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.parts import arguments_object, arguments_text
from docagent.adapters.llm.transport import ModelTransport
from docagent.agent.history import turn_messages
from docagent.domain.models.llm import (
    FinishReason,
    Message,
    ModelReply,
    ModelRequest,
    Part,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)
from docagent.domain.turns.events import AssistantMessage, Event, ToolFinished, UserMessage, decode, payload
from tests.support.models.provider import running_provider
from tests.support.tables import table

FIND = ToolSpec("find", "Finds passages.", {"type": "object", "properties": {}})


def user(*parts: Part | str) -> Message:
    return Message("user", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def rounds(*ids: str, name: str = "find") -> tuple[Message, ...]:
    """A conversation with one call per round."""
    messages = [user("Go.")]
    for call_id in ids:
        messages += [
            Message("assistant", (ToolCall(call_id, name, "{}"),)),
            user(ToolResult(call_id, f"Found by {call_id}.")),
        ]
    return tuple(messages)


# Calls that are forbidden


CLOSING = ModelRequest("claude-sonnet-4-5", rounds("c1"), tools=(FIND,), may_call=False)


def test_forbidden_calls_keep_the_tools() -> None:
    anthropic, chat = AnthropicWire().build(CLOSING).body, ChatWire().build(CLOSING).body
    responses, gemini = ResponsesWire().build(CLOSING).body, GeminiWire().build(CLOSING).body
    assert anthropic["tool_choice"] == {"type": "none"}
    assert chat["tool_choice"] == responses["tool_choice"] == "none"
    assert gemini["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    for body in (anthropic, chat, responses, gemini):
        assert body["tools"]


def test_without_tools_nothing_is_forbidden() -> None:
    request = dataclasses.replace(CLOSING, tools=())
    for wire in (AnthropicWire(), ChatWire(), ResponsesWire(), GeminiWire()):
        body = wire.build(request).body
        assert not {"tools", "tool_choice", "toolConfig"} & body.keys()


def test_allowed_calls_need_no_choice() -> None:
    request = dataclasses.replace(CLOSING, may_call=True)
    for wire in (AnthropicWire(), ChatWire(), ResponsesWire(), GeminiWire()):
        assert not {"tool_choice", "toolConfig"} & wire.build(request).body.keys()


def test_a_server_that_knows_no_choice_gets_no_tools() -> None:
    body = ChatWire(knows_tool_choice=False).build(CLOSING).body
    assert not {"tools", "tool_choice"} & body.keys()
    body = ChatWire(knows_tool_choice=False).build(dataclasses.replace(CLOSING, may_call=True)).body
    assert body["tools"]


async def test_ollama_knows_no_choice() -> None:
    async with running_provider() as provider, ModelTransport(use_environment_proxy=False) as transport:
        provider.add("Done.", "Done.")
        for kind in (ProviderKind.OLLAMA, ProviderKind.OPENAI_COMPATIBLE):
            model = make_model(kind, transport, base_url=provider.base_url)
            assert [event async for event in model.stream(CLOSING)]
    ollama, compatible = provider.requests
    assert not {"tools", "tool_choice"} & ollama.body.keys()
    assert (compatible.body["tool_choice"], len(compatible.body["tools"])) == ("none", 1)


# Ids and names


def called(body: dict[str, Any]) -> list[tuple[str, str]]:
    """The ids of calls and of results in a body of Anthropic's."""
    blocks = [block for message in body["messages"] for block in message["content"]]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    return list(zip(calls, results, strict=True))


def test_ids_that_fit_go_back_as_they_came() -> None:
    body = AnthropicWire().build(ModelRequest("claude-sonnet-4-5", rounds("toolu_01-A", "call_x"))).body
    assert called(body) == [("toolu_01-A", "toolu_01-A"), ("call_x", "call_x")]


def test_ids_of_other_providers_are_replaced_in_call_and_result_and_always_alike() -> None:
    messages = rounds("functions.find:0", "日本", "c" * 200)
    request = ModelRequest("claude-sonnet-4-5", messages)
    pairs = called(AnthropicWire().build(request).body)
    assert all(call == result and re.fullmatch("[a-zA-Z0-9]{9}", call) for call, result in pairs)
    assert len(set(pairs)) == 3
    longer = ModelRequest("claude-sonnet-4-5", (*messages, *rounds("c9")))
    assert called(AnthropicWire().build(longer).body)[:3] == pairs


def test_ids_that_repeat_are_told_apart() -> None:
    request = ModelRequest("claude-sonnet-4-5", rounds("call_0", "call_0", "call_0"))
    pairs = called(AnthropicWire().build(request).body)
    assert pairs[0] == ("call_0", "call_0")
    assert len(set(pairs)) == 3
    assert all(call == result for call, result in pairs)


def test_openai_takes_forty_characters_and_its_newer_format_more() -> None:
    long = "c" * 60
    (_, asked, answered) = ChatWire().build(ModelRequest("gpt-5", rounds(long))).body["messages"]
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"] != long
    (_, call, output) = ResponsesWire().build(ModelRequest("gpt-5", rounds(long))).body["input"]
    assert call["call_id"] == output["call_id"] == long


def test_other_servers_get_their_own_ids_back() -> None:
    wire = ChatWire(call_id=ANY_ID)
    (_, asked, answered) = wire.build(ModelRequest("kimi-k2", rounds("functions.find:0"))).body["messages"]
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"] == "functions.find:0"


@table("model", ["mistral-large-latest", "devstral-small", "open-mixtral-8x22b"])
def test_mistral_gets_nine_letters_and_digits(model: str) -> None:
    wire = ChatWire(call_id=ANY_ID)
    messages = wire.build(ModelRequest(model, rounds("toolu_01", "D681PevKs"))).body["messages"]
    ids = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert re.fullmatch("[a-zA-Z0-9]{9}", ids[0])
    assert ids[1] == "D681PevKs"


def test_gemini_keeps_the_names_of_calls_whose_ids_repeat() -> None:
    messages = (*rounds("call_0", name="find"), *rounds("call_0", name="other"))
    contents = GeminiWire().build(ModelRequest("gemini-2.5-flash", messages)).body["contents"]
    answers = [
        part["functionResponse"] for each in contents for part in each["parts"] if "functionResponse" in part
    ]
    assert [answer["name"] for answer in answers] == ["find", "other"]
    assert answers[0]["id"] != answers[1]["id"]


def test_a_result_without_a_call_keeps_its_id() -> None:
    assert CallIds(ANY_ID).of_result("c1") == "c1"


@table(
    ("name", "written"),
    [
        ("find_it-2", "find_it-2"),
        ("", "unnamed"),
        ("functions.find", "_functions_find"),
        ("2nd", "_2nd"),
        ("naïve tool", "_na_ve_tool"),
        ("n" * 70, "_" + "n" * 63),
    ],
)
def test_names_that_a_model_made_up(name: str, written: str) -> None:
    assert call_name(name) == written


# Arguments


@table("broken", ['{"query": ', "[1]", "null", "7", "  ", '{"a": NaN}'])
def test_broken_arguments_go_back_as_an_object_that_keeps_them(broken: str) -> None:
    assert arguments_object(broken) == {"broken_arguments": broken}
    assert orjson.loads(arguments_text(broken)) == {"broken_arguments": broken}


def test_arguments_nested_too_deeply_count_as_broken() -> None:
    deep = '{"a": ' + "[" * 300 + "]" * 300 + "}"
    assert arguments_object(deep) == {"broken_arguments": deep}
    wide = '{"a": [' + ",".join(["[]"] * 300) + "]}"
    assert arguments_object(wide) == {"a": [[]] * 300}
    assert arguments_text(wide) == wide


# Thinking


def test_anthropic_gets_no_thinking_back_where_none_is_asked_for() -> None:
    thought = ThinkingPart("Hm.", "anthropic:S")
    asked = Message("assistant", (thought, ToolCall("c1", "find", "{}")))
    messages = (user("Go."), asked, user(ToolResult("c1", "Found.")))
    for model in ("claude-sonnet-4-5", "claude-opus-4-7"):
        request = ModelRequest(model, messages, tools=(FIND,), may_call=False)
        kinds = [block["type"] for block in AnthropicWire().build(request).body["messages"][1]["content"]]
        assert kinds == ["tool_use"]
        request = dataclasses.replace(request, thinking_tokens=2000)
        kinds = [block["type"] for block in AnthropicWire().build(request).body["messages"][1]["content"]]
        assert kinds == ["thinking", "tool_use"]


@table(
    ("kind", "model", "parts", "sent_back"),
    [
        (
            ProviderKind.ANTHROPIC,
            "claude-sonnet-4-5",
            (ThinkingPart("Hm. 書", "S/+="), ThinkingPart("", redacted="R"), ToolCall("t1", "find", "{}")),
            [
                {"type": "thinking", "thinking": "Hm. 書", "signature": "S/+="},
                {"type": "redacted_thinking", "data": "R"},
                {"type": "tool_use", "id": "t1", "name": "find", "input": {}},
            ],
        ),
        (
            ProviderKind.OPENAI_RESPONSES,
            "gpt-5",
            (ThinkingPart("Hm.", "E"), ToolCall("call_1", "find", "{}")),
            [
                {
                    "type": "reasoning",
                    "id": "rs_0",
                    "encrypted_content": "E",
                    "summary": [{"type": "summary_text", "text": "Hm."}],
                },
                {"type": "function_call", "call_id": "call_1", "name": "find", "arguments": "{}"},
            ],
        ),
        (
            ProviderKind.GEMINI,
            "gemini-3-pro-preview",
            (ThinkingPart("Hm.", "RzA="), ToolCall("c1", "find", "{}", "RzE=")),
            [
                {"text": "Hm.", "thought": True, "thoughtSignature": "RzA="},
                {"functionCall": {"id": "c1", "name": "find", "args": {}}, "thoughtSignature": "RzE="},
            ],
        ),
    ],
)
async def test_thinking_survives_streaming_and_storing(
    kind: ProviderKind,
    model: str,
    parts: tuple[TextPart | ThinkingPart | ToolCall, ...],
    sent_back: list[dict[str, Any]],
) -> None:
    """A reply comes over the wire, is recorded, read from the log and sent on."""
    async with running_provider() as provider, ModelTransport(use_environment_proxy=False) as transport:
        provider.add(ModelReply(parts, FinishReason.TOOL_CALLS, Usage(), model), "Done.")
        asked = make_model(kind, transport, base_url=provider.base_url, api_key="key")
        first = ModelRequest(model, (user("Go."),), tools=(FIND,), thinking_tokens=2000)
        *_, reply = [event async for event in asked.stream(first)]
        assert isinstance(reply, ModelReply)
        stored = orjson.loads(orjson.dumps(payload(AssistantMessage(1, reply.parts, reply.model))))
        events: tuple[Event, ...] = (
            UserMessage("Go."),
            decode("assistant_message", stored),
            ToolFinished(reply.tool_calls[0].id, "find", "Found."),
        )
        messages = turn_messages(events)
        assert [event async for event in asked.stream(dataclasses.replace(first, messages=messages))]
    body = provider.requests[1].body
    if kind is ProviderKind.ANTHROPIC:
        assert body["messages"][1]["content"] == sent_back
        assert body["thinking"]["type"] == "enabled"
    elif kind is ProviderKind.GEMINI:
        assert body["contents"][1]["parts"] == sent_back
    else:
        assert body["input"][1:3] == sent_back
