"""What happens in a turn, as the server tells it: the events of its log, and pieces of replies while they arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docagent.domain.turns.events import (
    ApprovalDecided,
    ApprovalExpired,
    ApprovalRequested,
    AskedAgain,
    AssistantMessage,
    Completed,
    ContextTrimmed,
    Delta,
    Event,
    EventType,
    Failed,
    InputGiven,
    InputRequested,
    InputTimedOut,
    LimitReached,
    Observe,
    Plan,
    PlanDecided,
    Reason,
    RequestedCall,
    Steered,
    StepStarted,
    Stopped,
    Terminal,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnStarted,
    Undone,
    UsageCounted,
    UserMessage,
    decode,
)

__all__ = [
    "ApprovalDecided",
    "ApprovalExpired",
    "ApprovalRequested",
    "AskedAgain",
    "AssistantMessage",
    "Completed",
    "ContextTrimmed",
    "Delta",
    "Event",
    "Failed",
    "InputGiven",
    "InputRequested",
    "InputTimedOut",
    "Item",
    "LimitReached",
    "Observe",
    "Plan",
    "PlanDecided",
    "Reason",
    "RequestedCall",
    "Settled",
    "Steered",
    "StepStarted",
    "Stopped",
    "Terminal",
    "ToolFinished",
    "ToolProgress",
    "ToolStarted",
    "TurnStarted",
    "Undone",
    "UnknownEvent",
    "UsageCounted",
    "UserMessage",
]

_DELTAS = {"text_delta": "text", "thinking_delta": "thinking", "call_delta": "call"}
_KNOWN = frozenset(EventType)


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event of a server that is newer than this client."""

    type: str
    payload: Mapping[str, Any]


Item = Event | Delta | UnknownEvent
Settled = Terminal | ApprovalRequested | InputRequested | Plan
"""After this a turn has ended, or waits for a person."""


class EventReader:
    """Reads the lines of a stream of server-sent events, one at a time."""

    def __init__(self) -> None:
        self.last_seq = 0
        """The number of the last event, from which a new connection goes on."""

    def read(self, line: str) -> Mapping[str, Any] | None:
        """What the line says; None for comments, ids and the ends of events."""
        if not line.startswith("data: "):
            return None
        said: dict[str, Any] = json.loads(line.removeprefix("data: "))
        self.last_seq = said.get("seq", self.last_seq)
        return said


def item_of(said: Mapping[str, Any]) -> Item:
    """An event or a piece of a reply, from its JSON."""
    kind = str(said["type"])
    if kind in _DELTAS:
        return Delta(
            _DELTAS[kind],  # type: ignore[arg-type]  # one of the three that the table has
            said["text"],
            said["step"],
            said.get("phase", "act"),
            said.get("call", 0),
            said.get("begins"),
        )
    if kind not in _KNOWN:
        return UnknownEvent(kind, said)
    return decode(kind, said)


def settles(item: Item) -> Settled | None:
    """The item, if the turn has ended with it or waits for a person."""
    if isinstance(item, Plan):
        return item if item.waits else None
    return item if isinstance(item, Settled) else None
