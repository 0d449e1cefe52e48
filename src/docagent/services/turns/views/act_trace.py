"""The spans of an `act`, under the names by which its clients look for them. What they measure is that of any turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from docagent.agent.deciding.course import CREATE, DELETE, LIST, READ, REWRITE, SEARCH
from docagent.agent.deciding.facts import act_facts
from docagent.agent.state import TurnView
from docagent.domain.telemetry import AttributeValue, Span
from docagent.domain.turns.events import Completed, Recorded
from docagent.domain.turns.turns import Turn

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


def as_act(turn: Turn, recorded: Sequence[Recorded], span: Span) -> Span:
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
    if not isinstance(view.end, Completed):
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
