"""The conversation as plans need it: what the user said last, and the results of the calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.models.llm import Message, TextPart, ToolCall, ToolResult
from docagent.domain.turns.turns import REJECTED_TEXT

_CALL_ID = re.compile(r"call_(\d+)")
_FROM_THE_LOOP = re.compile(r"Go on\.|I approve the plan\.|Follow this plan instead:.*", re.DOTALL)
"""What strategies say in the user's name between two replies. It asks for nothing new."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call that was made, and its result."""

    name: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    error: str | None = None
    rejected: bool = False
    batch: int = 0
    """The number of the reply that made the call. Calls of one reply are one batch."""

    @property
    def ok(self) -> bool:
        return self.error is None


@dataclass(frozen=True, slots=True)
class Conversation:
    text: str
    """What the user said last."""
    steps: tuple[Step, ...] = ()
    """The calls made for it so far."""
    before: tuple[Step, ...] = ()
    """All calls of earlier exchanges."""
    earlier: tuple[tuple[str, str], ...] = ()
    """Earlier exchanges: what the user said, and the end of the answer."""
    next_id: int = 1


@dataclass(slots=True)
class _Exchange:
    text: str = ""
    answer: str = ""
    steps: list[Step] = field(default_factory=list)


def read_conversation(messages: Sequence[Message]) -> Conversation:
    """Read the messages. Each text of the user starts a new exchange; results belong to the exchange before it."""
    exchanges = [_Exchange()]
    waiting: dict[str, tuple[ToolCall, int]] = {}
    for number, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, ToolCall):
                waiting[part.id] = (part, number)
            elif isinstance(part, ToolResult) and part.call_id in waiting:
                exchanges[-1].steps.append(_step(*waiting[part.call_id], part))
            elif isinstance(part, TextPart) and part.text.strip():
                if message.role != "user":
                    exchanges[-1].answer = part.text
                elif len(exchanges) == 1 or not _FROM_THE_LOOP.fullmatch(part.text.strip()):
                    exchanges.append(_Exchange(part.text.strip()))
    numbers = [int(match[1]) for call_id in waiting if (match := _CALL_ID.fullmatch(call_id))]
    *earlier, last = exchanges
    return Conversation(
        last.text,
        tuple(last.steps),
        tuple(step for exchange in earlier for step in exchange.steps),
        tuple((exchange.text, exchange.answer) for exchange in earlier if exchange.text),
        max(numbers, default=0) + 1,
    )


def said(message: Message) -> str:
    return "\n".join(part.text for part in message.parts if isinstance(part, TextPart)).strip()


def _step(call: ToolCall, batch: int, result: ToolResult) -> Step:
    content = _object(result.content)
    error = content.get("error")
    if error is None and result.is_error:
        error = result.content
    told = None if error is None else str(error)
    rejected = isinstance(error, str) and error.startswith(REJECTED_TEXT)
    return Step(call.name, _object(call.arguments), content, told, rejected, batch)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
