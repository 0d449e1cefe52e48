"""What a strategy is: a pure answer to "what now?", asked whenever no call is outstanding.

A strategy holds no state. It reads the fold of the log, so a turn that was paused, killed or moved to another
process continues where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from docagent.agent.state import TurnView
from docagent.domain.models.llm import Message, ModelReply, OutputSchema, ToolCall, ToolSpec
from docagent.domain.turns.events import AssistantMessage, Event

Purpose = Literal["act", "reason", "observe", "plan", "answer"]


@dataclass(frozen=True, slots=True)
class StartStep:
    """Begin the next step."""


@dataclass(frozen=True, slots=True)
class AskModel:
    """Call the model. Without `messages` it sees the conversation; `instructions` are added to the system text."""

    purpose: Purpose
    offers_tools: bool = True
    """Whether the model may call the tools of the turn."""
    messages: tuple[Message, ...] | None = None
    instructions: str | None = None
    control_tools: tuple[ToolSpec, ...] = ()
    """Tools that are offered, never forced. A call of one is a decision, not an action."""
    control_keys: frozenset[str] = frozenset()
    """JSON objects with one of these keys are decisions: they are not shown while the reply arrives."""
    output: OutputSchema | None = None
    """What the reply must look like, for providers that can see to it."""
    temperature: float | None = None
    """Instead of the temperature of the turn."""
    most_messages: int | None = None
    """Only the words of so many earlier messages, and the message of the turn, instead of the whole conversation."""
    asks_again: bool = True
    """Whether an empty reply is asked for once more."""


@dataclass(frozen=True, slots=True)
class AskUser:
    """Pause with a question."""

    question: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Record events that need no model."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """End the turn with this answer."""

    text: str


Action = StartStep | AskModel | AskUser | Note | Finish


class Strategy(Protocol):
    """One way to run the loop."""

    name: str
    description: str
    """A sentence for the person who chooses a strategy."""
    calls_per_step: int
    """How many model calls a step with actions takes."""

    def next(self, view: TurnView) -> Action:
        """What to do now. Asked only when no call is outstanding and nothing waits for a person."""

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        """The events that a reply stands for."""


def as_message(reply: ModelReply, view: TurnView) -> AssistantMessage:
    return AssistantMessage(view.step, reply.parts, reply.model)


def in_words(reply: ModelReply, view: TurnView) -> AssistantMessage:
    """The reply without calls, for a request without tools: some models make calls all the same."""
    parts = tuple(part for part in reply.parts if not isinstance(part, ToolCall))
    return AssistantMessage(view.step, parts, reply.model)
