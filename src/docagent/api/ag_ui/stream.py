"""AG-UI's view of a turn: the events of its runs and what interrupts them. The only file that knows them.

A turn is told as several runs if it pauses: one from the message to the first pause, one from each verdict on.
Loaded at first use: the protocol's models take half a second.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ag_ui import core

from docagent.agent.state import TurnView
from docagent.api.ag_ui.interrupts import interrupts_of
from docagent.api.speech import Kind, Piece, Speech
from docagent.api.stream import run_lines
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns import events as turn_events
from docagent.domain.turns.turns import Turn
from docagent.services.turns.live import Item

OURS = "docagent"
"""The key of what only we send, in metadata and in the names of custom events."""

Json = dict[str, Any]
Events = Iterator[core.BaseEvent]


@dataclass(frozen=True, slots=True)
class Run:
    """A run by the names that the client gave it, and the turn behind it."""

    thread_id: str
    run_id: str
    turn: Turn
    after: int
    """The number of the last event of the turn that was told before."""


@dataclass(slots=True)
class _Open:
    kind: Kind
    reply: str
    message_id: str


@dataclass(slots=True)
class RunFold:
    """Turns the items of a run into the protocol's events."""

    run: Run
    log: list[turn_events.Recorded]
    """The earlier events of the turn; each new one is added."""
    _speech: Speech = field(init=False)
    _view: TurnView | None = field(init=False)
    _state: Json | None = None
    _open: _Open | None = None
    _spoken: str | None = None
    """The message that holds the text of the present reply; its calls belong to it."""
    _step: str | None = None
    _counted: list[turn_events.UsageCounted] = field(default_factory=list)
    _told: int = 0

    def __post_init__(self) -> None:
        self._speech = Speech(self.log)
        self._view = TurnView.of(item.event for item in self.log) if self.log else None

    def begun(self) -> Events:
        yield core.RunStartedEvent(
            thread_id=self.run.thread_id,
            run_id=self.run.run_id,
            protocol_version=core.PROTOCOL_VERSION,
            metadata={OURS: {"turn_id": self.run.turn.id, "thread_id": self.run.turn.thread_id}},
        )
        yield from self._changed_state()

    def events(self, item: Item) -> Events:
        for piece in self._speech.pieces(item):
            yield from self._piece(piece)
        if isinstance(item, turn_events.Recorded):
            self.log.append(item)
            if isinstance(item.event, turn_events.TurnStarted):
                self._view = TurnView.of([item.event])
            elif self._view is not None:
                self._view.apply(item.event)
            yield from self._close()
            yield from self._event(item)
            yield from self._changed_state()

    def _event(self, item: turn_events.Recorded) -> Events:
        match item.event:
            case turn_events.StepStarted() as started:
                yield from self._end_step()
                self._step = f"step {started.step}"
                yield core.StepStartedEvent(step_name=self._step)
            case turn_events.AssistantMessage() as message:
                parent, self._spoken = self._spoken, None
                for call in message.calls:
                    yield from _call(call, parent)
            case turn_events.ToolProgress() as progress:
                yield core.CustomEvent(
                    name=f"{OURS}.tool_progress",
                    value={
                        "toolCallId": progress.call_id,
                        "done": progress.done,
                        "total": progress.total,
                        "message": progress.message,
                    },
                )
            case turn_events.ToolFinished() as result:
                yield core.ToolCallResultEvent(
                    message_id=f"{self.run.turn.id}-{item.seq}",
                    tool_call_id=result.call_id,
                    content=result.content,
                    role="tool",
                    metadata={OURS: {"is_error": result.is_error, "summary": result.summary}},
                )
            case turn_events.Steered() as steered:
                message_id = f"{self.run.turn.id}-{item.seq}"
                yield core.TextMessageStartEvent(message_id=message_id, role="user")
                yield core.TextMessageContentEvent(message_id=message_id, delta=steered.text)
                yield core.TextMessageEndEvent(message_id=message_id)
            case turn_events.UsageCounted() as usage:
                self._counted.append(usage)
            case _:
                pass

    def _piece(self, piece: Piece) -> Events:
        if self._open is None or (self._open.kind, self._open.reply) != (piece.kind, piece.reply):
            yield from self._close()
            self._told += 1
            self._open = _Open(piece.kind, piece.reply, self._message_id(piece))
            if piece.kind == "text":
                self._spoken = self._open.message_id
                yield core.TextMessageStartEvent(message_id=self._open.message_id, role="assistant")
            else:
                yield core.ReasoningStartEvent(message_id=self._open.message_id)
                yield core.ReasoningMessageStartEvent(message_id=self._open.message_id, role="reasoning")
        kind = core.TextMessageContentEvent if piece.kind == "text" else core.ReasoningMessageContentEvent
        if piece.text:
            yield kind(message_id=self._open.message_id, delta=piece.text)

    def _message_id(self, piece: Piece) -> str:
        """The same whenever the turn is streamed from its start, and never one of an earlier run of the turn."""
        return f"{self.run.turn.id}-{piece.reply}-{self.run.after}-{self._told}"

    def _close(self) -> Events:
        if self._open is None:
            return
        opened, self._open = self._open, None
        if opened.kind == "text":
            yield core.TextMessageEndEvent(message_id=opened.message_id)
        else:
            yield core.ReasoningMessageEndEvent(message_id=opened.message_id)
            yield core.ReasoningEndEvent(message_id=opened.message_id)

    def _end_step(self) -> Events:
        if self._step is not None:
            yield core.StepFinishedEvent(step_name=self._step)
            self._step = None

    def _changed_state(self) -> Events:
        """The whole state first, then each part that became another."""
        view = self._view
        if view is None:
            return
        plan = [{"text": step.text, "done": step.done} for step in view.plan.steps] if view.plan else None
        state: Json = {"state": view.turn_state, "plan": plan, "working_state": view.state.as_json()}
        former, self._state = self._state, state
        if former is None:
            yield core.StateSnapshotEvent(snapshot=state)
        elif changed := [key for key in state if state[key] != former[key]]:
            yield core.StateDeltaEvent(
                delta=[{"op": "replace", "path": f"/{key}", "value": state[key]} for key in changed]
            )

    def _usage(self) -> list[core.TokenUsage] | None:
        """What the run used, by model."""
        models = dict.fromkeys(event.model for event in self._counted)
        return [
            _sum(model, [event for event in self._counted if event.model == model]) for model in models
        ] or None

    def finished(self) -> Events:
        """The end of the run: the turn is over, or it waits for a person."""
        end = self.log[-1].event if self.log else None
        if isinstance(end, turn_events.Failed):
            yield from self.broken(end.error, end.code)
            return
        yield from self._close()
        yield from self._end_step()
        yield core.RunFinishedEvent(
            thread_id=self.run.thread_id,
            run_id=self.run.run_id,
            outcome=self._outcome(end),
            result=_result(end),
            usage=self._usage(),
        )

    def broken(self, error: str, code: str) -> Events:
        yield from self._close()
        yield from self._end_step()
        yield core.RunErrorEvent(message=error, code=code, usage=self._usage())

    def _outcome(self, end: turn_events.Event | None) -> core.RunFinishedOutcome:
        if isinstance(end, turn_events.Stopped):
            return core.RunFinishedCancelledOutcome()
        waiting = interrupts_of(self.run.turn.id, self._view) if self._view is not None else []
        return (
            core.RunFinishedInterruptOutcome(interrupts=waiting)
            if waiting
            else core.RunFinishedSuccessOutcome()
        )


