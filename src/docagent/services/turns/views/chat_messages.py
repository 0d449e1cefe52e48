"""Folds turns into the messages of a chat: who said what, in order, and what came of it.

What the user said is shown as soon as it is worked on. A turn that broke off shows only what was replied to before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from docagent.agent.deciding.facts import ActFacts, act_facts
from docagent.agent.state import TurnView
from docagent.domain.turns import events
from docagent.domain.turns.turns import POSTED, Turn, TurnState, WorkingState

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    id: str
    role: Role
    content: str
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActReply:
    """The last reply of an `act`, and the facts as they were then."""

    message: ChatMessage
    facts: ActFacts


def chat_messages(turn: Turn, log: Sequence[events.Recorded]) -> list[ChatMessage]:
    return [message for message, _ in _folded(turn, log)]


def last_reply(turn: Turn, log: Sequence[events.Recorded]) -> ActReply | None:
    """None if the turn broke off before it said anything."""
    replies = [ActReply(message, facts) for message, facts in _folded(turn, log) if facts is not None]
    return replies[-1] if replies else None


def _folded(turn: Turn, log: Sequence[events.Recorded]) -> Iterator[tuple[ChatMessage, ActFacts | None]]:
    start = log[0].event
    assert isinstance(start, events.TurnStarted)
    view = TurnView(start, state=WorkingState.of(start.state))
    heard: list[ChatMessage] = []
    for item in log:
        view.apply(item.event)
        if (said := _said(turn, item, heard)) is not None:
            heard.append(said)
        reply = _reply(item.event)
        if reply is None:
            continue
        yield from ((message, None) for message in heard)
        heard.clear()
        facts = act_facts(view) if start.terms.acts else None
        if facts is not None and facts.decision["pending_confirmation"]:
            reply = facts.decision["confirmation_prompt"]
        metadata = facts.metadata if facts is not None else _kept(item.event)
        yield _message(turn, item, "assistant", reply, metadata), facts
    if turn.strategy == POSTED or turn.state is TurnState.RUNNING:
        yield from ((message, None) for message in heard)


def _said(turn: Turn, item: events.Recorded, heard: Sequence[ChatMessage]) -> ChatMessage | None:
    """What the user said in an event. One word may decide on several calls, and is one message."""
    match item.event:
        case events.UserMessage(text=text, metadata=metadata):
            return _message(turn, item, "user", text, metadata)
        case events.Steered(text=text) | events.InputGiven(text=text):
            return _message(turn, item, "user", text)
        case events.ApprovalDecided(reason=str(text)) if text and text not in [one.content for one in heard]:
            return _message(turn, item, "user", text)
    return None


def _reply(event: events.Event) -> str | None:
    match event:
        case events.Completed(text=text) | events.LimitReached(text=text):
            return text or None
        case events.ApprovalRequested(calls=calls):
            return "\n".join(call.summary for call in calls if call.asks)
        case events.InputRequested(question=question, choices=choices):
            return "\n".join((question, *(f"- {choice}" for choice in choices)))
        case events.Plan(waits=True, steps=steps):
            return "\n".join(f"{number}. {step.text}" for number, step in enumerate(steps, 1))
    return None


def _kept(event: events.Event) -> Mapping[str, Any]:
    return event.metadata if isinstance(event, events.Completed) else {}


def _message(
    turn: Turn, item: events.Recorded, role: Role, content: str, metadata: Mapping[str, Any] | None = None
) -> ChatMessage:
    return ChatMessage(f"{turn.id}-{item.seq}", role, content, item.at, metadata or {})
