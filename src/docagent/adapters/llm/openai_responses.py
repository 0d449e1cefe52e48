"""OpenAI's Responses format. OpenAI stores nothing: reasoning is sent back in its encrypted form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.adapters.llm.call_ids import CallIds, call_name
from docagent.adapters.llm.errors import Endpoint, Report, ended_early, reported
from docagent.adapters.llm.parts import (
    arguments_text,
    encoded_pdf,
    joined,
    made_call_id,
    mark,
    pdf_name,
    shown_text,
    system_with_schema,
    unmark,
)
from docagent.adapters.llm.past import whole_conversation
from docagent.adapters.llm.wire import NOTHING, Deltas, WireCall, decode, effort
from docagent.domain.models import llm
from docagent.jsonschema import Profile

_WIRE = "openai_responses"
_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ResponsesWire:
    profile: Profile = Profile.OPENAI_STRICT

    def headers(self, api_key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def build(self, request: llm.ModelRequest) -> WireCall:
        body: dict[str, Any] = {
            "model": request.model,
            "input": whole_conversation(request, CallIds(_CALL_ID), ResponsesWire, _input),
            "stream": True,
            "store": False,
        }
        system = system_with_schema(request.system, request.output, enforced=True)
        if system:
            body["instructions"] = system
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
            if not request.may_call:
                body["tool_choice"] = "none"
        if request.output:
            body["text"] = {"format": _text_format(request.output)}
        if request.max_output_tokens is not None:
            body["max_output_tokens"] = request.max_output_tokens + (request.thinking_tokens or 0)
        if request.thinking_tokens:
            body["reasoning"] = {"effort": effort(request.thinking_tokens), "summary": "auto"}
            body["include"] = ["reasoning.encrypted_content"]
        elif request.temperature is not None:
            body["temperature"] = request.temperature
        return WireCall("/responses", body)

    def parser(self, endpoint: Endpoint) -> ResponsesParser:
        return ResponsesParser(endpoint)


def _input(messages: Iterable[llm.Message], ids: CallIds) -> list[dict[str, Any]]:
    return [item for message in messages for item in _items(message, ids)]


def _items(message: llm.Message, ids: CallIds) -> Iterator[dict[str, Any]]:
    """Write calls, results and reasoning as items of their own, and everything said as message items."""
    said: list[dict[str, Any]] = []
    for part in sorted(message.parts, key=lambda part: not isinstance(part, llm.ToolResult)):
        item = _item(part, ids)
        if item is None:
            said += _content(part, message.role)
            continue
        if said:
            yield {"type": "message", "role": message.role, "content": said}
            said = []
        yield item
    if said:
        yield {"type": "message", "role": message.role, "content": said}


def _item(part: llm.Part, ids: CallIds) -> dict[str, Any] | None:
    if isinstance(part, llm.ToolCall):
        called = {"call_id": ids.of_call(part.id), "name": call_name(part.name)}
        return {"type": "function_call", **called, "arguments": arguments_text(part.arguments)}
    if isinstance(part, llm.ToolResult):
        answered = ids.of_result(part.call_id)
        return {"type": "function_call_output", "call_id": answered, "output": part.content}
    if isinstance(part, llm.ThinkingPart) and (secret := unmark(_WIRE, part.signature)):
        summary = [{"type": "summary_text", "text": part.text}] if part.text else []
        return {"type": "reasoning", **orjson.loads(secret), "summary": summary}
    return None


def _content(part: llm.Part, role: str) -> Iterator[dict[str, Any]]:
    text = shown_text(part)
    if text is not None:
        yield {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    if isinstance(part, llm.ImagePart):
        yield {"type": "input_image", "image_url": part.url, "detail": "high"}
    if isinstance(part, llm.DocumentPart) and (pdf := encoded_pdf(part)):
        data = f"data:application/pdf;base64,{pdf}"
        yield {"type": "input_file", "filename": pdf_name(part), "file_data": data}


def _tool(tool: llm.ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": False,
    }


def _text_format(output: llm.OutputSchema) -> dict[str, Any]:
    if output.schema is None:
        return {"type": "json_object"}
    return {"type": "json_schema", "name": output.name, "strict": True, "schema": output.schema}


class ResponsesParser:
    def __init__(self, endpoint: Endpoint) -> None:
        self.done = False
        self._endpoint = endpoint
        self._items: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, int] = {}
        """The number of each call, by the place of its item."""
        self._response: dict[str, Any] = {}

    def feed(self, data: bytes) -> Deltas:
        if data == b"[DONE]":
            return NOTHING
        event = decode(data, self._endpoint)
        kind = event.get("type")
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            return [llm.TextDelta(event["delta"])] if event.get("delta") else NOTHING
        if kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            return [llm.ThinkingDelta(event["delta"])] if event.get("delta") else NOTHING
        if kind == "response.reasoning_summary_part.added":
            return [llm.ThinkingDelta("\n\n")] if event.get("summary_index") else NOTHING
        if kind in ("response.output_item.added", "response.function_call_arguments.delta"):
            return self._take_call(event)
        if kind == "response.output_item.done":
            self._items[event.get("output_index", len(self._items))] = event["item"]
        elif kind in ("response.completed", "response.incomplete"):
            self._response = event["response"]
            self.done = True
        elif kind == "response.failed":
            raise reported(self._endpoint, Report.read(event["response"]))
        elif kind == "error" or (kind is None and event.get("error")):
            said = {name: value for name, value in event.items() if name != "type"}
            raise reported(self._endpoint, Report.read(said))
        return NOTHING

    def _take_call(self, event: dict[str, Any]) -> Deltas:
        """Take the beginning of an item, which may be a call, or a piece of a call's arguments."""
        place, item = event.get("output_index", 0), event.get("item")
        if item is not None:
            if item.get("type") != "function_call" or not item.get("name"):
                return NOTHING
            self._calls[place] = len(self._calls)
            return [llm.CallDelta(self._calls[place], "", item["name"])]
        if place not in self._calls or not event.get("delta"):
            return NOTHING
        return [llm.CallDelta(self._calls[place], event["delta"])]

    def finish(self) -> llm.ModelReply:
        if not self.done:
            raise ended_early(self._endpoint)
        response = self._response
        output = response.get("output") or [self._items[index] for index in sorted(self._items)]
        parts = tuple(part for item in output for part in _parts(item))
        return llm.ModelReply(
            parts,
            _finish_reason(response, output, parts),
            _usage(response.get("usage") or {}),
            response.get("model") or self._endpoint.model,
        )


