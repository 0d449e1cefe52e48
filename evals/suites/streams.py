"""Reads recorded streams of the providers: every chunking must give the expected reply, every cut a clean error.

`NAME.sse` holds the body of an answer, and `NAME.expected.json` what the provider's own client made of it.
The original network blocks were not recorded, so every stream is read in many different portions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.errors import Endpoint, Provider
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.parts import is_made_call_id
from docagent.adapters.llm.reading import AnswerReader
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import (
    FinishReason,
    ModelDelta,
    ModelError,
    ModelFailure,
    ModelReply,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ThinkingPart,
    ToolCall,
)
from evals.suite import Results

NAME = "streams"
FOLDER = "streams"

WIRES: dict[str, Wire] = {
    "anthropic": AnthropicWire(),
    "openai-chat": ChatWire(),
    "openai-responses": ResponsesWire(),
    "gemini": GeminiWire(),
}
FINISH = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "stop": FinishReason.STOP,
    "STOP": FinishReason.STOP,
    "refusal": FinishReason.REFUSED,
    "SAFETY": FinishReason.REFUSED,
    "length": FinishReason.LENGTH,
    "MAX_TOKENS": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALLS,
    "tool_calls": FinishReason.TOOL_CALLS,
    "max_tokens": FinishReason.LENGTH,
    "max_output_tokens": FinishReason.LENGTH,
}
MADE_ID = "made here"
SIZES = (1, 2, 3, 7, 64, 1000)


@dataclass(frozen=True)
class Read:
    """The outcome of reading a stream: the deltas, then a reply or an error."""

    text: str
    thinking: str
    reply: ModelReply | None
    error: ModelError | None


def run(folder: Path) -> Results:
    recorded = json.loads((folder / "manifest.json").read_text())["streams"]
    right_streams = chunkings = right_chunkings = cuts = right_cuts = 0
    for stream in recorded:
        body = (folder / f"{stream['name']}.sse").read_bytes()
        expected = json.loads((folder / f"{stream['name']}.expected.json").read_text())
        wire = WIRES[stream["provider"]]
        outcomes = [
            _as_expected(_read(wire, blocks), expected, stream["provider"]) for blocks in _chunkings(body)
        ]
        chunkings += len(outcomes)
        right_chunkings += sum(outcomes)
        right_streams += all(outcomes)
        clean = [ModelFailure.ENDED_EARLY, *([ModelFailure.BAD_REQUEST] if expected.get("raises") else [])]
        reads = (_read(wire, [body[:end]]) for end in range(_last_event(body)))
        ends = [read.error is not None and read.error.failure in clean for read in reads]
        cuts += len(ends)
        right_cuts += sum(ends)
    return {
        "streams": len(recorded),
        "streams_right": right_streams,
        "chunkings": chunkings,
        "chunkings_right": right_chunkings / chunkings,
        "cut_offs": cuts,
        "cut_offs_clean": right_cuts / cuts,
    }


def _chunkings(body: bytes) -> Iterator[list[bytes]]:
    """Yield the body, with each line ending: whole, in portions down to single bytes, and cut in two at many places."""
    line_ends = (b"\n", b"\r\n", b"\r")
    plain = body.replace(b"\r\n", b"\n")
    for line_end in line_ends:
        variant = plain.replace(b"\n", line_end)
        yield [variant]
        for size in SIZES:
            yield [variant[start : start + size] for start in range(0, len(variant), size)]
        step = max(1, len(variant) // 2000)
        for place in range(1, len(variant), step):
            yield [variant[:place], variant[place:]]


def _read(wire: Wire, blocks: list[bytes]) -> Read:
    reader = AnswerReader(wire, Endpoint(Provider("recorded", "The recording"), "recorded"))
    text: list[str] = []
    thinking: list[str] = []
    try:
        for block in blocks:
            for delta in reader.feed(block):
                _take(delta, text, thinking)
        for delta in reader.rest():
            _take(delta, text, thinking)
        reply = reader.reply()
    except ModelError as error:
        return Read("".join(text), "".join(thinking), None, error)
    return Read("".join(text), "".join(thinking), reply, None)


def _take(delta: ModelDelta, text: list[str], thinking: list[str]) -> None:
    if isinstance(delta, TextDelta):
        text.append(delta.text)
    elif isinstance(delta, ThinkingDelta):
        thinking.append(delta.text)


def _last_event(body: bytes) -> int:
    """Return where the last event's data begins. An answer cut anywhere before that is incomplete."""
    return body.rindex(b"data:")


def _as_expected(read: Read, expected: dict[str, Any], provider: str) -> bool:
    if expected.get("raises"):
        return (
            read.error is not None
            and read.error.failure is ModelFailure.BAD_REQUEST
            and expected["raises"].partition(": ")[2] in read.error.detail
            and read.thinking == expected["reasoning"]
        )
    reply = read.reply
    if reply is None or read.text != reply.text or read.thinking != reply.thinking:
        return False
    is_gemini = provider == "gemini"
    if is_gemini and _signatures(reply) != expected.get("thought_signatures", 0):
        return False
    wanted = _wanted(expected, provider)
    return (
        (_joined(reply) if is_gemini else _parts(reply)) == wanted.parts
        and reply.finish_reason is wanted.finish
        and _tokens(reply, wanted.usage)
    )


