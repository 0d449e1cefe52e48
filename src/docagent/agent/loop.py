"""The loop: a generator of events over a model, tools and a journal.

It does not know who listens. What it yields is durable already, except deltas. When a person is needed the
generator ends; a new one, over the same log, continues from there.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Literal

from docagent.agent.acting import (
    REQUEST_INPUT,
    Acting,
    AfterBatch,
    Ready,
    answered,
    begin,
    unique_calls,
)
from docagent.agent.limits import CLOSING, CLOSING_REQUEST, TOO_LATE, Limits
from docagent.agent.ports import AgentModel, Entry, Journal, KillPoint, Surroundings, SystemText
from docagent.agent.requests import model_request
from docagent.agent.shortfalls import completed, is_asked_for_again, shortfall_of
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import AskModel, AskUser, Finish, Note, StartStep, Strategy
from docagent.agent.strategies.control import MISPLACED_KEYS, as_spoken
from docagent.domain.errors import DocAgentError
from docagent.domain.models import llm
from docagent.domain.turns import events
from docagent.domain.turns.turns import MAX_ROUNDS_TEXT
from docagent.reply_json import ObjectsLeftOut


@dataclass(frozen=True)
class Loop:
    strategy: Strategy
    model: AgentModel
    acting: Acting
    journal: Journal
    surroundings: Surroundings
    limits: Limits
    kill: KillPoint

    async def run(self, view: TurnView) -> AsyncGenerator[events.Recorded | events.Delta]:
        """Continue where the log ends, until the turn pauses or is over."""
        begun = time.monotonic()
        while view.end is None and not view.is_waiting:
            async with aclosing(self._advance(view, begun)) as items:
                async for item in items:
                    if item is not None:
                        yield item
                    for recorded in self.journal.taken():
                        yield recorded
            for recorded in self.journal.taken():
                yield recorded

    async def _advance(self, view: TurnView, begun: float) -> AsyncGenerator[events.Delta | None]:
        if view.timed_out:
            await self._record(view, events.Stopped("input_timed_out", kept=kept(view)))
        elif (answer := answered(view)) is not None:
            await self._record(view, answer)
        elif view.outstanding:
            async for _ in self._act(view, begun):
                yield None
        else:
            async for delta in self._step(view, begun):
                yield delta

    # --- one action of the strategy ---------------------------------------------------------------------------

    async def _step(self, view: TurnView, begun: float) -> AsyncGenerator[events.Delta | None]:
        action = self.strategy.next(view)
        match action:
            case StartStep() | Finish():
                async for delta in self._end_step(view, action, begun):
                    yield delta
            case AskModel():
                limit = self.limits.forbids_call(view, time.monotonic() - begun)
                async for delta in self._close(view, limit) if limit else self._ask(view, action, begun):
                    yield delta
            case AskUser() if not self.acting.asks_user:
                async for delta in self._end_step(view, Finish(action.question), begun):
                    yield delta
            case AskUser():
                await self._record(view, events.InputRequested(action.question, choices=action.choices))
            case Note():
                await self._record(view, *action.events)

    async def _end_step(
        self, view: TurnView, action: StartStep | Finish, begun: float
    ) -> AsyncGenerator[events.Delta | None]:
        """End a step. Here the turn takes in what the user said meanwhile, which gets a step of its own."""
        if steering := await self.journal.signals():
            await self._record(view, *steering)
        if isinstance(action, Finish) and not view.heard:
            async with self.journal.entry() as entry:
                await self._add_end(entry, view, action)
        elif limit := self.limits.reached(view, time.monotonic() - begun):
            async for delta in self._close(view, limit):
                yield delta
        else:
            await self._record(view, events.StepStarted(view.step + 1))

    async def _add_end(self, entry: Entry, view: TurnView, action: Finish) -> None:
        """Add the turn's end, unless the user has just sent a message: then the turn continues."""
        if not await entry.steering():
            _add(entry, view, completed(action.text, view))

    async def _ask(self, view: TurnView, ask: AskModel, begun: float) -> AsyncGenerator[events.Delta | None]:
        system = await self.surroundings.system(view.state.as_json())
        request, trimmed = await self._request(view, ask, system)
        called = time.monotonic()
        reply: llm.ModelReply | None = None
        self.kill.reached("before model call")
        async with aclosing(self._stream(view, ask, request)) as items:
            async for item in items:
                if isinstance(item, events.Delta):
                    yield item
                else:
                    reply = _with_unique_calls(item, view)
        assert reply is not None
        self.kill.reached("after model call")
        if ask.asks_again and is_asked_for_again(reply, view):
            async with self.journal.entry() as entry:
                usage = await self._settle(request, reply, ask, called)
                _add(entry, view, *trimmed, usage, events.AskedAgain(view.step, ask.purpose))
            return
        said = list(self.strategy.read(ask, reply, view))
        calls = [call for event in said if isinstance(event, events.AssistantMessage) for call in event.calls]
        async with self.journal.entry() as entry:
            judged = await self._judge(view, calls, system)
            usage = await self._settle(request, reply, ask, called)
            _add(entry, view, *trimmed, *said, usage)
            if isinstance(judged, events.ApprovalRequested):
                _add(entry, view, judged)
            else:
                begin(entry.add, view, judged)
                if finish := self._finish(view):
                    await self._add_end(entry, view, finish)
        if calls and not isinstance(judged, events.ApprovalRequested):
            yield None
            async for _ in self._run(view, judged, begun):
                yield None

    async def _stream(
        self, view: TurnView, ask: AskModel, request: llm.ModelRequest
    ) -> AsyncGenerator[events.Delta | llm.ModelReply]:
        spoken = ObjectsLeftOut(ask.control_keys) if ask.control_keys else None
        async with aclosing(self.model.stream(request)) as pieces:
            async for event in pieces:
                match event:
                    case llm.TextDelta():
                        if shown := spoken.feed(event.text) if spoken else event.text:
                            yield _delta("text", shown, view, ask)
                    case llm.ThinkingDelta():
                        yield _delta("thinking", event.text, view, ask)
                    case llm.CallDelta():
                        if ask.offers_tools:
                            yield _delta("call", event.arguments, view, ask, event.number, event.begins)
                    case llm.ModelReply():
                        if spoken and (shown := spoken.rest()):
                            yield _delta("text", shown, view, ask)
                        yield event

    async def _settle(
        self, request: llm.ModelRequest, reply: llm.ModelReply, ask: AskModel, called: float
    ) -> events.UsageCounted:
        usage = await self.model.settle(request, reply, ask.purpose)
        milliseconds = round((time.monotonic() - called) * 1000)
        return replace(usage, milliseconds=milliseconds, shortfall=shortfall_of(reply))

    async def _request(
        self, view: TurnView, ask: AskModel, system: SystemText
    ) -> tuple[llm.ModelRequest, Sequence[events.Event]]:
        offered = self.acting.offered(view.started.terms.selected_tools)
        return await model_request(view, ask, system, self.model.facts, offered, self.surroundings)

    def _finish(self, view: TurnView) -> Finish | None:
        """The end of the turn if it follows directly on the reply. Both in one entry save a commit."""
        if view.outstanding or view.is_waiting:
            return None
        action = self.strategy.next(view)
        return action if isinstance(action, Finish) else None

    async def _judge(
        self, view: TurnView, calls: Sequence[llm.ToolCall], system: SystemText
    ) -> list[Ready] | events.ApprovalRequested:
        if not calls:
            return []
        # What a tool returned is text of documents or of web pages. What the user answered is neither.
        tainted = system.tainted or any(result.name != REQUEST_INPUT.name for result in view.executed())
        return await self.acting.judge(view, calls, await self.surroundings.rules(), tainted=tainted)

    # --- calls that are outstanding ---------------------------------------------------------------------------

    async def _act(self, view: TurnView, begun: float) -> AsyncGenerator[None]:
        """Continue with a batch after verdicts, or after the process that ran it died."""
        calls = view.outstanding
        rules = await self.surroundings.rules()
        judged = await self.acting.judge(view, calls, rules, tainted=True)
        if isinstance(judged, events.ApprovalRequested):
            await self._record(view, judged)
            return
        async with self.journal.entry() as entry:
            begin(entry.add, view, judged)
        yield
        async for _ in self._run(view, judged, begun):
            yield

    async def _run(self, view: TurnView, judged: Sequence[Ready], begun: float) -> AsyncGenerator[None]:
        after = AfterBatch(view, lambda: self._opening(view, begun))
        async for _ in self.acting.run(view, judged, after):
            yield
        if any(item.kind == "write" for item in judged):
            self.surroundings.changed()

    def _opening(self, view: TurnView, begun: float) -> Sequence[events.Event]:
        """The start of the next step, for the entry that ends the batch before it."""
        if view.outstanding or view.is_waiting or self.journal.has_signals():
            return ()
        action = self.strategy.next(view)
        if isinstance(action, StartStep) and not self.limits.reached(view, time.monotonic() - begun):
            return [events.StepStarted(view.step + 1)]
        return ()

    # --- limits -----------------------------------------------------------------------------------------------

    async def _close(self, view: TurnView, limit: events.Limit) -> AsyncGenerator[events.Delta | None]:
        """End the turn at a limit, with a closing answer without tools if tokens and credits are left."""
        line = MAX_ROUNDS_TEXT if limit is events.Limit.STEPS else CLOSING[limit]
        if limit in (events.Limit.STEPS, events.Limit.TIME):
            instructions = f"{CLOSING[limit]} {CLOSING_REQUEST}"
            closing = AskModel(
                "answer", offers_tools=False, instructions=instructions, control_keys=MISPLACED_KEYS
            )
            system = await self.surroundings.system(view.state.as_json())
            request, _ = await self._request(view, closing, system)
            called = time.monotonic()
            reply: llm.ModelReply | None = None
            with suppress(DocAgentError):
                async with aclosing(self._stream(view, closing, request)) as items:
                    async for item in items:
                        if isinstance(item, events.Delta):
                            yield item
                        else:
                            reply = item
            if reply is not None:
                parts = tuple(part for part in reply.parts if not isinstance(part, llm.ToolCall))
                said = replace(as_spoken(replace(reply, parts=parts), view), closing=True)
                text = f"{said.text.strip()}\n\n{line}" if said.text.strip() else line
                async with self.journal.entry() as entry:
                    usage = await self._settle(request, reply, closing, called)
                    _add(entry, view, said, usage)
                    await self._add_limit(entry, view, limit, text, line)
                return
        async with self.journal.entry() as entry:
            await self._add_limit(entry, view, limit, line, line)

    async def _add_limit(
        self, entry: Entry, view: TurnView, limit: events.Limit, text: str, line: str
    ) -> None:
        """Add the end at a limit. Messages that came too late are kept in the log, and the answer says so."""
        late = await entry.steering()
        _add(entry, view, *late, events.LimitReached(limit, f"{TOO_LATE} {line}" if late else text))

    # --- common -----------------------------------------------------------------------------------------------

    async def _record(self, view: TurnView, *added: events.Event) -> None:
        async with self.journal.entry() as entry:
            _add(entry, view, *added)


def _add(entry: Entry, view: TurnView, *added: events.Event) -> None:
    for event in added:
        entry.add(event)
        view.apply(event)


def kept(view: TurnView) -> tuple[str, ...]:
    """The changes that a turn made before it ended early, in words."""
    return tuple(
        result.summary for result in view.executed() if result.undo is not None and not result.is_error
    )


def _delta(
    kind: Literal["text", "thinking", "call"],
    text: str,
    view: TurnView,
    ask: AskModel,
    call: int = 0,
    begins: str | None = None,
) -> events.Delta:
    return events.Delta(
        kind, text, view.step, "act" if ask.purpose == "answer" else ask.purpose, call, begins
    )


def _with_unique_calls(reply: llm.ModelReply, view: TurnView) -> llm.ModelReply:
    renamed = unique_calls(reply.tool_calls, view)
    if all(renamed[position] is call for position, call in enumerate(reply.tool_calls)):
        return reply
    calls = iter(renamed.values())
    parts = tuple(next(calls) if isinstance(part, llm.ToolCall) else part for part in reply.parts)
    return replace(reply, parts=parts)
