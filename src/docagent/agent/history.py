"""The conversation for the model, folded from the log. Every provider accepts what comes out.

Every call has exactly one result, in the user message directly after it, in the order of the calls; a call that
never ran gets a result that says why. Roles alternate, the user speaks first, and no message is empty.

Thinking with a signature, or redacted, stays where it stood while its turn runs, and is dropped whole when the turn
is over. Thinking without a signature is never sent. What the model wrote in other phases (reasoning, observations,
plans) is assistant text while the turn runs, followed by a short user message, because thinking must open the reply
that comes next. When the turn is over, its replies and results tell the story and the phases are left out, except
a plan that the user decided on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import orjson

from docagent.agent.turn_fold import TurnFold, extend
from docagent.domain.models.llm import Message, Part, PastTurn, TextPart, ThinkingPart, ToolCall, ToolResult
from docagent.domain.turns.events import Event, PlanDecided, Terminal

NO_ANSWER = "(This was not answered.)"


def turn_messages(events: Sequence[Event]) -> tuple[Message, ...]:
    """The messages of one turn, from all of its events or only the first ones."""
    over = any(isinstance(event, Terminal) for event in events)
    decided = frozenset(event.revision for event in events if isinstance(event, PlanDecided))
    fold = TurnFold(over, decided)
    for event in events:
        fold.take(event)
    return fold.messages()


def join(earlier: Iterable[Sequence[Message]], current: Sequence[Message]) -> tuple[Message, ...]:
    """Earlier turns and the current one as one conversation; thinking of earlier turns is left out."""
    joined: list[Message] = []
    for turn in earlier:
        _begin_turn(joined, turn)
        for message in turn:
            _append(joined, _without_thinking(message))
    _begin_turn(joined, current)
    for message in current:
        _append(joined, message)
    first = next((i for i, message in enumerate(joined) if message.is_question), len(joined))
    return tuple(joined[first:])


def stands_alone(messages: Sequence[Message]) -> bool:
    """Whether other turns may stand before and after these messages without a change to any of them.

    Not so if the user undid something after the answer, for instance: the next question joins that message.
    """
    return (
        bool(messages)
        and messages[0].is_question
        and messages[-1].role == "assistant"
        and not any(isinstance(part, ThinkingPart) for message in messages for part in message.parts)
    )


def past_turn(messages: Sequence[Message], tokens: int) -> PastTurn:
    """Messages that stand alone, in their stored form."""
    return stored_turn(stored(messages), tokens)


def stored_turn(text: str, tokens: int) -> PastTurn:
    return PastTurn(text, tokens, read_stored)


def past_without_calls(turn: PastTurn) -> PastTurn:
    return turn.form(without_calls, lambda turn: past_turn(without_calls(turn.messages), turn.tokens))


def without_calls(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Write calls and results as plain text. Providers refuse them in a request that offers no tools."""
    names: dict[str, str] = {}
    told: list[Message] = []
    for message in messages:
        parts = tuple(part for each in message.parts for part in _told(each, names))
        if parts:
            _append(told, Message(message.role, parts))
    return tuple(told)


def words_of(messages: Iterable[Message]) -> tuple[Message, ...]:
    """What was said, without calls and their results."""
    kept: list[Message] = []
    for message in messages:
        parts = tuple(part for part in message.parts if isinstance(part, TextPart))
        if parts:
            _append(kept, Message(message.role, parts))
    return tuple(kept)


# The stored form


def stored(messages: Iterable[Message]) -> str:
    return orjson.dumps([message_json(message) for message in messages]).decode()


def read_stored(text: str) -> tuple[Message, ...]:
    return tuple(message_from_json(item) for item in orjson.loads(text))


def message_json(message: Message) -> list[Any]:
    """A message without documents as JSON values: `["u", "text", ["r", call id, content], ...]`."""
    return [message.role[0], *(_part_json(part) for part in message.parts)]


def message_from_json(values: Sequence[Any]) -> Message:
    role: Literal["user", "assistant"] = "user" if values[0] == "u" else "assistant"
    return Message(role, tuple(_part_of(value) for value in values[1:]))


def _part_json(part: Part) -> Any:
    match part:
        case TextPart():
            return part.text
        case ToolResult():
            return ["r", part.call_id, part.content, *([1] if part.is_error else [])]
        case ToolCall():
            return [
                "c",
                part.id,
                part.name,
                part.arguments,
                *([] if part.signature is None else [part.signature]),
            ]
        case ThinkingPart():
            return ["t", part.text, part.signature, part.redacted]
        case _:
            raise TypeError("A document is not part of a stored conversation.")


def _part_of(value: Any) -> Part:
    if isinstance(value, str):
        return TextPart(value)
    kind, *fields = value
    if kind == "r":
        return ToolResult(fields[0], fields[1], len(fields) > 2)
    return ToolCall(*fields) if kind == "c" else ThinkingPart(*fields)


def _append(messages: list[Message], message: Message) -> None:
    if not messages or messages[-1].role != message.role:
        messages.append(message)
        return
    parts = list(messages[-1].parts)
    if message.role == "assistant":
        extend(parts, message.parts)
    else:
        parts += message.parts
    messages[-1] = Message(message.role, tuple(parts))


def _begin_turn(messages: list[Message], turn: Sequence[Message]) -> None:
    """Close a turn that ended on results with a short reply, so that its results and the next question stay apart."""
    ends_on_results = bool(messages) and messages[-1].role == "user" and not messages[-1].is_question
    if ends_on_results and turn and turn[0].is_question:
        messages.append(Message("assistant", (TextPart(NO_ANSWER),)))


def _without_thinking(message: Message) -> Message:
    if not any(isinstance(part, ThinkingPart) for part in message.parts):
        return message
    return Message(message.role, tuple(part for part in message.parts if not isinstance(part, ThinkingPart)))


def _told(part: Part, names: dict[str, str]) -> Iterator[Part]:
    match part:
        case ToolCall():
            names[part.id] = part.name
            yield TextPart(f"(I called {part.name} with {part.arguments or '{}'}.)")
        case ToolResult():
            yield TextPart(f"(Result of {names.get(part.call_id, 'the call')}: {part.content})")
        case ThinkingPart():
            return
        case _:
            yield part
