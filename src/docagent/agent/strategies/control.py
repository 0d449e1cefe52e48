"""Decisions that a model writes down: in a call of a control tool, or as a JSON object at the end of its text.

A reply that holds neither is not an error: its text is taken as it is. People never see the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import as_message
from docagent.domain.models.llm import ModelReply, TextPart, ToolSpec
from docagent.domain.turns.events import AssistantMessage
from docagent.reply_json import lists_in, objects_in, without_objects

MISPLACED_KEYS = frozenset(
    {"tools_to_consider", "request_input", "final_answer", "should_continue", "next_action_hint"}
)
"""Keys by which a decision is known that a model wrote where none was asked for. An answer in JSON has others."""

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
    """A reply's text for people, which is without decisions, and its decision, empty if none could be read."""

    text: str
    decision: Mapping[str, Any]


def read_control(reply: ModelReply, tool: ToolSpec | None, keys: frozenset[str]) -> Controlled:
    """Read the decision: a call of `tool`, or else the last JSON object in the text that has one of `keys`."""
    text = without_objects(reply.text, keys)
    if tool is not None:
        for call in reply.tool_calls:
            if call.name == tool.name and (decided := next(objects_in(call.arguments), None)) is not None:
                return Controlled(text, decided.value)
    return Controlled(text, _last_decision(reply.text, keys))


def as_spoken(reply: ModelReply, view: TurnView) -> AssistantMessage:
    """The reply as a message, without decisions that the model wrote among its words. If nothing else is left, the
    words are those of the decision.
    """
    message = as_message(reply, view)
    spoken = without_objects(message.text, MISPLACED_KEYS)
    if spoken == message.text.strip():
        return message
    spoken = spoken or text_of(_last_decision(message.text, MISPLACED_KEYS), "final_answer")
    first = next(part for part in message.parts if isinstance(part, TextPart))
    parts = tuple(
        replace(part, text=spoken) if part is first else part
        for part in message.parts
        if part is first or not isinstance(part, TextPart)
    )
    return replace(message, parts=parts)


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


def _last_decision(text: str, keys: frozenset[str]) -> Mapping[str, Any]:
    return next((found.value for found in objects_in(text) if keys & found.value.keys()), {})
