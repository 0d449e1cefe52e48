"""Cleans the conversation that a client sends along: it may say wrong things, but no provider may refuse it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from docagent.agent.history import join
from docagent.agent.turn_fold import NO_CONTENT
from docagent.domain.models.llm import Message, Part, TextPart, ToolCall, ToolResult


def sanitise(messages: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Keep only messages of users, assistants and tools.

    An assistant's calls stay only if the tool messages directly after it answer all of them; else its text stays
    alone. Tool messages that answer nothing are dropped. Calls come out as `{id, name, arguments}`.
    """
    kept: list[dict[str, Any]] = []
    for index, message in enumerate(messages):
        if message.get("role") == "user" and message.get("content") is not None:
            kept.append({"role": "user", "content": _text(message["content"])})
        elif message.get("role") == "assistant":
            kept += _assistant(message, islice(messages, index + 1, None))
    return tuple(kept)


def client_messages(cleaned: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """A cleaned conversation as messages for the model: it begins with the user, and nothing in it is empty."""
    exchanges: list[list[Message]] = [[]]
    for each in cleaned:
        if each["role"] == "user":
            exchanges.append([])
        message = _message(each)
        if message.parts:
            exchanges[-1].append(message)
    return join(exchanges, ())


def _assistant(
    message: Mapping[str, Any], following: Iterable[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    said = {"role": "assistant", "content": _text(message.get("content"))}
    calls = [_call(call) for call in message.get("tool_calls") or () if isinstance(call, Mapping)]
    answers = _answers(following)
    ids = [call["id"] for call in calls]
    if calls and len(set(ids)) == len(ids) and all(call["id"] in answers for call in calls):
        yield {**said, "tool_calls": calls}
        for call_id in ids:
            yield {"role": "tool", "tool_call_id": call_id, "content": answers[call_id]}
    else:
        yield said


def _answers(following: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The contents of the tool messages directly after a message, by call. The first answer to a call counts."""
    answers: dict[str, str] = {}
    for message in following:
        if message.get("role") != "tool":
            break
        call_id = message.get("tool_call_id")
        if isinstance(call_id, str) and call_id:
            answers.setdefault(call_id, _text(message.get("content")))
    return answers


def _call(call: Mapping[str, Any]) -> dict[str, str]:
    """Read a call in OpenAI's nested form or in our flat one."""
    function = call.get("function")
    holder = function if isinstance(function, Mapping) else call
    arguments = holder.get("arguments")
    return {
        "id": str(call.get("id") or ""),
        "name": str(holder.get("name") or ""),
        "arguments": "{}" if arguments is None else _text(arguments),
    }


def _text(content: Any) -> str:
    """The content as text: text as it is, OpenAI's text parts joined, any other value as JSON."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(_is_text_part(part) for part in content):
        return "\n\n".join(part["text"] for part in content)
    return json.dumps(content, ensure_ascii=False)


def _is_text_part(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)


def _message(cleaned: Mapping[str, Any]) -> Message:
    content = cleaned.get("content") or ""
    text = (TextPart(content),) if content.strip() else ()
    if cleaned["role"] == "user":
        return Message("user", text)
    if cleaned["role"] == "tool":
        result: Part = ToolResult(cleaned["tool_call_id"], content if content.strip() else NO_CONTENT)
        return Message("user", (result,))
    calls = (
        ToolCall(call["id"], call["name"], call["arguments"]) for call in cleaned.get("tool_calls") or ()
    )
    return Message("assistant", (*text, *calls))
