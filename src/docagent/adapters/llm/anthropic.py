"""Anthropic's messages format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from docagent.adapters.llm.call_ids import CallIds, call_name
from docagent.adapters.llm.errors import Endpoint, Report, ended_early, reported
from docagent.adapters.llm.parts import (
    arguments_object,
    encoded_pdf,
    made_call_id,
    mark,
    shown_text,
    system_with_schema,
    unmark,
)
from docagent.adapters.llm.past import whole_conversation
from docagent.adapters.llm.wire import NOTHING, Deltas, WireCall, decode, effort
from docagent.domain.models import llm
from docagent.jsonschema import Profile

_WIRE = "anthropic"
_VERSION = "2023-06-01"
_LEAST_BUDGET = 1024
_REUSED = {"type": "ephemeral"}
_NEWEST = (99, 0)
_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,128}")

_FINISH = {
    "end_turn": llm.FinishReason.STOP,
    "stop_sequence": llm.FinishReason.STOP,
    "pause_turn": llm.FinishReason.STOP,
    "tool_use": llm.FinishReason.TOOL_CALLS,
    "max_tokens": llm.FinishReason.LENGTH,
    "model_context_window_exceeded": llm.FinishReason.LENGTH,
    "refusal": llm.FinishReason.REFUSED,
}


@dataclass(frozen=True, slots=True)
class AnthropicWire:
    profile: Profile = Profile.ANTHROPIC

    def headers(self, api_key: str | None) -> dict[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": api_key} if api_key else {})}

    def build(self, request: llm.ModelRequest) -> WireCall:
        generation = _generation(request.model)
        enforced = generation >= (4, 5)
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_output_tokens or _most_output(generation),
            "stream": True,
        }
        if request.output and request.output.schema is not None and enforced:
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.output.schema}}
        _set_thinking(body, request, generation)
        write = _messages if "thinking" in body else _messages_without_thinking
        body["messages"] = whole_conversation(request, CallIds(_CALL_ID), AnthropicWire, write)
        system = system_with_schema(request.system, request.output, enforced=enforced)
        if system:
            body["system"] = [{"type": "text", "text": system}]
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
            if not request.may_call:
                body["tool_choice"] = {"type": "none"}
            _mark_reused(body)
        return WireCall("/messages", body)

    def parser(self, endpoint: Endpoint) -> AnthropicParser:
        return AnthropicParser(endpoint)


def _generation(model: str) -> tuple[int, int]:
    """`claude-3-7-sonnet-20250219` is (3, 7), `claude-opus-5` is (5, 0). A name without a number is the newest."""
    found = re.search(r"claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)", model)
    return (int(found[1]), int(found[2] or 0)) if found else _NEWEST


def _most_output(generation: tuple[int, int]) -> int:
    """Return a limit, which the format demands: what every model of the generation can do, with room for thinking."""
    if generation < (3, 5):
        return 4096
    return 8192 if generation < (3, 7) else 24_000


def _set_thinking(body: dict[str, Any], request: llm.ModelRequest, generation: tuple[int, int]) -> None:
    """Up to 4.6, set a token budget and temperature 1. From 4.7 on, set an effort and no temperature at all."""
    levels = generation >= (4, 7)
    if request.thinking_tokens and levels:
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
        body.setdefault("output_config", {})["effort"] = effort(request.thinking_tokens)
        body["max_tokens"] += request.thinking_tokens
    elif request.thinking_tokens and generation >= (3, 7) and _may_think(request.messages):
        budget = max(request.thinking_tokens, _LEAST_BUDGET)
        body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        body["max_tokens"] += budget
        body["temperature"] = 1
    elif request.temperature is not None and not levels:
        body["temperature"] = request.temperature


def _may_think(messages: tuple[llm.Message, ...]) -> bool:
    """Return False if the answer continues tool calls that were made without thinking: Anthropic refuses that."""
    last = next((message for message in reversed(messages) if message.role == "assistant"), None)
    if last is None or not any(isinstance(part, llm.ToolResult) for part in messages[-1].parts):
        return True
    first = next(_blocks(last.parts, CallIds(_CALL_ID)), {})
    return first.get("type") in ("thinking", "redacted_thinking")


def _messages_without_thinking(messages: Iterable[llm.Message], ids: CallIds) -> list[dict[str, Any]]:
    """If no thinking is asked for, earlier thinking must not be sent back either."""
    spoken = (
        llm.Message(
            message.role, tuple(part for part in message.parts if not isinstance(part, llm.ThinkingPart))
        )
        for message in messages
    )
    return _messages(spoken, ids)


def _messages(messages: Iterable[llm.Message], ids: CallIds) -> list[dict[str, Any]]:
    """Join neighbouring messages of one role, and put tool results before everything else in them."""
    written: list[dict[str, Any]] = []
    for message in messages:
        content = list(_blocks(message.parts, ids))
        if content and written and written[-1]["role"] == message.role:
            written[-1]["content"] += content
        elif content:
            written.append({"role": message.role, "content": content})
    for each in written:
        each["content"].sort(key=lambda block: block["type"] != "tool_result")
    return written


def _blocks(parts: Iterable[llm.Part], ids: CallIds) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, llm.DocumentPart) and (pdf := encoded_pdf(part)):
            source = {"type": "base64", "media_type": "application/pdf", "data": pdf}
            yield {"type": "document", "source": source, "title": part.name}
        if isinstance(part, llm.ImagePart):
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            yield {"type": "image", "source": source}
        if (text := shown_text(part)) is not None:
            yield {"type": "text", "text": text}
        elif isinstance(part, llm.ToolCall):
            called = {"id": ids.of_call(part.id), "name": call_name(part.name)}
            yield {"type": "tool_use", **called, "input": arguments_object(part.arguments)}
        elif isinstance(part, llm.ToolResult):
            failed = {"is_error": True} if part.is_error else {}
            answered = ids.of_result(part.call_id)
            yield {"type": "tool_result", "tool_use_id": answered, "content": part.content, **failed}
        elif isinstance(part, llm.ThinkingPart):
            if redacted := unmark(_WIRE, part.redacted):
                yield {"type": "redacted_thinking", "data": redacted}
            elif signature := unmark(_WIRE, part.signature):
                yield {"type": "thinking", "thinking": part.text, "signature": signature}


def _mark_reused(body: dict[str, Any]) -> None:
    """Mark the beginning of the request for caching: with tools the same beginning is sent again and again."""
    if "system" in body:
        body["system"][-1]["cache_control"] = _REUSED
    last = body["messages"][-1]["content"][-1] if body["messages"] else {}
    if last.get("type") in ("text", "tool_result", "document", "image"):
        last["cache_control"] = _REUSED


@dataclass(slots=True)
class _Block:
    kind: str
    start: dict[str, Any]
    pieces: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    number: int = 0
    """Of a call: which one of the reply it is."""


class AnthropicParser:
    def __init__(self, endpoint: Endpoint) -> None:
        self.done = False
        self._endpoint = endpoint
        self._model = endpoint.model
        self._blocks: dict[int, _Block] = {}
        self._finish: llm.FinishReason | None = None
        self._usage: dict[str, Any] = {}

    def feed(self, data: bytes) -> Deltas:
        event = decode(data, self._endpoint)
        kind = event.get("type")
        if kind == "content_block_delta":
            return self._take_delta(self._blocks[event["index"]], event["delta"])
        if kind == "content_block_start":
            return self._start(event["index"], event["content_block"])
        if kind == "message_start":
            message = event["message"]
            self._model = message.get("model") or self._model
            self._note_usage(message)
        elif kind == "message_delta":
            if reason := event["delta"].get("stop_reason"):
                self._finish = _FINISH.get(reason, llm.FinishReason.STOP)
            self._note_usage(event)
        elif kind == "message_stop":
            self.done = True
        elif kind == "error":
            raise reported(self._endpoint, Report.read(event))
        return NOTHING

    def _start(self, index: int, block: dict[str, Any]) -> Deltas:
        kind = block.get("type", "")
        self._blocks[index] = started = _Block(kind, block)
        if kind == "text" and block.get("text"):
            started.pieces.append(block["text"])
            return [llm.TextDelta(block["text"])]
        if kind == "thinking":
            started.signature.append(block.get("signature") or "")
            if block.get("thinking"):
                started.pieces.append(block["thinking"])
                return [llm.ThinkingDelta(block["thinking"])]
        if kind == "tool_use":
            started.number = sum(other.kind == kind for other in self._blocks.values()) - 1
            return [llm.CallDelta(started.number, "", block["name"])]
        return NOTHING

    def _take_delta(self, block: _Block, delta: dict[str, Any]) -> Deltas:
        kind = delta["type"]
        if kind == "text_delta":
            text = delta["text"]
            block.pieces.append(text)
            return [llm.TextDelta(text)] if text else NOTHING
        if kind == "thinking_delta":
            text = delta["thinking"]
            block.pieces.append(text)
            return [llm.ThinkingDelta(text)] if text else NOTHING
        if kind == "input_json_delta":
            text = delta["partial_json"]
            block.pieces.append(text)
            return [llm.CallDelta(block.number, text)] if text and block.kind == "tool_use" else NOTHING
        if kind == "signature_delta":
            block.signature.append(delta["signature"])
        return NOTHING

    def _note_usage(self, holder: dict[str, Any]) -> None:
        usage = holder.get("usage") or {}
        self._usage.update({name: value for name, value in usage.items() if value is not None})

    def finish(self) -> llm.ModelReply:
        if not self.done or self._finish is None:
            raise ended_early(self._endpoint)
        parts = tuple(part for index in sorted(self._blocks) for part in _part(self._blocks[index]))
        return llm.ModelReply(parts, self._finish, _usage(self._usage), self._model)


def _part(block: _Block) -> Iterator[llm.TextPart | llm.ThinkingPart | llm.ToolCall]:
    text = "".join(block.pieces)
    if block.kind == "text" and text:
        yield llm.TextPart(text)
    elif block.kind == "thinking":
        signature = "".join(block.signature)
        if text or signature:
            yield llm.ThinkingPart(text, mark(_WIRE, signature) if signature else None)
    elif block.kind == "redacted_thinking":
        yield llm.ThinkingPart("", redacted=mark(_WIRE, block.start["data"]))
    elif block.kind == "tool_use":
        arguments = text or orjson.dumps(block.start.get("input") or {}).decode()
        yield llm.ToolCall(block.start.get("id") or made_call_id(), block.start["name"], arguments)


def _usage(usage: dict[str, Any]) -> llm.Usage:
    """Convert the counts. `input_tokens` does not include tokens written to or read from the cache."""
    cached = usage.get("cache_read_input_tokens") or 0
    kept = usage.get("cache_creation_input_tokens") or 0
    return llm.Usage(
        input_tokens=(usage.get("input_tokens") or 0) + cached + kept,
        output_tokens=usage.get("output_tokens") or 0,
        cached_input_tokens=cached,
        thinking_tokens=(usage.get("output_tokens_details") or {}).get("thinking_tokens") or 0,
    )
