"""What the loop needs from the outside: a model, tools, and a journal that makes events durable."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from docagent.domain.events import Event, Recorded, UsageCounted
from docagent.domain.llm import Message, ModelEvent, ModelReply, ModelRequest
from docagent.domain.permission import Rule
from docagent.domain.tools import CallContext, Described, Outcome, Tool

Add = Callable[[Event], None]

Progress = Callable[[int, int, str], Awaitable[None]]
"""Told by a tool that takes long: how much is done, of how much, and a word about it."""


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
    """The model of a turn, with what it costs."""

    facts: ModelFacts

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """Deltas as they come, then one ModelReply. Raises ModelError and InsufficientCredits."""

    async def settle(self, request: ModelRequest, reply: ModelReply, purpose: str) -> UsageCounted:
        """Charge for a reply. To be called inside the journal entry that records it."""


class Toolset(Protocol):
    """The tools of one turn."""

    def tools(self) -> Sequence[Tool]:
        """All that this turn may offer."""

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        """The arguments as an object. Raises BadCall with words that say how to mend the call."""

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        """What the call would do, for people. Reads only."""

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        """The slow part of a call that talks to the outside: before any transaction, without effect of its own."""

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        """The call itself. What it changes joins the transaction of the journal entry around it."""

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        """Take back what a call did; returns what was done, in words. Raises Conflict when something later
        depends on it."""


class Entry(Protocol):
    """One commit of the journal: events, and whatever joined it."""

    def add(self, event: Event) -> None: ...

    def attempt(self) -> AbstractAsyncContextManager[None]:
        """What happens inside is undone when it raises; the entry goes on."""

    async def steering(self) -> Sequence[Event]:
        """Messages that wait to be taken in. No further one can come before the entry ends."""


class Journal(Protocol):
    """The log of one turn, which only its runner writes."""

    def entry(self) -> AbstractAsyncContextManager[Entry]:
        """Commit at the end, or nothing when it raises."""

    def taken(self) -> Sequence[Recorded]:
        """What was recorded since the last call of this method, in order."""

    def has_signals(self) -> bool:
        """Something came from outside since the last commit looked."""

    async def signals(self) -> Sequence[Event]:
        """What came from outside while the turn ran: messages that steer it. Each is given once; the entry that
        records them takes them off the list."""


class Surroundings(Protocol):
    """What the model is told besides the conversation; asked for anew in every round."""

    async def system(self, state: Mapping[str, Any]) -> SystemText: ...

    async def rules(self) -> Sequence[Rule]:
        """The permission rules as they are now."""

    async def history(self, budget: int) -> History:
        """The conversation before this turn, newest first until the budget of tokens is used up."""


@dataclass(frozen=True, slots=True)
class SystemText:
    text: str
    tainted: bool
    """Text from outside is in it: of a document, a file name, a search."""
    situation: Any = None


@dataclass(frozen=True, slots=True)
class History:
    messages: tuple[Message, ...]
    left_out: int = 0
    """Messages before these that did not fit."""
    left_out_tokens: int = 0


class KillPoint(Protocol):
    """Called between any two steps that could be lost. Does nothing, except in tests that kill the process."""

    def reached(self, name: str, events: Sequence[Event] = ()) -> None:
        """`events` are those of the commit that the point stands before or after."""
