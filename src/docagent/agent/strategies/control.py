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
    for start, end in _objects_from_the_end(reply.text):
        decision = _object(reply.text[start:end])
        if decision is not None and keys & decision.keys():
            return Controlled(_without(reply.text, start, end), decision)
    return Controlled(reply.text.strip(), {})


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


def _objects_from_the_end(text: str) -> Iterator[tuple[int, int]]:
    """Places of balanced braces, the last one first, outermost before inner ones."""
    spans: list[tuple[int, int]] = []
    for start in [position for position, letter in enumerate(text) if letter == "{"]:
        if spans and start < spans[-1][1]:
            continue
        end = _balanced(text, start)
        if end is not None:
            spans.append((start, end))
    yield from reversed(spans)


def _balanced(text: str, start: int) -> int | None:
    """Where the object that begins here ends; braces inside strings do not count."""
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
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _without(text: str, start: int, end: int) -> str:
    """The text without the object, and without the fence around it."""
    before = _FENCE_OPEN.sub("", text[:start].rstrip())
    after = "\n".join(line for line in text[end:].splitlines() if not _FENCE_CLOSE.match(line))
    return f"{before.rstrip()}\n{after.strip()}".strip()
