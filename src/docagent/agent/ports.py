"""What the loop needs from the outside: a model, tools, and a journal that makes events durable."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from docagent.domain.models.llm import Message, ModelEvent, ModelReply, ModelRequest, PastTurn
from docagent.domain.turns.events import Event, Recorded, UsageCounted
from docagent.domain.turns.permission import Rule
from docagent.domain.turns.tools import CallContext, Described, Outcome, Tool

Add = Callable[[Event], None]

Progress = Callable[[int, int, str], Awaitable[None]]
"""How a slow tool reports progress: how much is done, of how much, and a word about it."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the loop must know about the model of a turn."""

    name: str
    context_tokens: int
    output_tokens: int
    thinks: bool = False
    calls_tools: bool = True
    is_built_in: bool = False


class AgentModel(Protocol):
    """The model of a turn, which also charges for its replies."""

    facts: ModelFacts

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """Yield deltas as they arrive, then one ModelReply. Raises ModelError and InsufficientCredits."""

    async def settle(self, request: ModelRequest, reply: ModelReply, purpose: str) -> UsageCounted:
        """Charge for a reply. To be called inside the journal entry that records it."""


class Toolset(Protocol):
    """The tools of one turn."""

    def tools(self) -> Sequence[Tool]:
        """All tools that this turn may offer."""

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        """The arguments as an object. Raises BadCall with a text that says how to fix the call."""

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        """What the call would do, for people. Reads only."""

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        """Do the slow part of a call, which talks to the outside: before any transaction, and changing nothing."""

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        """Run the call. What it changes joins the transaction of the journal entry around it."""

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        """Take back what a call did and say so in words. Raises Conflict if something later depends on it."""


class Entry(Protocol):
    """One commit of the journal: events, and the changes that joined it."""

    def add(self, event: Event) -> None: ...

    def attempt(self) -> AbstractAsyncContextManager[None]:
        """If the block raises, undo what it did. The entry continues."""

    async def steering(self) -> Sequence[Event]:
        """Messages that wait to be taken in. No more can arrive before the entry ends."""


class Journal(Protocol):
    """The log of one turn, which only its runner writes."""

    def entry(self) -> AbstractAsyncContextManager[Entry]:
        """Open an entry. It is committed at the end of the block, or dropped if the block raises."""

    def taken(self) -> Sequence[Recorded]:
        """What was recorded since the last call of this method, in order."""

    def has_signals(self) -> bool:
        """Whether messages waited when the last commit looked."""

    async def signals(self) -> Sequence[Event]:
        """Messages that came while the turn ran, to steer it. The entry that records them takes them off the list, so
        each is given once."""


class Surroundings(Protocol):
    """What the model gets besides the conversation. The loop asks for it again in every round."""

    async def system(self, state: Mapping[str, Any]) -> SystemText: ...

    def changed(self) -> None:
        """A call has changed something, so what was read before may be outdated."""

    async def rules(self) -> Sequence[Rule]:
        """The permission rules as they are now."""

    async def history(self, budget: int) -> History:
        """The conversation before this turn, newest first until the budget of tokens is used up."""


@dataclass(frozen=True, slots=True)
class SystemText:
    text: str
    tainted: bool
    """Whether the text holds text from outside: from a document, a file name or a search."""
    situation: Any = None


@dataclass(frozen=True, slots=True)
class History:
    past: tuple[PastTurn, ...] = ()
    messages: tuple[Message, ...] = ()
    """What stands between the past turns and the current one: a list that the client sent, or turns that the current
    one follows without a break."""
    left_out: int = 0
    """How many earlier messages did not fit."""
    left_out_tokens: int = 0

    @property
    def all_messages(self) -> tuple[Message, ...]:
        return (*(message for turn in self.past for message in turn.messages), *self.messages)


class KillPoint(Protocol):
    """Called between any two steps that could be lost. Does nothing, except in tests that kill the process."""

    def reached(self, name: str, events: Sequence[Event] = ()) -> None:
        """`events` are those of the commit just before or after this point."""
