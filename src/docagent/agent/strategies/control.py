"""Decisions that a model writes down: in a call of a control tool, or as a JSON object at the end of its text.

A reply that holds neither is not an error: its text is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docagent.domain.llm import ModelReply, ToolSpec
from docagent.reply_json import lists_in, objects_in

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
    """A reply's text for people, and its decision, which is empty if none could be read."""

    text: str
    decision: Mapping[str, Any]


def read_control(reply: ModelReply, tool: ToolSpec | None, keys: frozenset[str]) -> Controlled:
    """Read the decision: a call of `tool`, or else the last JSON object in the text that has one of `keys`."""
    if tool is not None:
        for call in reply.tool_calls:
            if call.name == tool.name and (decided := next(objects_in(call.arguments), None)) is not None:
                return Controlled(reply.text.strip(), decided.value)
    for found in objects_in(reply.text):
        if keys & found.value.keys():
            return Controlled(_without(reply.text, found.start, found.end), found.value)
    return Controlled(reply.text.strip(), {})


def read_list(reply: ModelReply) -> list[Any] | None:
    """Return the last JSON list in the text; None if there is none."""
    return next(lists_in(reply.text), None)


def text_of(decision: Mapping[str, Any], key: str) -> str:
    value = decision.get(key)
    return value.strip() if isinstance(value, str) else ""


def flag(decision: Mapping[str, Any], key: str) -> bool | None:
    """Return a yes or no, even if the model wrote it as a word; None for anything else."""
    value = decision.get(key)
    if isinstance(value, str):
        value = {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def question_of(decision: Mapping[str, Any]) -> str:
    asked = decision.get("request_input")
    if isinstance(asked, str):
        return asked.strip()
    return text_of(asked, "question") if isinstance(asked, Mapping) else ""


def _without(text: str, start: int, end: int) -> str:
    """Return the text without the object and the fence around it."""
    before = _FENCE_OPEN.sub("", text[:start].rstrip())
    after = "\n".join(line for line in text[end:].splitlines() if not _FENCE_CLOSE.match(line))
    return f"{before.rstrip()}\n{after.strip()}".strip()
