"""The spans of a turn, made of its log once it is over.

The log has every time, count and outcome, so nothing is measured twice, and a turn that was resumed by another process
is one trace like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from docagent.agent.deciding.course import CREATE, DELETE, LIST, READ, REWRITE, SEARCH
from docagent.agent.deciding.facts import act_facts
from docagent.agent.state import TurnView
from docagent.domain.telemetry import AttributeValue, Span
from docagent.domain.turns import events
from docagent.domain.turns.turns import STATE_AFTER, Turn
from docagent.services.turns.notices import end_reason

MOST_CONTENT = 20_000
"""The most characters of one attribute."""

_SAID = (events.AssistantMessage, events.Reason, events.Observe, events.Plan)


@dataclass(slots=True)
class _Step:
    number: int
    start: datetime
    children: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """What is known while the log is read from its beginning."""

    content: bool
    outside: list[Span] = field(default_factory=list)
    """What happened before the first step."""
    steps: list[_Step] = field(default_factory=list)
    running: dict[str, tuple[datetime, events.ToolStarted]] = field(default_factory=dict)
    said: str = ""
    question: str = ""
    usage: list[events.UsageCounted] = field(default_factory=list)
    credits: int = 0

    def add(self, span: Span) -> None:
        (self.steps[-1].children if self.steps else self.outside).append(span)


def trace_of(turn: Turn, recorded: Sequence[events.Recorded], *, content: bool) -> Span:
    """The whole turn as one span. With `content` it holds the texts too, and so the contents of documents."""
    reading = _Reading(content)
    for item in recorded:
        _read(reading, item)
    last = recorded[-1]
    steps = [
        Span("step", step.start, end, {"docagent.step": step.number}, children=tuple(step.children))
        for step, end in zip(reading.steps, _ends(reading.steps, last.at), strict=True)
    ]
    ending = next((item.event for item in reversed(recorded) if item.event.type in STATE_AFTER), None)
    span = Span(
        "invoke_agent docagent",
        recorded[0].at,
        last.at,
        _of_turn(turn, reading),
        children=(*reading.outside, *steps),
    )
    if ending is None:
        return span
    reason = end_reason(ending)  # type: ignore[arg-type]  # its type says that it is the end of a turn
    outcome: dict[str, AttributeValue] = {"docagent.outcome": STATE_AFTER[ending.type].value}
    if reason is not None:
        outcome["docagent.reason"] = reason
    error = ending.code if isinstance(ending, events.Failed) else None
    return replace(span, attributes={**span.attributes, **outcome}, error=error)


def _read(reading: _Reading, item: events.Recorded) -> None:
    match item.event:
        case events.StepStarted(step=number):
            reading.steps.append(_Step(number, item.at))
        case events.UserMessage(text=text):
            reading.question = text
        case events.ToolStarted() as started:
            reading.running[started.call_id] = (item.at, started)
        case events.ToolFinished() as result:
            reading.credits += result.credits
            reading.add(_tool(reading, item.at, result))
        case events.UsageCounted() as usage:
            reading.usage.append(usage)
            reading.credits += usage.credits
            reading.add(_model(reading, item.at, usage))
        case event if isinstance(event, _SAID):
            reading.said = (
                event.text if not isinstance(event, events.Plan) else "\n".join(s.text for s in event.steps)
            )


def _of_turn(turn: Turn, reading: _Reading) -> dict[str, AttributeValue]:
    known: dict[str, AttributeValue | None] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "docagent",
        "gen_ai.conversation.id": turn.thread_id,
        "gen_ai.request.model": turn.model,
        "gen_ai.usage.input_tokens": sum(usage.input_tokens for usage in reading.usage),
        "gen_ai.usage.output_tokens": sum(usage.output_tokens for usage in reading.usage),
        "docagent.turn.id": turn.id,
        "docagent.organization.id": turn.organization_id,
        "docagent.user.id": turn.user_id,
        "docagent.document.id": turn.document_id,
        "docagent.project.id": turn.project_id,
        "docagent.strategy": turn.strategy,
        "docagent.steps": len(reading.steps),
        "docagent.credits": reading.credits,
        "gen_ai.input.messages": _text(reading.question) if reading.content else None,
        "gen_ai.output.messages": _text(reading.said) if reading.content else None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _model(reading: _Reading, at: datetime, usage: events.UsageCounted) -> Span:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": usage.model,
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_input_tokens,
        "docagent.purpose": usage.purpose,
        "docagent.credits": usage.credits,
        "docagent.cost": usage.cost,
    }
    if reading.content:
        attributes["gen_ai.output.messages"] = _text(reading.said)
    start = at - timedelta(milliseconds=usage.milliseconds)
    return Span(f"chat {usage.model}", start, at, attributes, calls_out=True)


def _tool(reading: _Reading, at: datetime, result: events.ToolFinished) -> Span:
    outcome = "refused" if not result.ran else "failed" if result.is_error else "done"
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": result.name,
        "gen_ai.tool.call.id": result.call_id,
        "docagent.outcome": outcome,
        "docagent.credits": result.credits,
    }
    start, end = at, at
    if result.call_id in reading.running:
        start, started = reading.running.pop(result.call_id)
        attributes["docagent.grant"] = started.grant.kind.value
        end = start + timedelta(milliseconds=result.milliseconds) if result.milliseconds else at
        if reading.content:
            attributes["gen_ai.tool.call.arguments"] = _text(started.arguments)
    if reading.content:
        attributes["gen_ai.tool.call.result"] = _text(result.content)
    error = outcome if outcome == "failed" else None
    return Span(f"execute_tool {result.name}", start, end, attributes, error)


def _ends(steps: Sequence[_Step], last: datetime) -> Iterator[datetime]:
    """A step ends where the next one begins."""
    yield from (step.start for step in steps[1:])
    if steps:
        yield last


def _text(text: str) -> str:
    return text[:MOST_CONTENT]


ACT = "agent.process_agent_action_with_chat"
_TOOLS = {
    LIST: "agent.get_project_documents",
    READ: "agent.get_document",
    SEARCH: "agent.web_search",
    CREATE: "agent.create_document",
    REWRITE: "agent.update_document",
    DELETE: "agent.delete_document",
}
_WRITES = (CREATE, REWRITE)


def as_act(turn: Turn, recorded: Sequence[events.Recorded], span: Span) -> Span:
    """The span of a turn as that of an `act`: its chat and messages around, and what it did inside."""
    view = TurnView.of(item.event for item in recorded)
    inner = [child for step in span.children for child in (step.children or (step,))]
    writes = any(child.attributes.get("gen_ai.tool.name") in _WRITES for child in inner)
    about: dict[str, AttributeValue] = {"chat.id": turn.thread_id or "", "project.id": turn.project_id or ""}
    action = Span(
        "agent.process_agent_action",
        span.start,
        span.end,
        {**about, **_decided(view)},
        children=(_moment("agent.get_project", span.start), *_renamed(inner, writes=writes)),
    )
    chat = "agent.create_chat" if turn.position == 1 else "agent.get_chat"
    before = (_moment(chat, span.start), _moment("agent.store_user_message", span.start))
    return replace(
        span,
        name=ACT,
        attributes={
            **span.attributes,
            **about,
            "user.id": turn.user_id,
            "message.length": len(view.question),
        },
        children=(*before, action, _moment("agent.store_agent_message", span.end)),
    )


def _decided(view: TurnView) -> dict[str, AttributeValue]:
    """What was decided and done, if the `act` came to its end."""
    if not isinstance(view.end, events.Completed):
        return {}
    return {f"decision.{name}": value for name, value in act_facts(view).flags.items()}


def _renamed(spans: list[Span], *, writes: bool) -> Iterator[Span]:
    for span in spans:
        tool = span.attributes.get("gen_ai.tool.name")
        if isinstance(tool, str):
            yield replace(span, name=_TOOLS.get(tool, span.name))
        elif span.attributes.get("docagent.purpose") == "reason":
            yield _around("llm.get_agent_decision", span)
        else:
            name = "llm.rewrite_document_content" if writes else "llm.generate_conversational_response"
            yield _around(name, span)


def _around(name: str, call: Span) -> Span:
    return Span(name, call.start, call.end, {}, children=(replace(call, name="llm.api_call"),))


def _moment(name: str, at: datetime) -> Span:
    return Span(name, at, at, {})
