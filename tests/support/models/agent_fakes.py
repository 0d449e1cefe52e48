"""The agent's loop on ports in memory: tools that remember what ran, and a rig that decides and resumes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeVar

import orjson

from docagent.adapters.llm.scripted import Answer, ScriptedModel
from docagent.agent.acting import Acting
from docagent.agent.limits import Limits
from docagent.agent.loop import Loop
from docagent.agent.memory import FixedSurroundings, MemoryJournal, NoKill, UncountedModel
from docagent.agent.ports import ModelFacts, Progress
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.tools import ToolsStrategy
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import ModelRequest, ToolSpec
from docagent.domain.turns.events import (
    ApprovalDecided,
    AssistantMessage,
    Event,
    Recorded,
    StepStarted,
    TurnStarted,
    UserMessage,
)
from docagent.domain.turns.permission import Rule
from docagent.domain.turns.tools import Access, BadCall, CallContext, Described, Outcome, Scope, Tool
from docagent.domain.turns.turns import Subject

USER = "u1"
DOCUMENT = Subject.document("d1")
FACTS = ModelFacts("scripted", context_tokens=100_000, output_tokens=4_000)
SCOPE = Scope(
    Member(Principal(USER, "Ada", "ada@example.com", Role.USER, Credential.SESSION), "o1", Role.USER),
    "t1",
    DOCUMENT,
)


def tool(name: str, access: Access, *, sends_out: bool = False) -> Tool:
    parameters = {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False}
    return Tool(ToolSpec(name, name, parameters), access, sends_out)


LOOK = tool("look", Access.READ_ONLY)
SEARCH = tool("search", Access.READ_ONLY, sends_out=True)
WRITE = tool("write", Access.READ_WRITE)
ERASE = tool("erase", Access.READ_WRITE)
SEND = tool("send", Access.READ_WRITE, sends_out=True)
TOOLS = (LOOK, SEARCH, WRITE, ERASE, SEND)


@dataclass(frozen=True)
class Ran:
    """A call that reached its tool."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass
class RecordingToolset:
    """Tools that take a number `x`: 13 fails and 99 breaks. `blocked` tools wait for `go`."""

    ran: list[Ran] = field(default_factory=list)
    blocked: frozenset[str] = frozenset()
    go: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: int = 0
    most_at_once: int = 0

    def tools(self) -> Sequence[Tool]:
        return TOOLS

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        if name not in {item.name for item in TOOLS}:
            raise BadCall(f"Unknown tool: {name}")
        try:
            read = orjson.loads(arguments or "{}")
        except orjson.JSONDecodeError as error:
            raise BadCall(f"Invalid JSON arguments: {error}") from error
        if not isinstance(read, dict) or set(read) - {"x"}:
            raise BadCall("Only x is known.")
        return read

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        del context
        return Described(f"{name} {dict(arguments)}")

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        del context, name, arguments
        await progress(1, 2, "half")

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        del prepared
        self.ran.append(Ran(context.call_id, name, arguments))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if name in self.blocked:
                self.reached.set()
                await self.go.wait()
            await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        if arguments.get("x") == 13:
            raise InvalidInput("Thirteen is refused. Use another number.")
        if arguments.get("x") == 99:
            raise RuntimeError("a bug")
        return Outcome({"x": arguments.get("x")}, f"{name} done", undo={"x": 1} if name == "write" else None)

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        del context, undo
        return f"{name} undone"


@dataclass
class Rig:
    """One turn: its log, its tools, and the loop over them, which is made again for every run."""

    answers: Iterable[Answer]
    """The model's replies, in order. A reply that was interrupted before it reached the log comes again."""
    rules: Sequence[Rule] = ()
    started: TurnStarted = field(default_factory=lambda: TurnStarted("scripted", "tools", 10))
    limits: Limits = field(default_factory=Limits)
    strategy: Strategy = field(default_factory=ToolsStrategy)
    facts: ModelFacts = FACTS
    toolset: RecordingToolset = field(default_factory=RecordingToolset)

    def __post_init__(self) -> None:
        self.said = list(self.answers)
        self.model = ScriptedModel(self._answer)
        self.journal = MemoryJournal()
        self.journal.append(self.started, UserMessage("Go"), StepStarted(1))

    @property
    def log(self) -> list[Event]:
        return [recorded.event for recorded in self.journal.log]

    @property
    def view(self) -> TurnView:
        return TurnView.of(self.log)

    def _answer(self, request: ModelRequest) -> Answer:
        del request
        return self.said[len(of_type(self.log, AssistantMessage))]

    def loop(self) -> Loop:
        surroundings = FixedSurroundings("Rules.", permissions=self.rules)
        acting = Acting(self.toolset, self.journal, SCOPE, asks_user=True)
        model = UncountedModel(self.model, self.facts)
        return Loop(self.strategy, model, acting, self.journal, surroundings, self.limits, NoKill())

    async def run(self, most: int | None = None) -> TurnView:
        """Run to the next pause or the end. With `most`, break off after so many events, as a dying process would."""
        async with aclosing(self.loop().run(self.view)) as items:
            count = 0
            async for item in items:
                count += isinstance(item, Recorded)
                if count == most:
                    break
        return self.view

    def decide(self, call_id: str, approved: bool, arguments: str | None = None) -> None:
        self.journal.append(ApprovalDecided(call_id, approved, USER, arguments))


T = TypeVar("T")


def of_type(log: Iterable[Event], kind: type[T]) -> list[T]:
    return [event for event in log if isinstance(event, kind)]
