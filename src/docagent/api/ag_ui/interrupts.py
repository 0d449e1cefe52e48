"""What interrupts a run of AG-UI: calls and plans that need a verdict, and questions."""

from __future__ import annotations

from ag_ui.core import Interrupt

from docagent.agent.state import TurnView
from docagent.api.ag_ui.answers import waiting_ids
from docagent.domain.turns.events import InputRequested, Plan, RequestedCall

VERDICT = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "editedArgs": {"type": "object", "description": "Run with these arguments instead"},
        "reason": {"type": "string", "description": "Told to the model"},
        "alwaysAllow": {"enum": ["document", "project", "organization"]},
        "hunks": {"type": "array", "items": {"type": "integer"}, "description": "Accept only these"},
    },
    "required": ["approved"],
}
PLAN_VERDICT = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "steps": {"type": "array", "items": {"type": "string"}, "description": "Follow these instead"},
        "reason": {"type": "string"},
    },
    "required": ["approved"],
}
TEXT = {"type": "string", "minLength": 1}


def interrupts_of(turn_id: str, view: TurnView) -> list[Interrupt]:
    """Everything that the turn waits for, each under an id by which it is answered."""
    ids = waiting_ids(turn_id, view)
    if view.undecided:
        return [_of_call(*each) for each in zip(ids, view.undecided, strict=True)]
    if view.waits_for_plan and view.plan is not None:
        return [_of_plan(ids[0], view.plan)]
    if view.is_waiting and view.question_to_user is not None:
        return [_of_question(ids[0], view.question_to_user)]
    return []


def _of_call(interrupt_id: str, call: RequestedCall) -> Interrupt:
    return Interrupt(
        id=interrupt_id,
        reason="tool_call",
        message=call.summary,
        tool_call_id=call.id,
        response_schema=VERDICT,
        metadata={
            "docagent": {
                "name": call.name,
                "preview": dict(call.preview) if call.preview else None,
                "admin_required": call.by_policy,
            }
        },
    )


def _of_plan(interrupt_id: str, plan: Plan) -> Interrupt:
    steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(plan.steps, 1))
    return Interrupt(id=interrupt_id, reason="confirmation", message=steps, response_schema=PLAN_VERDICT)


def _of_question(interrupt_id: str, asked: InputRequested) -> Interrupt:
    return Interrupt(
        id=interrupt_id,
        reason="input_required",
        message=asked.question,
        tool_call_id=asked.call_id,
        response_schema=TEXT,
        expires_at=asked.expires_at.isoformat() if asked.expires_at else None,
        metadata={"docagent": {"choices": list(asked.choices)}},
    )
