"""Google's generateContent format, streamed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

import orjson

from docagent.adapters.llm.call_ids import ANY_ID, CallIds, call_name
from docagent.adapters.llm.errors import Endpoint, Report, ended_early, refused, reported
from docagent.adapters.llm.parts import (
    arguments_object,
    encoded_pdf,
    is_made_call_id,
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

_WIRE = "gemini"
_NO_SIGNATURE = "skip_thought_signature_validator"
_REFUSALS = frozenset(
    ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"],
)
_BROKEN_CALLS = frozenset(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"])


@dataclass(frozen=True, slots=True)
class GeminiWire:
    profile: Profile = Profile.GEMINI

    def headers(self, api_key: str | None) -> dict[str, str]:
        return {"x-goog-api-key": api_key} if api_key else {}

    def build(self, request: llm.ModelRequest) -> WireCall:
        newer = _generation(request.model) >= 3
        # Before Gemini 3, a request may ask for tools or for a reply in JSON, but not for both.
        enforced = newer or not request.tools
        write = partial(_contents, signed_calls=newer)
        form = (GeminiWire, newer)
        body: dict[str, Any] = {"contents": whole_conversation(request, CallIds(ANY_ID), form, write)}
        system = system_with_schema(request.system, request.output, enforced=enforced)
        if system:
            body["systemInstruction"] = {"parts": [{"text": system}]}
        if request.tools:
            declared = [
                {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
                for tool in request.tools
            ]
            body["tools"] = [{"functionDeclarations": declared}]
            if not request.may_call:
                body["toolConfig"] = {"functionCallingConfig": {"mode": "NONE"}}
        config = _generation_config(request, newer, enforced)
        if config:
            body["generationConfig"] = config
        model = quote(request.model.removeprefix("models/"), safe="")
        return WireCall(f"/models/{model}:streamGenerateContent?alt=sse", body)

    def parser(self, endpoint: Endpoint) -> GeminiParser:
        return GeminiParser(endpoint)


def _generation(model: str) -> int:
    """`gemini-2.5-flash` is 2. A name without a number counts as new."""
    found = re.search(r"gemini-(\d+)", model)
    return int(found[1]) if found else 3


def _generation_config(request: llm.ModelRequest, newer: bool, enforced: bool) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if request.output and enforced:
        config["responseMimeType"] = "application/json"
        if request.output.schema is not None:
            config["responseJsonSchema"] = request.output.schema
    if request.max_output_tokens is not None:
        config["maxOutputTokens"] = request.max_output_tokens + (request.thinking_tokens or 0)
    if request.temperature is not None:
        config["temperature"] = request.temperature
    if request.thinking_tokens:
        level: dict[str, Any] = {"thinkingBudget": request.thinking_tokens}
        if newer:
            # Not every model of this generation has a level in between.
            level = {"thinkingLevel": "low" if effort(request.thinking_tokens) == "low" else "high"}
        config["thinkingConfig"] = {"includeThoughts": True, **level}
    return config


def _contents(messages: Iterable[llm.Message], ids: CallIds, *, signed_calls: bool) -> list[dict[str, Any]]:
    """Join neighbouring messages of one role. Results come first and carry the names of their functions."""
    names: dict[str, str] = {}
    contents: list[dict[str, Any]] = []
    for message in messages:
        written = [each for part in message.parts for each in _written(part, ids, names)]
        role = "model" if message.role == "assistant" else "user"
        if signed_calls:
            _sign_first_call(written)
        if written and contents and contents[-1]["role"] == role:
            contents[-1]["parts"] += written
        elif written:
            contents.append({"role": role, "parts": written})
    for content in contents:
        content["parts"].sort(key=lambda part: "functionResponse" not in part)
    return contents


def _written(part: llm.Part, ids: CallIds, names: dict[str, str]) -> Iterator[dict[str, Any]]:
    if isinstance(part, llm.DocumentPart) and (pdf := encoded_pdf(part)):
        yield {"inlineData": {"mimeType": "application/pdf", "data": pdf}}
    if isinstance(part, llm.ImagePart):
        yield {"inlineData": {"mimeType": part.media_type, "data": part.data}}
    if (text := shown_text(part)) is not None:
        yield {"text": text}
    elif isinstance(part, llm.ToolCall):
        called = ids.of_call(part.id)
        names[called] = call_name(part.name)
        call = {**_id(called), "name": names[called], "args": arguments_object(part.arguments)}
        signature = unmark(_WIRE, part.signature)
        yield {"functionCall": call, **({"thoughtSignature": signature} if signature else {})}
    elif isinstance(part, llm.ToolResult):
        response = {"error" if part.is_error else "result": part.content}
        answered = ids.of_result(part.call_id)
        named = {**_id(answered), "name": names.get(answered, "")}
        yield {"functionResponse": {**named, "response": response}}
    elif isinstance(part, llm.ThinkingPart) and (signature := unmark(_WIRE, part.signature)):
        thought = {"thought": True} if part.text else {}
        yield {"text": part.text, **thought, "thoughtSignature": signature}


def _id(call_id: str) -> dict[str, str]:
    return {} if is_made_call_id(call_id) else {"id": call_id}


def _sign_first_call(written: list[dict[str, Any]]) -> None:
    """Gemini 3 wants a signature on the first call of a turn. If another model made the call, use a placeholder."""
    first = next((part for part in written if "functionCall" in part), None)
    if first is not None:
        first.setdefault("thoughtSignature", _NO_SIGNATURE)


class GeminiParser:
    def __init__(self, endpoint: Endpoint) -> None:
        self.done = False
        self._endpoint = endpoint
        self._model = endpoint.model
        self._parts: list[llm.TextPart | llm.ThinkingPart | llm.ToolCall] = []
        self._open: list[str] = []
        self._thinks = False
        self._finish: llm.FinishReason | None = None
        self._usage = llm.Usage()

    def feed(self, data: bytes) -> Deltas:
        chunk = decode(data, self._endpoint)
        if chunk.get("error"):
            raise reported(self._endpoint, Report.read(chunk))
        if usage := chunk.get("usageMetadata"):
            self._usage = _usage(usage)
        if version := chunk.get("modelVersion"):
            self._model = version
        candidates = chunk.get("candidates")
        if not candidates:
            if reason := (chunk.get("promptFeedback") or {}).get("blockReason"):
                raise refused(self._endpoint, f"the request was blocked ({reason}).")
            return NOTHING
        candidate = candidates[0]
        found: list[llm.TextDelta | llm.ThinkingDelta] = []
        for part in (candidate.get("content") or {}).get("parts") or ():
            found += self._take(part)
        if reason := candidate.get("finishReason"):
            self._end(reason)
        return found

    def _take(self, part: dict[str, Any]) -> Iterator[llm.TextDelta | llm.ThinkingDelta]:
        signature = part.get("thoughtSignature")
        text = part.get("text")
        if call := part.get("functionCall"):
            self._close()
            arguments = orjson.dumps(call.get("args") or {}).decode()
            signed = mark(_WIRE, signature) if signature else None
            self._parts.append(
                llm.ToolCall(call.get("id") or made_call_id(), call["name"], arguments, signed)
            )
            return
        thinks = bool(part.get("thought"))
        if thinks is not self._thinks and (text or signature):
            self._close()
            self._thinks = thinks
        if text:
            self._open.append(text)
            yield llm.ThinkingDelta(text) if thinks else llm.TextDelta(text)
        if signature and thinks:
            self._close(mark(_WIRE, signature))
        elif signature:
            self._close()
            self._parts.append(llm.ThinkingPart("", mark(_WIRE, signature)))

    def _close(self, signature: str | None = None) -> None:
        """Finish the piece of text or thinking that is being collected."""
        text = "".join(self._open)
        self._open.clear()
        if self._thinks and (text or signature):
            self._parts.append(llm.ThinkingPart(text, signature))
        elif text:
            self._parts.append(llm.TextPart(text))
        self._thinks = False

    def _end(self, reason: str) -> None:
        self.done = True
        if reason in _BROKEN_CALLS:
            raise self._endpoint.error(
                llm.ModelFailure.UNAVAILABLE,
                f"{self._endpoint.model} wrote a tool call that cannot be read. Try again, or choose another"
                " model.",
            )
        if reason == "MAX_TOKENS":
            self._finish = llm.FinishReason.LENGTH
        else:
            self._finish = llm.FinishReason.REFUSED if reason in _REFUSALS else llm.FinishReason.STOP

    def finish(self) -> llm.ModelReply:
        if self._finish is None:
            raise ended_early(self._endpoint)
        self._close()
        calls = any(isinstance(part, llm.ToolCall) for part in self._parts)
        reason = (
            llm.FinishReason.TOOL_CALLS if calls and self._finish is llm.FinishReason.STOP else self._finish
        )
        return llm.ModelReply(tuple(self._parts), reason, self._usage, self._model)


def _usage(usage: dict[str, Any]) -> llm.Usage:
    """Convert the counts. `candidatesTokenCount` does not include the thoughts."""
    thoughts = usage.get("thoughtsTokenCount") or 0
    return llm.Usage(
        input_tokens=(usage.get("promptTokenCount") or 0) + (usage.get("toolUsePromptTokenCount") or 0),
        output_tokens=(usage.get("candidatesTokenCount") or 0) + thoughts,
        cached_input_tokens=usage.get("cachedContentTokenCount") or 0,
        thinking_tokens=thoughts,
    )
