"""The loop inside a program of your own: no server, no database.

loop = AgentLoop("react", tools=[FunctionTool(...)])
result = await loop.run(session="s1", model=model, messages=[{"role": "user", "content": "..."}])
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from docagent.agent.acting import Acting
from docagent.agent.context import Block
from docagent.agent.functions import FunctionTool, FunctionToolset
from docagent.agent.limits import Limits
from docagent.agent.loop import Loop, kept
from docagent.agent.memory import FixedSurroundings, MemoryJournal, NoKill, UncountedModel
from docagent.agent.ports import ModelFacts, Toolset
from docagent.agent.sanitise import client_messages, sanitise
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.prompts import Prompts
from docagent.agent.strategies.registry import all_strategies
from docagent.agent.updates import AgentUpdates, Update
from docagent.domain import background
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.errors import DocAgentError, InvalidInput
from docagent.domain.models.catalogue import UNKNOWN_CONTEXT, UNKNOWN_OUTPUT
from docagent.domain.models.llm import Model
from docagent.domain.turns import events
from docagent.domain.turns.tools import Scope

NOBODY_TO_ASK = "Nobody can approve this here."


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What a run knows of its surroundings. `files` are texts by name; `cancel_token` stops the run when set."""

    session_id: str
    user_email: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    history: Sequence[Mapping[str, Any]] = ()
    cancel_token: asyncio.Event | None = None


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """What the event handler receives: `agent_start`, `agent_reason`, `agent_tool_start` and so on.

    `payload` has the fields of the typed `update` (agent/updates.py) by name.
    """

    update: Update

    @property
    def type(self) -> str:
        name = self.update.name
        return f"agent_{name}" if name in _TOOL_UPDATES else name

    @property
    def payload(self) -> Mapping[str, Any]:
        return self.update.payload()


@dataclass(frozen=True, slots=True)
class AgentResult:
    final_answer: str
    steps: int
    metadata: Mapping[str, Any] = field(default_factory=dict)


AgentEventHandler = Callable[[AgentEvent], Awaitable[None]]
Approver = Callable[[events.RequestedCall], Awaitable[bool]]
Answerer = Callable[[str], Awaitable[str | None]]
Lookup = Callable[[str, Sequence[str]], Awaitable[Sequence[Block]]]

_TOOL_UPDATES = ("tool_start", "tool_progress", "tool_complete", "tool_error")