@dataclass(frozen=True)
class _Wanted:
    parts: list[Any]
    finish: FinishReason
    usage: tuple[int, int, int, int] | None


def _parts(reply: ModelReply) -> list[Any]:
    """Return the parts in plain form. Signatures lose the mark of their wire; arguments are decoded if possible."""
    found: list[Any] = []
    for part in reply.parts:
        if isinstance(part, TextPart):
            found.append(("text", part.text))
        elif isinstance(part, ThinkingPart) and part.redacted is not None:
            found.append(("redacted", _secret(part.redacted)))
        elif isinstance(part, ThinkingPart):
            found.append(("thinking", part.text, _secret(part.signature)))
        else:
            found.append(_call(part))
    return found


def _joined(reply: ModelReply) -> list[Any]:
    """Return the thinking, the text and the calls, as the recordings of Gemini have them: without their order."""
    said = [("thinking", reply.thinking), ("text", reply.text)]
    return [*(part for part in said if part[1]), *map(_call, reply.tool_calls)]


def _call(call: ToolCall) -> tuple[str, str, str, Any]:
    return "call", MADE_ID if is_made_call_id(call.id) else call.id, call.name, _arguments(call)


def _signatures(reply: ModelReply) -> int:
    signed = [part for part in reply.parts if isinstance(part, ThinkingPart | ToolCall)]
    return sum(part.signature is not None for part in signed)


def _secret(signature: str | None) -> str | None:
    if signature is None:
        return None
    secret = signature.partition(":")[2]
    return str(json.loads(secret)["encrypted_content"]) if secret.startswith("{") else secret


def _arguments(call: ToolCall) -> Any:
    try:
        return json.loads(call.arguments)
    except ValueError:
        return "cut off"


def _tokens(reply: ModelReply, usage: tuple[int, int, int, int] | None) -> bool:
    got = reply.usage
    return usage is None or usage == (
        got.input_tokens,
        got.output_tokens,
        got.cached_input_tokens,
        got.thinking_tokens,
    )


def _wanted(expected: dict[str, Any], provider: str) -> _Wanted:
    if provider == "openai-responses":
        return _wanted_responses(expected["final_event_response"])
    if provider == "gemini":
        return _wanted_gemini(expected)
    if provider == "anthropic":
        return _wanted_anthropic(expected)
    calls = [
        ("call", call["id"], call["name"], json.loads(call["arguments"])) for call in expected["tool_calls"]
    ]
    text = [("text", expected["content"])] if expected["content"] else []
    return _Wanted([*text, *calls], FINISH[expected["finish_reason"]], None)


def _wanted_anthropic(expected: dict[str, Any]) -> _Wanted:
    parts: list[Any] = []
    cut_off = expected["stop_reason"] == "max_tokens"
    for block in expected["content"]:
        if block["type"] == "text":
            parts.append(("text", block["text"]))
        elif block["type"] == "thinking":
            parts.append(("thinking", block["thinking"], block["signature"]))
        elif block["type"] == "redacted_thinking":
            parts.append(("redacted", block["data"]))
        else:
            arguments = "cut off" if cut_off else block["input"]
            parts.append(("call", block["id"], block["name"], arguments))
    usage = expected["usage"]
    cached = usage["cache_read_input_tokens"]
    asked = usage["input_tokens"] + cached + usage["cache_creation_input_tokens"]
    thinking = usage.get("output_tokens_details", {}).get("thinking_tokens", 0)
    tokens = (asked, usage["output_tokens"], cached, thinking)
    return _Wanted(parts, FINISH[expected["stop_reason"]], tokens)


def _wanted_responses(expected: dict[str, Any]) -> _Wanted:
    parts: list[Any] = []
    for item in expected["output"]:
        if item["type"] == "message":
            parts.append(("text", "".join(piece["text"] for piece in item["content"])))
        elif item["type"] == "function_call":
            parts.append(("call", item["call_id"], item["name"], json.loads(item["arguments"])))
        else:
            text = "\n\n".join(piece["text"] for piece in item["summary"])
            parts.append(("thinking", text, item.get("encrypted_content")))
    usage = expected["usage"]
    cached = usage["input_tokens_details"]["cached_tokens"]
    reasoning = usage["output_tokens_details"]["reasoning_tokens"]
    tokens = (usage["input_tokens"], usage["output_tokens"], cached, reasoning)
    reason = FinishReason.TOOL_CALLS if any(part[0] == "call" for part in parts) else FinishReason.STOP
    if expected["incomplete_details"]:
        reason = FINISH[expected["incomplete_details"]["reason"]]
    return _Wanted(parts, reason, tokens)


def _wanted_gemini(expected: dict[str, Any]) -> _Wanted:
    calls = expected.get("function_calls") or []
    said = [("thinking", expected.get("thoughts")), ("text", expected.get("text"))]
    parts = [
        *(part for part in said if part[1]),
        *(("call", call.get("id") or MADE_ID, call["name"], call["args"]) for call in calls),
    ]
    reason = FINISH[expected["finish_reason"]]
    usage = expected["usage"]
    thoughts = usage.get("thoughtsTokenCount", 0)
    written = usage.get("candidatesTokenCount", 0) + thoughts
    tokens = (usage["promptTokenCount"], written, usage.get("cachedContentTokenCount", 0), thoughts)
    return _Wanted(
        list(parts), FinishReason.TOOL_CALLS if calls and reason is FinishReason.STOP else reason, tokens
    )
