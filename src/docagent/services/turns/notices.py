"""The notices that the log of a turn gives rise to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from docagent.agent.deciding.facts import act_facts
from docagent.agent.state import TurnView
from docagent.domain.deliveries.notices import AgentActionCompleted, Notice, TurnEnded, TurnWaits
from docagent.domain.turns import events
from docagent.domain.turns.turns import STATE_AFTER, Turn

_ACT_ENDS = (events.ApprovalRequested, events.Completed, events.LimitReached, events.Failed)
"""With these an `act` has been answered. One that waits and is dropped was answered already."""


def turn_notices(turn: Turn, view: TurnView, recorded: Sequence[events.Recorded]) -> Iterator[Notice]:
    """The notices for events that were just written and that `view` already holds."""
    about: dict[str, Any] = {
        "organization_id": turn.organization_id,
        "turn_id": turn.id,
        "thread_id": turn.thread_id,
        "document_id": turn.document_id,
        "project_id": turn.project_id,
        "user_id": turn.user_id,
    }
    for item in recorded:
        if view.started.terms.acts and isinstance(item.event, _ACT_ENDS):
            yield _act(about | {"at": item.at}, view, item.event)
        match item.event:
            case events.ToolFinished(ran=True) as result if not view.started.terms.acts:
                yield _action(about | {"at": item.at}, view, result)
            case events.ApprovalRequested(calls=calls):
                tools = tuple(call.name for call in calls if call.asks)
                yield TurnWaits(**about, at=item.at, waits_for="approval", tools=tools)
            case events.Plan(waits=True):
                yield TurnWaits(**about, at=item.at, waits_for="plan", tools=())
            case events.InputRequested():
                yield TurnWaits(**about, at=item.at, waits_for="input", tools=())
            case (events.Completed() | events.Stopped() | events.LimitReached() | events.Failed()) as end:
                yield _end(about | {"at": item.at}, turn, view, end)


def _action(about: dict[str, Any], view: TurnView, result: events.ToolFinished) -> AgentActionCompleted:
    started = view.running.get(result.call_id)
    return AgentActionCompleted(
        **about,
        call_id=result.call_id,
        tool=result.name,
        outcome="failed" if result.is_error else "done",
        grant=started.grant.kind.value if started else None,
        milliseconds=result.milliseconds,
        credits=result.credits,
        success=not result.is_error,
    )


def _act(about: dict[str, Any], view: TurnView, event: events.Event) -> AgentActionCompleted:
    facts = None if isinstance(event, events.Failed | events.LimitReached) else act_facts(view)
    success = facts is not None and facts.succeeded
    spent = (
        one.milliseconds for one in view.events if isinstance(one, events.UsageCounted | events.ToolFinished)
    )
    return AgentActionCompleted(
        **about | {"document_id": facts.document_id if facts else None},
        call_id=None,
        tool="act",
        outcome="done" if success else "failed",
        grant=events.GrantKind.ACT.value,
        milliseconds=sum(spent),
        credits=view.credits,
        action_type="agent_action",
        success=success,
        chat_id=about["thread_id"],
        metadata=facts.flags if facts else {},
    )


def _end(about: dict[str, Any], turn: Turn, view: TurnView, end: events.Terminal) -> TurnEnded:
    return TurnEnded(
        **about,
        outcome=STATE_AFTER[end.type].value,
        reason=end_reason(end),
        model=turn.model,
        strategy=turn.strategy,
        steps=view.step,
        model_calls=view.model_calls,
        tokens=view.tokens,
        credits=view.credits,
        proposes=view.started.terms.proposes,
    )


def end_reason(end: events.Terminal) -> str | None:
    """Why the turn ended, as a word for programs; None if it was completed with a whole answer."""
    match end:
        case events.Failed():
            return end.code
        case events.Stopped():
            return end.reason
        case events.LimitReached():
            return end.limit.value
        case events.Completed():
            return end.shortfall