def ag_ui_lines(
    items: AsyncGenerator[list[Item]], run: Run, log: list[turn_events.Recorded]
) -> AsyncIterator[bytes]:
    """The stream of one run. `log` holds the events of the turn before it."""
    fold = RunFold(run, log)
    return run_lines(
        items,
        lambda item: map(_line, fold.events(item)),
        lambda: _lines(fold.finished()),
        begin=lambda: _lines(fold.begun()),
        broken=lambda error, code: _lines(fold.broken(error, code)),
    )


def _call(call: ToolCall, parent: str | None) -> Events:
    yield core.ToolCallStartEvent(tool_call_id=call.id, tool_call_name=call.name, parent_message_id=parent)
    if call.arguments:
        yield core.ToolCallArgsEvent(tool_call_id=call.id, delta=call.arguments)
    yield core.ToolCallEndEvent(tool_call_id=call.id)


def _sum(model: str, counted: Iterable[turn_events.UsageCounted]) -> core.TokenUsage:
    read = written = cached = 0
    for event in counted:
        read, written = read + event.input_tokens, written + event.output_tokens
        cached += event.cached_input_tokens
    return core.TokenUsage(
        model=model,
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        cached_input_tokens=cached,
    )


def _result(end: turn_events.Event | None) -> Json | None:
    match end:
        case turn_events.Completed():
            lacks = {"shortfall": end.shortfall, "note": end.note} if end.shortfall else {}
            return {"text": end.text, **lacks}
        case turn_events.LimitReached():
            return {"text": end.text, "limit": end.limit}
        case turn_events.Stopped():
            return {"text": end.text, "kept": list(end.kept)}
        case _:
            return None


def _line(event: core.BaseEvent) -> bytes:
    return b"data: " + event.model_dump_json(by_alias=True).encode() + b"\n\n"


def _lines(events: Iterable[core.BaseEvent]) -> bytes:
    return b"".join(map(_line, events))
