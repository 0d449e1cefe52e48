"""Decisions that a model writes down: in a call of a control tool, or as a JSON object at the end of its text.

A reply that holds neither is not an error: its text is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.domain.llm import ModelReply, ToolSpec

MOST_TRIES = 200
MOST_CHARACTERS = 20_000
"""How much of the end of a text is looked at: one full of brackets must not take long."""
_FENCE_OPEN = re.compile(r"```[a-zA-Z]*\s*$")
_FENCE_CLOSE = re.compile(r"^\s*```\s*$")

DECIDE_NEXT = ToolSpec(
    "agent_decide_next",
    "Say what to do in this step instead of writing the JSON object.",
    {
        "type": "object",
        "properties": {
            "plan": {"type": "string"},
            "tools_to_consider": {"type": "array", "items": {"type": "string"}},
            "finish": {"type": "boolean"},
            "final_answer": {"type": "string"},
            "request_input": {
                "type": "object",
                "properties": {"question": {"type": "string"}},
                "required": ["question"],
                "additionalProperties": False,
            },
        },
        "required": [],
        "additionalProperties": False,
    },
)
OBSERVE_DECIDE = ToolSpec(
    "agent_observe_decide",
    "Say whether to go on instead of writing the JSON object.",
    {
        "type": "object",
        "properties": {
            "observation": {"type": "string"},
            "should_continue": {"type": "boolean"},
            "final_answer": {"type": "string"},
        },
        "required": [],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Controlled:
    """The text for people, and the decision; empty when none could be read."""

    text: str
    decision: Mapping[str, Any]


def read_control(reply: ModelReply, tool: ToolSpec | None, keys: frozenset[str]) -> Controlled:
    """`keys` are the names that make a JSON object a decision."""
    if tool is not None:
        for call in reply.tool_calls:
            if call.name == tool.name and (decision := _object(call.arguments)) is not None:
                return Controlled(reply.text.strip(), decision)
    for start, end in _balanced_from_the_end(reply.text, "{", "}"):
        decision = _object(reply.text[start:end])
        if decision is not None and keys & decision.keys():
            return Controlled(_without(reply.text, start, end), decision)
    return Controlled(reply.text.strip(), {})


def read_list(reply: ModelReply) -> list[Any] | None:
    """The last JSON list in the text."""
    for start, end in _balanced_from_the_end(reply.text, "[", "]"):
        try:
            value = orjson.loads(reply.text[start:end])
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, list):
            return value
    return None


def text_of(decision: Mapping[str, Any], key: str) -> str:
    value = decision.get(key)
    return value.strip() if isinstance(value, str) else ""


def flag(decision: Mapping[str, Any], key: str) -> bool | None:
    """A yes or no, also when the model wrote it as a word."""
    value = decision.get(key)
    if isinstance(value, str):
        value = {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def question_of(decision: Mapping[str, Any]) -> str:
    asked = decision.get("request_input")
    if isinstance(asked, str):
        return asked.strip()
    return text_of(asked, "question") if isinstance(asked, Mapping) else ""


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _balanced_from_the_end(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Places of balanced brackets, the last one first; of nested ones only the outermost."""
    spans: list[tuple[int, int]] = []
    first = max(len(text) - MOST_CHARACTERS, 0)
    tries = [position for position in range(first, len(text)) if text[position] == opening]
    for start in tries[-MOST_TRIES:]:
        if spans and start < spans[-1][1]:
            continue
        end = _balanced(text, start, opening, closing)
        if end is not None:
            spans.append((start, end))
    yield from reversed(spans)


def _balanced(text: str, start: int, opening: str, closing: str) -> int | None:
    """Where what begins here ends; brackets inside strings do not count."""
    depth, in_string, escaped = 0, False, False
    for position in range(start, len(text)):
        letter = text[position]
        if in_string:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == '"':
                in_string = False
        elif letter == '"':
            in_string = True
        elif letter == opening:
            depth += 1
        elif letter == closing:
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _without(text: str, start: int, end: int) -> str:
    """The text without the object, and without the fence around it."""
    before = _FENCE_OPEN.sub("", text[:start].rstrip())
    after = "\n".join(line for line in text[end:].splitlines() if not _FENCE_CLOSE.match(line))
    return f"{before.rstrip()}\n{after.strip()}".strip()
