"""The chat completions format: OpenAI's own, and everything compatible with it by base URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from docagent.adapters.llm.call_ids import CallIds, call_name
from docagent.adapters.llm.errors import Endpoint, Report, ended_early, reported
from docagent.adapters.llm.parts import (
    arguments_text,
    encoded_pdf,
    made_call_id,
    pdf_name,
    shown_text,
    system_with_schema,
)
from docagent.adapters.llm.past import whole_conversation
from docagent.adapters.llm.wire import NOTHING, Deltas, WireCall, decode, effort
from docagent.domain.models import llm
from docagent.jsonschema import Profile

_FINISH = {
    "stop": llm.FinishReason.STOP,
    "tool_calls": llm.FinishReason.TOOL_CALLS,
    "function_call": llm.FinishReason.TOOL_CALLS,
    "length": llm.FinishReason.LENGTH,
    "model_length": llm.FinishReason.LENGTH,
    "content_filter": llm.FinishReason.REFUSED,
}
_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_MISTRAL = re.compile(r"(mi|mini|magi|code|dev|vox)stral|(mix|pix)tral", re.IGNORECASE)
_MISTRAL_CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")


@dataclass(frozen=True, slots=True)
class ChatWire:
    """The defaults are OpenAI's. The fields are the points in which compatible servers differ."""

    max_tokens_field: str = "max_completion_tokens"
    takes_pdf: bool = True
    always_says_done: bool = True
    """Whether an answer without a final `[DONE]` was cut off. Some servers never send it."""
    knows_tool_choice: bool = True
    """Whether the server knows `tool_choice`. If not, tools that must not be called are left out of the request."""
    call_id: re.Pattern[str] = _CALL_ID
    """The call ids that are sent back unchanged; all others are replaced."""
    profile: Profile = Profile.OPENAI_STRICT
    picture_detail: Mapping[str, str] = field(default_factory=lambda: {"detail": "high"})
    """How closely the model looks at pictures. Compatible servers know no levels."""

    def headers(self, api_key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def build(self, request: llm.ModelRequest) -> WireCall:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": self._messages(request),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.tools and (request.may_call or self.knows_tool_choice):
            body["tools"] = [_tool(tool) for tool in request.tools]
            if not request.may_call:
                body["tool_choice"] = "none"
        if request.output:
            body["response_format"] = _response_format(request.output)
        if request.max_output_tokens is not None:
            body[self.max_tokens_field] = request.max_output_tokens + (request.thinking_tokens or 0)
        if request.thinking_tokens:
            body["reasoning_effort"] = effort(request.thinking_tokens)
        elif request.temperature is not None:
            body["temperature"] = request.temperature
        return WireCall("/chat/completions", body)

    def parser(self, endpoint: Endpoint) -> ChatParser:
        return ChatParser(endpoint, self.always_says_done)

    def _messages(self, request: llm.ModelRequest) -> list[Any]:
        system = system_with_schema(request.system, request.output, enforced=True)
        ids = CallIds(_MISTRAL_CALL_ID if _MISTRAL.search(request.model) else self.call_id)
        told = whole_conversation(request, ids, ChatWire, self._written)
        return [{"role": "system", "content": system}, *told] if system else told

    def _written(self, messages: Iterable[llm.Message], ids: CallIds) -> list[dict[str, Any]]:
        return [
            item
            for message in messages
            for item in (
                _assistant(message, ids) if message.role == "assistant" else self._user(message, ids)
            )
        ]

    def _user(self, message: llm.Message, ids: CallIds) -> Iterator[dict[str, Any]]:
        content: list[dict[str, Any]] = []
        for part in message.parts:
            if isinstance(part, llm.ToolResult):
                answered = ids.of_result(part.call_id)
                yield {"role": "tool", "tool_call_id": answered, "content": part.content}
            elif (text := shown_text(part)) is not None:
                content.append({"type": "text", "text": text})
            elif isinstance(part, llm.ImagePart):
                content.append({"type": "image_url", "image_url": {"url": part.url, **self.picture_detail}})
            if isinstance(part, llm.DocumentPart) and self.takes_pdf and (pdf := encoded_pdf(part)):
                data = f"data:application/pdf;base64,{pdf}"
                content.append({"type": "file", "file": {"filename": pdf_name(part), "file_data": data}})
        if len(content) == 1 and content[0]["type"] == "text":
            yield {"role": "user", "content": content[0]["text"]}
        elif content:
            yield {"role": "user", "content": content}


def _assistant(message: llm.Message, ids: CallIds) -> Iterator[dict[str, Any]]:
    text = "".join(part.text for part in message.parts if isinstance(part, llm.TextPart))
    calls = [
        {
            "id": ids.of_call(part.id),
            "type": "function",
            "function": {"name": call_name(part.name), "arguments": arguments_text(part.arguments)},
        }
        for part in message.parts
        if isinstance(part, llm.ToolCall)
    ]
    if text or calls:
        yield {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}


def _tool(tool: llm.ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _response_format(output: llm.OutputSchema) -> dict[str, Any]:
    if output.schema is None:
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "json_schema": {"name": output.name, "strict": True, "schema": output.schema},
    }


@dataclass(slots=True)
class _Call:
    number: int
    id: str | None
    name: str
    arguments: list[str] = field(default_factory=list)
    told: int = 0
    """How many pieces of the arguments were passed on."""
    has_begun: bool = False

    def news(self) -> Iterator[llm.CallDelta]:
        """What was not passed on yet. The name may come after the first arguments, and nothing is told without it."""
        piece = "".join(self.arguments[self.told :])
        if not self.name or (self.has_begun and not piece):
            return
        yield llm.CallDelta(self.number, piece, None if self.has_begun else self.name)
        self.told, self.has_begun = len(self.arguments), True


class ChatParser:
    def __init__(self, endpoint: Endpoint, always_says_done: bool = True) -> None:
        self.done = False
        self._endpoint = endpoint
        self._always_says_done = always_says_done
        self._model = endpoint.model
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._finish: llm.FinishReason | None = None
        self._refused = False
        self._usage = llm.Usage()

    def feed(self, data: bytes) -> Deltas:
        if data == b"[DONE]":
            self.done = True
            return NOTHING
        return self.take(decode(data, self._endpoint))

    def take(self, chunk: dict[str, Any]) -> Deltas:
        """Take one decoded chunk and return its deltas."""
        if chunk.get("error"):
            raise reported(self._endpoint, Report.read(chunk))
        if usage := chunk.get("usage"):
            self._usage = _usage(usage)
        if model := chunk.get("model"):
            self._model = model
        choices = chunk.get("choices")
        if not choices:
            return NOTHING
        choice = choices[0]
        if reason := choice.get("finish_reason"):
            self._finish = _FINISH.get(reason, llm.FinishReason.STOP)
        delta = choice.get("delta")
        return self._take_delta(delta) if delta else NOTHING

    def _take_delta(self, delta: dict[str, Any]) -> Deltas:
        content = delta.get("content")
        if len(delta) == 1 and isinstance(content, str):
            self._text.append(content)
            return [llm.TextDelta(content)] if content else NOTHING
        found: list[llm.ModelDelta] = []
        if thinking := delta.get("reasoning_content") or delta.get("reasoning"):
            self._thinking.append(thinking)
            found.append(llm.ThinkingDelta(thinking))
        if isinstance(content, list):
            found += self._take_blocks(content)
        elif content:
            self._text.append(content)
            found.append(llm.TextDelta(content))
        if refusal := delta.get("refusal"):
            self._refused = True
            self._text.append(refusal)
            found.append(llm.TextDelta(refusal))
        for part in delta.get("tool_calls") or ():
            found += self._take_call(part)
        return found

    def _take_blocks(self, blocks: list[dict[str, Any]]) -> Iterator[llm.TextDelta | llm.ThinkingDelta]:
        """Take a list of blocks, which Mistral's reasoning models send where others send text."""
        for block in blocks:
            if block.get("type") == "thinking":
                thinking = "".join(piece.get("text") or "" for piece in block.get("thinking") or ())
                self._thinking.append(thinking)
                yield llm.ThinkingDelta(thinking)
            elif text := block.get("text"):
                self._text.append(text)
                yield llm.TextDelta(text)

    def _take_call(self, part: dict[str, Any]) -> Iterator[llm.CallDelta]:
        """Find the call by its index, but distrust it: some servers send no index, some send 0 for every call."""
        function = part.get("function") or {}
        call_id, index = part.get("id"), part.get("index")
        known = self._calls[-1] if self._calls else None
        if index is not None:
            known = self._by_index.get(index)
        if known is None or (call_id and known.id and call_id != known.id):
            known = _Call(len(self._calls), call_id, function.get("name") or "")
            self._calls.append(known)
            if index is not None:
                self._by_index[index] = known
        elif not known.name:
            known.name = function.get("name") or ""
        known.id = known.id or call_id
        arguments = function.get("arguments")
        if arguments:
            known.arguments.append(
                arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
            )
        yield from known.news()

    def finish(self) -> llm.ModelReply:
        complete = self.done or (self._finish is not None and not self._always_says_done)
        calls = [
            llm.ToolCall(call.id or made_call_id(), call.name, "".join(call.arguments) or "{}")
            for call in self._calls
        ]
        text, thinking = "".join(self._text), "".join(self._thinking)
        if not complete or (self._finish is None and not (text or calls)):
            raise ended_early(self._endpoint)
        reason = self._finish or llm.FinishReason.STOP
        if self._refused:
            reason = llm.FinishReason.REFUSED
        elif calls and reason is llm.FinishReason.STOP:
            reason = llm.FinishReason.TOOL_CALLS
        parts = (
            *((llm.ThinkingPart(thinking),) if thinking else ()),
            *((llm.TextPart(text),) if text else ()),
            *calls,
        )
        return llm.ModelReply(parts, reason, self._usage, self._model)


def _usage(usage: dict[str, Any]) -> llm.Usage:
    asked = usage.get("prompt_tokens_details") or {}
    made = usage.get("completion_tokens_details") or {}
    return llm.Usage(
        input_tokens=usage.get("prompt_tokens") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
        cached_input_tokens=asked.get("cached_tokens") or usage.get("prompt_cache_hit_tokens") or 0,
        thinking_tokens=made.get("reasoning_tokens") or 0,
    )
