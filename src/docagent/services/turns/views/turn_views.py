"""Folds of a turn's log into the shapes of the chat API: rounds, results and the messages of a thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.models.llm import ToolCall
from docagent.domain.turns import events


@dataclass(slots=True)
class Segment:
    """What happened between two pauses: the text at the end, and the rounds that ran."""

    text: str = ""
    thinking: str | None = None
    pending: tuple[ToolCall, ...] = ()
    rounds: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, events.ToolFinished] = field(default_factory=dict)
    decisions: dict[str, events.ApprovalDecided] = field(default_factory=dict)
    is_paused: bool = False
    note: str | None = None
    """Why the segment ended, if not with an answer, or what the answer lacks."""
    shortfall: events.Shortfall | None = None
    empty: bool = True
    before: list[str] = field(default_factory=list)
    """What the user said before the segment."""


def segments(log: Iterable[events.Event], *, at_messages: bool = False) -> list[Segment]:
    """Cut a turn at its pauses, and on request where the user spoke. While it runs, the last segment is unfinished."""
    done: list[Segment] = []
    current = Segment()
    waiting: events.AssistantMessage | None = None
    for event in log:
        speaks = isinstance(event, events.UserMessage | events.Steered | events.InputGiven)
        paused = current.is_paused and not isinstance(event, events.ApprovalRequested)
        if paused or (speaks and at_messages and not current.empty):
            done.append(current)
            current = Segment()
        if isinstance(event, events.UserMessage | events.Steered | events.InputGiven):
            current.before.append(event.text)
        if isinstance(event, events.AssistantMessage):
            waiting = event if event.calls else None
        elif isinstance(event, events.ToolFinished) and waiting and event.call_id == waiting.calls[-1].id:
            current.rounds.append(round_json(waiting))
            waiting = None
        _apply(current, event, waiting)
    return [*done, current]


def _apply(segment: Segment, event: events.Event, waiting: events.AssistantMessage | None) -> None:
    match event:
        case events.AssistantMessage():
            segment.text, segment.thinking = event.text, event.thinking or None
        case events.ApprovalRequested() | events.InputRequested() | events.Plan(waits=True):
            segment.is_paused = True
            if isinstance(event, events.ApprovalRequested) and waiting is not None:
                segment.pending = waiting.calls
        case events.ApprovalDecided():
            segment.decisions[event.call_id] = event
            return
        case events.ToolFinished():
            segment.results[event.call_id] = event
        case events.Completed():
            segment.text, segment.note, segment.shortfall = event.text, event.note or None, event.shortfall
        case events.LimitReached():
            segment.text = event.text
        case events.Stopped():
            segment.text, segment.note = event.text, "stopped"
        case events.Failed():
            segment.text, segment.note = event.text, event.error
        case _:
            return
    says_nothing = isinstance(event, events.Completed) and not event.text
    segment.empty = segment.empty and says_nothing


def round_json(message: events.AssistantMessage) -> dict[str, Any]:
    return {"thinking": message.thinking or None, "tool_calls": [call_json(call) for call in message.calls]}


def call_json(call: ToolCall) -> dict[str, str]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


def thread_messages(turn_id: str, log: Sequence[events.Recorded]) -> list[dict[str, Any]]:
    """The messages of one turn: the user's, the assistant's message at each pause, and the answer.

    Besides the contract's fields, each carries what the reference leaves out: results, verdicts and the turn.
    """
    messages: list[dict[str, Any]] = []
    verdicts = _verdicts(recorded.event for recorded in log)
    for segment in segments([recorded.event for recorded in log], at_messages=True):
        messages += [
            {"role": "user", "content": text, "tool_calls": None, "tool_call_id": None}
            for text in segment.before
        ]
        if not segment.empty:
            messages.append(_assistant(segment, verdicts))
    return [{**message, "turn_id": turn_id} for message in messages]


def _verdicts(log: Iterable[events.Event]) -> dict[str, bool]:
    """Which calls were allowed, by a person or a rule, and which were not. A call that still waits is missing."""
    verdicts: dict[str, bool] = {}
    waiting: set[str] = set()
    for event in log:
        match event:
            case events.AssistantMessage():
                waiting |= {call.id for call in event.calls}
            case events.ApprovalDecided():
                verdicts[event.call_id] = event.approved
            case events.ApprovalExpired():
                verdicts |= dict.fromkeys(event.call_ids, False)
            case events.ToolFinished():
                verdicts.setdefault(event.call_id, event.ran)
            case events.Stopped() | events.Failed() | events.LimitReached() | events.Completed():
                verdicts = dict.fromkeys(waiting, False) | verdicts
            case _:
                pass
    return verdicts


def _assistant(segment: Segment, verdicts: Mapping[str, bool]) -> dict[str, Any]:
    def told(call: Mapping[str, str]) -> dict[str, Any]:
        return {**call, "approved": verdicts.get(call["id"])}

    return {
        "role": "assistant",
        "content": segment.text,
        "tool_calls": [told(call_json(call)) for call in segment.pending] or None,
        "thinking": segment.thinking,
        "executed_rounds": [
            {**round_, "tool_calls": [told(call) for call in round_["tool_calls"]]}
            for round_ in segment.rounds
        ]
        or None,
        "tool_results": [
            {
                "call_id": result.call_id,
                "name": result.name,
                "success": not result.is_error,
                "result": result.content,
            }
            for result in segment.results.values()
        ]
        or None,
        "decisions": [
            {"call_id": decision.call_id, "approved": decision.approved, "reason": decision.reason}
            for decision in segment.decisions.values()
        ]
        or None,
        "note": segment.note,
        "shortfall": segment.shortfall,
    }
