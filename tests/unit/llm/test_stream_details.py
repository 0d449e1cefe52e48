"""What single providers do in their streams: errors inside, secrets of reasoning, ids and counts of all shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.errors import PassingError
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.parts import is_made_call_id
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import (
    FinishReason,
    ModelError,
    ModelFailure,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ThinkingPart,
    ToolCall,
    Usage,
)
from tests.support.models.wire_streams import event
from tests.support.tables import table
from tests.unit.llm.reading_streams import WIRES, Read, read


def chat(*choices: dict[str, object], done: bool = True, **more: object) -> list[bytes]:
    chunks = [event({"choices": [choice]}) for choice in choices]
    return [
        *chunks,
        *([event({"choices": [], **more})] if more else []),
        *([b"data: [DONE]\n\n"] if done else []),
    ]


def failure_of(wire: Wire, *events: object) -> ModelError:
    with pytest.raises(ModelError) as failed:
        read(wire, [event(each) for each in events])
    return failed.value


@table(
    ("name", "events", "failure"),
    [
        ("openai", [{"error": {"code": 400, "message": "Token limit reached"}}], ModelFailure.BAD_REQUEST),
        ("openai", [{"error": {"code": 429, "message": "slow down"}}], ModelFailure.RATE_LIMITED),
        ("openai", [{"error": {"type": "server_error", "message": "oops"}}], ModelFailure.UNAVAILABLE),
        ("openai", [{"error": "model crashed"}], ModelFailure.BAD_REQUEST),
        ("gemini", [[{"error": {"code": 500, "message": "oops"}}]], ModelFailure.UNAVAILABLE),
        ("openai_responses", [{"error": {"code": 500}}], ModelFailure.UNAVAILABLE),
        (
            "openai_responses",
            [{"type": "error", "code": "rate_limit_exceeded", "message": "slow"}],
            ModelFailure.RATE_LIMITED,
        ),
        (
            "openai_responses",
            [{"type": "response.failed", "response": {"error": {"code": "server_error", "message": "no"}}}],
            ModelFailure.UNAVAILABLE,
        ),
        (
            "openai_responses",
            [
                {
                    "type": "error",
                    "error": {"type": "invalid_request_error", "code": "context_length_exceeded"},
                }
            ],
            ModelFailure.CONTEXT_TOO_LONG,
        ),
        (
            "anthropic",
            [{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}],
            ModelFailure.UNAVAILABLE,
        ),
        (
            "anthropic",
            [{"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}],
            ModelFailure.BAD_REQUEST,
        ),
        (
            "gemini",
            [{"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}}],
            ModelFailure.UNAVAILABLE,
        ),
        ("gemini", [{"promptFeedback": {"blockReason": "SAFETY"}}], ModelFailure.REFUSED),
        (
            "gemini",
            [{"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}],
            ModelFailure.UNAVAILABLE,
        ),
    ],
)
def test_errors_inside_a_stream(name: str, events: list[object], failure: ModelFailure) -> None:
    assert failure_of(WIRES[name], *events).failure is failure


def test_only_overload_and_faults_inside_a_stream_may_pass() -> None:
    for code in ("overloaded_error", "api_error"):
        error = failure_of(AnthropicWire(), {"type": "error", "error": {"type": code}})
        assert isinstance(error, PassingError)
    wrong = failure_of(AnthropicWire(), {"type": "error", "error": {"type": "invalid_request_error"}})
    assert not isinstance(wrong, PassingError)


# Chat completions


def test_chat_thinking_under_both_names_and_in_blocks() -> None:
    blocks = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "c"}]},
        {"type": "text", "text": "d"},
    ]
    result = read(
        ChatWire(),
        chat(
            {"delta": {"reasoning_content": "a"}},
            {"delta": {"reasoning": "b"}},
            {"delta": {"content": blocks}, "finish_reason": "stop"},
        ),
    )
    assert result.deltas == [ThinkingDelta("a"), ThinkingDelta("b"), ThinkingDelta("c"), TextDelta("d")]
    assert result.reply.parts == (ThinkingPart("abc"), TextPart("d"))


def test_chat_calls_without_index_and_with_the_same_index_for_all() -> None:
    def call(call_id: str | None, name: str, arguments: object, **index: int) -> dict[str, object]:
        function = {"name": name, "arguments": arguments}
        return {"delta": {"tool_calls": [{"id": call_id, "function": function, **index}]}}

    unnumbered = read(ChatWire(), chat(call("a", "f", "{}"), call("b", "g", '{"x":1}')))
    same_number = read(ChatWire(), chat(call("a", "f", "{}", index=0), call("b", "g", {"x": 1}, index=0)))
    wanted = (ToolCall("a", "f", "{}"), ToolCall("b", "g", '{"x":1}'))
    assert unnumbered.reply.parts == same_number.reply.parts == wanted
    assert unnumbered.reply.finish_reason is FinishReason.TOOL_CALLS


def test_chat_call_whose_name_and_id_come_late() -> None:
    def call(**given: object) -> dict[str, object]:
        return {"delta": {"tool_calls": [{"index": 0, **given}]}}

    blocks = chat(call(function={"arguments": "{"}), call(id="a", function={"name": "f", "arguments": "}"}))
    assert read(ChatWire(), blocks).reply.parts == (ToolCall("a", "f", "{}"),)


def test_chat_text_beside_other_things() -> None:
    result = read(ChatWire(), chat({"delta": {"role": "assistant", "content": "Hi"}}))
    assert result.text == result.reply.text == "Hi"


def test_chat_call_without_id_and_arguments() -> None:
    (call,) = read(
        ChatWire(), chat({"delta": {"tool_calls": [{"index": 0, "function": {"name": "f"}}]}})
    ).reply.tool_calls
    assert is_made_call_id(call.id)
    assert call.arguments == "{}"


def test_chat_refusal() -> None:
    result = read(ChatWire(), chat({"delta": {"refusal": "I will not."}, "finish_reason": "stop"}))
    assert result.reply.finish_reason is FinishReason.REFUSED
    assert result.text == result.reply.text == "I will not."


def test_chat_cached_tokens_as_deepseek_counts_them() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}
    result = read(ChatWire(), chat({"delta": {"content": "x"}, "finish_reason": "stop"}, usage=usage))
    assert result.reply.usage == Usage(9, 2, cached_input_tokens=4)


def test_chat_without_done_is_complete_only_where_the_server_never_says_it() -> None:
    blocks = chat({"delta": {"content": "x"}, "finish_reason": "stop"}, done=False)
    assert read(ChatWire(always_says_done=False), blocks).reply.text == "x"
    with pytest.raises(ModelError):
        read(ChatWire(), blocks)


# Responses


def test_responses_reasoning_keeps_its_secret_and_parts_its_summaries() -> None:
    item = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}],
        "encrypted_content": "SECRET",
    }
    deltas = [
        {"type": "response.reasoning_summary_part.added", "summary_index": 0},
        {"type": "response.reasoning_summary_text.delta", "delta": "One."},
        {"type": "response.reasoning_summary_part.added", "summary_index": 1},
        {"type": "response.reasoning_summary_text.delta", "delta": "Two."},
        {"type": "response.completed", "response": {"status": "completed", "output": [item]}},
    ]
    result = read(ResponsesWire(), [event(each) for each in deltas])
    assert result.thinking == result.reply.thinking == "One.\n\nTwo."
    (part,) = result.reply.parts
    assert isinstance(part, ThinkingPart)
    assert part.signature is not None
    kept = json.loads(part.signature.removeprefix("openai_responses:"))
    assert kept == {"id": "rs_1", "encrypted_content": "SECRET"}


def test_responses_items_stand_in_for_an_empty_output() -> None:
    said = {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}
    called = {"type": "function_call", "name": "f", "arguments": ""}
    result = read(
        ResponsesWire(),
        [
            event({"type": "response.output_item.done", "output_index": 1, "item": called}),
            event({"type": "response.output_item.done", "output_index": 0, "item": said}),
            event({"type": "response.completed", "response": {"output": []}}),
        ],
    )
    text, call = result.reply.parts
    assert text == TextPart("Hi")
    assert isinstance(call, ToolCall)
    assert is_made_call_id(call.id)
    assert call.arguments == "{}"


def test_responses_refusal() -> None:
    item = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    result = read(
        ResponsesWire(),
        [
            event({"type": "response.refusal.delta", "delta": "No."}),
            event({"type": "response.completed", "response": {"status": "completed", "output": [item]}}),
        ],
    )
    assert result.reply.finish_reason is FinishReason.REFUSED
    assert result.text == result.reply.text == "No."


# Anthropic


def anthropic(*blocks: list[dict[str, object]], usage: Mapping[str, object] | None = None) -> Read:
    events: list[object] = [{"type": "message_start", "message": {"usage": {"input_tokens": 3}}}]
    for index, (start, *deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage or {}})
    events.append({"type": "message_stop"})
    return read(AnthropicWire(), [event(each) for each in events])


def test_anthropic_secrets_of_thinking() -> None:
    result = anthropic(
        [
            {"type": "thinking", "thinking": "Hm", "signature": ""},
            {"type": "thinking_delta", "thinking": "m."},
            {"type": "signature_delta", "signature": "SIG"},
            {"type": "signature_delta", "signature": "NED"},
        ],
        [{"type": "redacted_thinking", "data": "HIDDEN"}],
        [{"type": "thinking", "thinking": ""}, {"type": "signature_delta", "signature": "ALONE"}],
        [{"type": "thinking", "thinking": ""}],
    )
    assert result.reply.parts == (
        ThinkingPart("Hmm.", "anthropic:SIGNED"),
        ThinkingPart("", redacted="anthropic:HIDDEN"),
        ThinkingPart("", "anthropic:ALONE"),
    )
    assert result.thinking == "Hmm."


def test_anthropic_blocks_of_other_kinds_and_citations_are_passed_over() -> None:
    result = anthropic(
        [
            {"type": "server_tool_use", "id": "s", "name": "search", "input": {}},
            {"type": "input_json_delta", "partial_json": '{"query": "x"}'},
        ],
        [
            {"type": "text", "text": "A", "citations": []},
            {"type": "citations_delta", "citation": {"cited_text": "x"}},
            {"type": "text_delta", "text": "B"},
        ],
    )
    assert result.reply.parts == (TextPart("AB"),)
    assert result.text == "AB"
    assert result.calls == []


def test_anthropic_input_that_comes_whole() -> None:
    result = anthropic([{"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}])
    assert result.reply.parts == (ToolCall("t", "f", '{"x":1}'),)


def test_anthropic_counts_cached_tokens_as_input() -> None:
    counted = {"cache_read_input_tokens": 10, "cache_creation_input_tokens": 5, "output_tokens": 7}
    assert anthropic([{"type": "text", "text": "x"}], usage=counted).reply.usage == Usage(18, 7, 10)


# Gemini


def gemini(*parts: dict[str, object]) -> Read:
    chunks = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
    last = {"candidates": [{"finishReason": "STOP"}], "modelVersion": "gemini-x"}
    return read(GeminiWire(), [event(each) for each in (*chunks, last)])


def test_gemini_runs_of_text_and_thought_with_signatures() -> None:
    result = gemini(
        {"text": "Thin", "thought": True},
        {"text": "king", "thought": True, "thoughtSignature": "T"},
        {"text": "Say"},
        {"text": "ing"},
        {"text": "", "thoughtSignature": "E"},
    )
    assert result.reply.parts == (
        ThinkingPart("Thinking", "gemini:T"),
        TextPart("Saying"),
        ThinkingPart("", "gemini:E"),
    )


def test_gemini_calls_get_ids_and_keep_signatures() -> None:
    result = gemini(
        {"functionCall": {"name": "f", "args": {"x": "ä"}}, "thoughtSignature": "S"},
        {"functionCall": {"name": "f", "id": "given"}},
    )
    first, second = result.reply.tool_calls
    assert is_made_call_id(first.id)
    assert (first.name, first.arguments, first.signature) == ("f", '{"x":"ä"}', "gemini:S")
    assert second == ToolCall("given", "f", "{}")
    assert result.reply.finish_reason is FinishReason.TOOL_CALLS