class AgentLoop:
    """One strategy over your tools. `approve` decides about calls that write; without it they are rejected."""

    def __init__(
        self,
        strategy: str | Strategy = "tools",
        *,
        tools: Sequence[FunctionTool] | Toolset = (),
        approve: Approver | None = None,
        answer: Answerer | None = None,
        look_up: Lookup | None = None,
        limits: Limits | None = None,
        system: str | None = None,
        prompts: Prompts | None = None,
    ) -> None:
        texts = prompts or Prompts()
        self._strategy = all_strategies(texts).get(strategy) if isinstance(strategy, str) else strategy
        self._toolset = FunctionToolset(tools) if isinstance(tools, Sequence) else tools
        self._approve = approve
        self._answer = answer
        self._look_up = look_up
        self._limits = limits or Limits()
        self._system = system or texts.text("system")

    async def run(
        self,
        session: object,
        model: Model,
        messages: Sequence[Mapping[str, Any]],
        context: AgentContext | None = None,
        selected_tools: Sequence[str] | None = None,
        data_sources: Sequence[str] | None = None,
        max_steps: int = 10,
        temperature: float | None = None,
        event_handler: AgentEventHandler | None = None,
        *,
        model_name: str = "model",
    ) -> AgentResult:
        """Run one turn from the last message, which is the user's, to its end. The other messages are the history."""
        known = context or AgentContext(str(session))
        cleaned = sanitise([*known.history, *messages])
        if not cleaned or cleaned[-1]["role"] != "user":
            raise InvalidInput("The last message must be the user's.")
        question = str(cleaned[-1]["content"])
        journal = MemoryJournal()
        started = events.TurnStarted(
            model=model_name,
            strategy=self._strategy.name,
            max_steps=max_steps,
            terms=events.TurnTerms(
                selected_tools=None if selected_tools is None else tuple(selected_tools),
                data_sources=tuple(data_sources or ()),
                temperature=temperature,
            ),
            files=tuple(known.files),
        )
        journal.append(started, events.UserMessage(question), events.StepStarted(1))
        view = TurnView.of(recorded.event for recorded in journal.log)
        loop = Loop(
            strategy=self._strategy,
            model=UncountedModel(model, ModelFacts(model_name, UNKNOWN_CONTEXT, UNKNOWN_OUTPUT)),
            acting=Acting(self._toolset, journal, _scope(known), asks_user=self._answer is not None),
            journal=journal,
            surroundings=await self._surroundings(known, question, data_sources, cleaned[:-1]),
            limits=self._limits,
            kill=NoKill(),
        )
        await self._drive(_Run(loop, view, journal, event_handler), known.cancel_token)
        return _result(view, self._strategy.name)

    async def _surroundings(
        self,
        known: AgentContext,
        question: str,
        data_sources: Sequence[str] | None,
        earlier: Sequence[Mapping[str, Any]],
    ) -> FixedSurroundings:
        blocks = [Block(f"File {name}", name, text) for name, text in known.files.items()]
        if data_sources and self._look_up is not None:
            blocks += await self._look_up(question, data_sources)
        return FixedSurroundings(self._system, blocks, client_messages(earlier))

    async def _drive(self, run: _Run, cancelled: asyncio.Event | None) -> None:
        """Run until the turn ends or the caller cancels it, even before it began."""
        if cancelled is not None and cancelled.is_set():
            await run.add(events.Stopped("user"))
            return
        going = asyncio.create_task(self._go(run))
        stop = asyncio.create_task(cancelled.wait()) if cancelled else None
        try:
            await asyncio.wait({going, stop} if stop else {going}, return_when=asyncio.FIRST_COMPLETED)
            stopped = not going.done()
        finally:
            await background.end(*((going, stop) if stop else (going,)))
        if stopped:
            if run.view.end is None:
                await run.add(events.Stopped("user", kept=kept(run.view)))
            return
        try:
            going.result()
        except DocAgentError as error:
            await run.add(events.Failed(error.detail, type(error).__name__))

    async def _go(self, run: _Run) -> None:
        """Run the loop. Whenever it waits, give the answer that it waits for and run it again."""
        while run.view.end is None:
            await run.go()
            if run.view.end is None:
                await run.add(*[event async for event in self._verdicts(run.view)])

    async def _verdicts(self, view: TurnView) -> AsyncIterator[events.Event]:
        """Yield the program's answers to everything that the loop waits for."""
        for call in view.undecided:
            approved = self._approve is not None and await self._approve(call)
            reason = None if approved or self._approve is not None else NOBODY_TO_ASK
            yield events.ApprovalDecided(call.id, approved, "program", reason=reason)
        if view.waits_for_plan and view.plan is not None:
            yield events.PlanDecided(view.plan.revision, approved=True, user_id="program")
        asked = view.question_to_user
        if asked is not None and view.answer is None and not view.timed_out:
            said = await self._answer(asked.question) if self._answer is not None else None
            yield events.InputTimedOut(asked.question) if said is None else events.InputGiven(said, "program")


@dataclass(slots=True)
class _Run:
    loop: Loop
    view: TurnView
    journal: MemoryJournal
    handler: AgentEventHandler | None
    updates: AgentUpdates = field(default_factory=AgentUpdates)

    async def go(self) -> None:
        for recorded in self.journal.taken():
            await self._tell(recorded)
        async with aclosing(self.loop.run(self.view)) as items:
            async for item in items:
                await self._tell(item)

    async def add(self, *added: events.Event) -> None:
        for event in added:
            self.journal.append(event)
            self.view.apply(event)
        for recorded in self.journal.taken():
            await self._tell(recorded)

    async def _tell(self, item: Any) -> None:
        if self.handler is None:
            return
        for update in self.updates.of(item):
            await self.handler(AgentEvent(update))


def _result(view: TurnView, strategy: str) -> AgentResult:
    end = view.end
    answer = getattr(end, "text", "") or (view.acted.text if view.acted else "")
    tools = [result.name for result in view.executed()]
    return AgentResult(
        final_answer=end.error if isinstance(end, events.Failed) else answer,
        steps=view.step,
        metadata={
            "strategy": strategy,
            "outcome": end.type.value if end else "unfinished",
            "tools": tools,
            "model_calls": view.model_calls,
            "tokens": view.tokens,
            **_about_the_end(end),
        },
    )


def _about_the_end(end: events.Terminal | None) -> dict[str, str]:
    """Which limit was reached, or what the answer lacks, if it was one of these."""
    match end:
        case events.LimitReached():
            return {"limit": end.limit.value}
        case events.Completed(shortfall=shortfall, note=note) if shortfall is not None:
            return {"shortfall": shortfall.value, "note": note}
        case _:
            return {}


def _scope(context: AgentContext) -> Scope:
    email = context.user_email or ""
    principal = Principal("program", email or "program", email, Role.USER, Credential.SESSION)
    return Scope(Member(principal, "program", Role.USER), context.session_id)
