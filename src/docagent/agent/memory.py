"""The ports of the loop without a database: for programs that embed it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext
from typing import Any

from docagent.agent.context import Block, system_text
from docagent.agent.ports import History, ModelFacts, SystemText
from docagent.domain.clock import now
from docagent.domain.models.llm import Message, Model, ModelEvent, ModelReply, ModelRequest
from docagent.domain.turns.events import Event, Recorded, UsageCounted
from docagent.domain.turns.permission import Rule


class MemoryEntry:
    def __init__(self, steering: Sequence[Event]) -> None:
        self.events: list[Event] = []
        self._steering = steering

    def add(self, event: Event) -> None:
        self.events.append(event)

    def attempt(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def steering(self) -> Sequence[Event]:
        return tuple(self._steering)


class MemoryJournal:
    """Keeps the log in a list."""

    def __init__(self) -> None:
        self.log: list[Recorded] = []
        self._taken = 0
        self.steering: list[Event] = []

    @asynccontextmanager
    async def entry(self) -> AsyncIterator[MemoryEntry]:
        entry = MemoryEntry(self.steering)
        yield entry
        self.append(*entry.events)
        self.steering = [event for event in self.steering if event not in entry.events]

    def append(self, *events: Event) -> None:
        for event in events:
            self.log.append(Recorded(len(self.log) + 1, now(), event))

    def taken(self) -> Sequence[Recorded]:
        new = self.log[self._taken :]
        self._taken = len(self.log)
        return new

    def has_signals(self) -> bool:
        return bool(self.steering)

    async def signals(self) -> Sequence[Event]:
        return tuple(self.steering)


class UncountedModel:
    """A model whose calls are not charged."""

    def __init__(self, model: Model, facts: ModelFacts) -> None:
        self._model = model
        self.facts = facts

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                yield event

    async def settle(self, request: ModelRequest, reply: ModelReply, purpose: str) -> UsageCounted:
        usage = reply.usage
        return UsageCounted(
            reply.model, purpose, usage.input_tokens, usage.output_tokens, usage.cached_input_tokens
        )


class FixedSurroundings:
    """The same rules, blocks and history in every round."""

    def __init__(
        self,
        rules: str,
        blocks: Sequence[Block] = (),
        history: Sequence[Message] = (),
        permissions: Sequence[Rule] = (),
    ) -> None:
        self._text = system_text(rules, blocks, now())
        self._tainted = bool(blocks)
        self._history = History(messages=tuple(history))
        self._permissions = permissions

    def changed(self) -> None:
        """Nothing of it changes."""

    async def system(self, state: Mapping[str, Any]) -> SystemText:
        return SystemText(self._text, self._tainted)

    async def rules(self) -> Sequence[Rule]:
        return self._permissions

    async def history(self, budget: int) -> History:
        return self._history


class NoKill:
    """Does nothing. Every deployment uses this one."""

    def reached(self, name: str, events: Sequence[Event] = ()) -> None:
        del name, events