def _parts(item: dict[str, Any]) -> Iterator[llm.TextPart | llm.ThinkingPart | llm.ToolCall]:
    kind = item.get("type")
    if kind == "message":
        text = "".join(_said(piece) for piece in item.get("content") or ())
        if text:
            yield llm.TextPart(text)
    elif kind == "function_call":
        yield llm.ToolCall(item.get("call_id") or made_call_id(), item["name"], item.get("arguments") or "{}")
    elif kind == "reasoning":
        text = joined(piece.get("text") or "" for piece in item.get("summary") or item.get("content") or ())
        secret = item.get("encrypted_content")
        signature = None
        if secret:
            kept = {name: item[name] for name in ("id", "encrypted_content") if item.get(name)}
            signature = mark(_WIRE, orjson.dumps(kept).decode())
        if text or signature:
            yield llm.ThinkingPart(text, signature)


def _said(piece: dict[str, Any]) -> str:
    return str((piece.get("refusal") if piece.get("type") == "refusal" else piece.get("text")) or "")


def _finish_reason(
    response: dict[str, Any], output: list[dict[str, Any]], parts: tuple[object, ...]
) -> llm.FinishReason:
    incomplete = (response.get("incomplete_details") or {}).get("reason")
    pieces = [
        piece for item in output if item.get("type") == "message" for piece in item.get("content") or ()
    ]
    if incomplete == "content_filter" or any(piece.get("type") == "refusal" for piece in pieces):
        return llm.FinishReason.REFUSED
    if incomplete or response.get("status") == "incomplete":
        return llm.FinishReason.LENGTH
    if any(isinstance(part, llm.ToolCall) for part in parts):
        return llm.FinishReason.TOOL_CALLS
    return llm.FinishReason.STOP


def _usage(usage: dict[str, Any]) -> llm.Usage:
    return llm.Usage(
        input_tokens=usage.get("input_tokens") or 0,
        output_tokens=usage.get("output_tokens") or 0,
        cached_input_tokens=(usage.get("input_tokens_details") or {}).get("cached_tokens") or 0,
        thinking_tokens=(usage.get("output_tokens_details") or {}).get("reasoning_tokens") or 0,
    )
