"""What happens in a turn, as the server tells it: the events of its log, and pieces of replies while they arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docagent.domain.turns.events import ApprovalDecided as ApprovalDecided
from docagent.domain.turns.events import ApprovalExpired as ApprovalExpired
from docagent.domain.turns.events import ApprovalRequested as ApprovalRequested
from docagent.domain.turns.events import AskedAgain as AskedAgain
from docagent.domain.turns.events import AssistantMessage as AssistantMessage
from docagent.domain.turns.events import Completed as Completed
from docagent.domain.turns.events import ContextTrimmed as ContextTrimmed
from docagent.domain.turns.events import Delta as Delta
from docagent.domain.turns.events import Event as Event
from docagent.domain.turns.events import EventType, decode
from docagent.domain.turns.events import Failed as Failed
from docagent.domain.turns.events import InputGiven as InputGiven
from docagent.domain.turns.events import InputRequested as InputRequested
from docagent.domain.turns.events import InputTimedOut as InputTimedOut
from docagent.domain.turns.events import LimitReached as LimitReached
from docagent.domain.turns.events import Observe as Observe
from docagent.domain.turns.events import Plan as Plan
from docagent.domain.turns.events import PlanDecided as PlanDecided
from docagent.domain.turns.events import Reason as Reason
from docagent.domain.turns.events import RequestedCall as RequestedCall
from docagent.domain.turns.events import Steered as Steered
from docagent.domain.turns.events import StepStarted as StepStarted
from docagent.domain.turns.events import Stopped as Stopped
from docagent.domain.turns.events import Terminal as Terminal
from docagent.domain.turns.events import ToolFinished as ToolFinished
from docagent.domain.turns.events import ToolProgress as ToolProgress
from docagent.domain.turns.events import ToolStarted as ToolStarted
from docagent.domain.turns.events import TurnStarted as TurnStarted
from docagent.domain.turns.events import Undone as Undone
from docagent.domain.turns.events import UsageCounted as UsageCounted
from docagent.domain.turns.events import UserMessage as UserMessage

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
        """The number of the last event, from which a new connection continues."""

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
