"""Writes replies as each provider would stream them: one piece of bytes for each event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from docagent.domain.models.llm import FinishReason, ModelReply, TextPart, ThinkingPart, ToolCall, Usage

Encoder = Callable[[ModelReply], list[bytes]]


def event(value: object, name: str | None = None) -> bytes:
    named = f"event: {name}\n" if name else ""
    return f"{named}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def chat_stream(reply: ModelReply) -> list[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    calls = 0
    for part in reply.parts:
        if isinstance(part, TextPart):
            deltas += [{"content": piece} for piece in _pieces(part.text)]
        elif isinstance(part, ThinkingPart):
            deltas += [{"reasoning_content": piece} for piece in _pieces(part.text)]
        else:
            function = {"name": part.name, "arguments": ""}
            deltas.append({"tool_calls": [{"index": calls, "id": part.id, "function": function}]})
            deltas += [
                {"tool_calls": [{"index": calls, "function": {"arguments": piece}}]}
                for piece in _pieces(part.arguments)
            ]
            calls += 1
    reasons = {FinishReason.REFUSED: "content_filter"}
    reason = reasons.get(reply.finish_reason, reply.finish_reason.value)
    usage = reply.usage
    counted = {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_input_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.thinking_tokens},
    }

    def chunk(choices: list[dict[str, Any]], usage: dict[str, Any] | None = None) -> bytes:
        return event(
            {"object": "chat.completion.chunk", "model": reply.model, "choices": choices, "usage": usage}
        )

    return [
        *(chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas),
        chunk([{"index": 0, "delta": {}, "finish_reason": reason}]),
        chunk([], counted),
        b"data: [DONE]\n\n",
    ]


def responses_stream(reply: ModelReply) -> list[bytes]:
    output: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"model": reply.model}}]
    for index, part in enumerate(reply.parts):
        if isinstance(part, TextPart):
            item: dict[str, Any] = {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": part.text}],
            }
            kind = "response.output_text.delta"
        elif isinstance(part, ThinkingPart):
            secret = {"encrypted_content": part.signature} if part.signature else {}
            item = {
                "type": "reasoning",
                "id": f"rs_{index}",
                "summary": [{"type": "summary_text", "text": part.text}],
                **secret,
            }
            kind = "response.reasoning_summary_text.delta"
        else:
            item = {
                "type": "function_call",
                "call_id": part.id,
                "name": part.name,
                "arguments": part.arguments,
            }
            kind = "response.function_call_arguments.delta"
        begun = {name: item[name] for name in ("type", "call_id", "name") if name in item}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        text = part.arguments if isinstance(part, ToolCall) else part.text
        events += [{"type": kind, "output_index": index, "delta": piece} for piece in _pieces(text)]
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        output.append(item)
    cut = {FinishReason.LENGTH: "max_output_tokens", FinishReason.REFUSED: "content_filter"}
    reason = cut.get(reply.finish_reason)
    status = "incomplete" if reason else "completed"
    usage = reply.usage
    response = {
        "status": status,
        "model": reply.model,
        "output": output,
        "incomplete_details": {"reason": reason} if reason else None,
        "usage": {
            "input_tokens": usage.input_tokens,
            "input_tokens_details": {"cached_tokens": usage.cached_input_tokens},
            "output_tokens": usage.output_tokens,
            "output_tokens_details": {"reasoning_tokens": usage.thinking_tokens},
        },
    }
    events.append({"type": f"response.{status}", "response": response})
    return [event(each, str(each["type"])) for each in events]


def anthropic_stream(reply: ModelReply) -> list[bytes]:
    usage = reply.usage
    started = {
        "input_tokens": usage.input_tokens - usage.cached_input_tokens,
        "cache_read_input_tokens": usage.cached_input_tokens,
        "output_tokens": 1,
    }
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"model": reply.model, "content": [], "usage": started}},
        {"type": "ping"},
    ]
    for index, part in enumerate(reply.parts):
        block, deltas = _anthropic_block(part)
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    reasons = {
        FinishReason.STOP: "end_turn",
        FinishReason.TOOL_CALLS: "tool_use",
        FinishReason.LENGTH: "max_tokens",
        FinishReason.REFUSED: "refusal",
    }
    ended: dict[str, Any] = {"output_tokens": usage.output_tokens}
    if usage.thinking_tokens:
        ended["output_tokens_details"] = {"thinking_tokens": usage.thinking_tokens}
    events.append(
        {"type": "message_delta", "delta": {"stop_reason": reasons[reply.finish_reason]}, "usage": ended}
    )
    events.append({"type": "message_stop"})
    return [event(each, str(each["type"])) for each in events]


def _anthropic_block(
    part: TextPart | ThinkingPart | ToolCall,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if isinstance(part, TextPart):
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(part.text)]
        return {"type": "text", "text": ""}, deltas
    if isinstance(part, ToolCall):
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(part.arguments)]
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}, deltas
    if part.redacted:
        return {"type": "redacted_thinking", "data": part.redacted}, []
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(part.text)]
    if part.signature:
        deltas.append({"type": "signature_delta", "signature": part.signature})
    return {"type": "thinking", "thinking": "", "signature": ""}, deltas


def gemini_stream(reply: ModelReply) -> list[bytes]:
    parts: list[dict[str, Any]] = []
    for part in reply.parts:
        if isinstance(part, TextPart):
            parts += [{"text": piece} for piece in _pieces(part.text)]
        elif isinstance(part, ThinkingPart):
            parts += [{"text": piece, "thought": True} for piece in _pieces(part.text)]
            if part.signature:
                parts.append({"text": "", "thought": True, "thoughtSignature": part.signature})
        else:
            call = {"id": part.id, "name": part.name, "args": json.loads(part.arguments)}
            signed = {"thoughtSignature": part.signature} if part.signature else {}
            parts.append({"functionCall": call, **signed})
    reasons = {FinishReason.LENGTH: "MAX_TOKENS", FinishReason.REFUSED: "SAFETY"}
    reason = reasons.get(reply.finish_reason, "STOP")
    usage = reply.usage
    counted = {
        "promptTokenCount": usage.input_tokens,
        "cachedContentTokenCount": usage.cached_input_tokens,
        "candidatesTokenCount": usage.output_tokens - usage.thinking_tokens,
        "thoughtsTokenCount": usage.thinking_tokens,
    }
    chunks: list[dict[str, Any]] = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
    last = {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": reason}]}
    chunks.append({**last, "usageMetadata": counted})
    return [event({**chunk, "modelVersion": reply.model}).replace(b"\n", b"\r\n") for chunk in chunks]


ENCODERS: dict[str, Encoder] = {
    "openai": chat_stream,
    "openai_responses": responses_stream,
    "anthropic": anthropic_stream,
    "gemini": gemini_stream,
}


def encoder_for(path: str) -> Encoder:
    """Return the encoder for the path that was called."""
    if path.endswith("/chat/completions"):
        return chat_stream
    if path.endswith("/responses"):
        return responses_stream
    if path.endswith("/messages"):
        return anthropic_stream
    if path.endswith(":streamGenerateContent"):
        return gemini_stream
    raise ValueError(f"no provider has the address {path}")


def rich_reply(model: str = "a-model-2026") -> ModelReply:
    """Make a reply with everything that every wire format can carry, and characters of one to four bytes."""
    return ModelReply(
        (
            ThinkingPart("Let me see … naïve or not?", "c2lnbmF0dXJl"),
            TextPart("The café costs 12 € — 😀 fine.\nNext line."),
            ToolCall("call_a", "find", '{"query": "Straße", "limit": 5}'),
            ToolCall("call_b", "list_all", "{}"),
        ),
        FinishReason.TOOL_CALLS,
        Usage(input_tokens=120, output_tokens=45, cached_input_tokens=100, thinking_tokens=12),
        model,
    )


def _pieces(text: str) -> Iterator[str]:
    """Yield uneven pieces, as models write them."""
    for start in range(0, len(text), 5):
        yield text[start : start + 5]
