"""The agent over MCP: a message, verdicts, the log, and the next result to review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types

from docagent.agent.state import TurnView
from docagent.api.mcp import asking
from docagent.api.mcp.answers import answer
from docagent.api.mcp.asking import Context
from docagent.api.mcp.callers import Caller
from docagent.api.mcp.calls import segment, why_it_ended
from docagent.api.mcp.following import Answer, Following, waiting_calls
from docagent.api.stream import event_json
from docagent.domain.errors import InvalidInput
from docagent.domain.turns.events import TurnTerms
from docagent.domain.turns.tools import Access
from docagent.domain.turns.turns import Subject, Turn, TurnRequest, TurnState
from docagent.services.turns.deciding import Decision

MOST_EVENTS = 200

CHAT = {
    "type": "object",
    "properties": {
        "message": {"type": "string", "minLength": 1, "description": "What the agent is asked or told."},
        "document_id": {"type": "string", "description": "The document that it is about."},
        "project_id": {"type": "string", "description": "Or the project that it is about."},
        "thread_id": {"type": "string", "description": "The conversation to go on with."},
        "model": {"type": "string", "description": "The model; else the organisation's default."},
        "strategy": {"type": "string", "description": "The strategy; else the default."},
    },
    "required": ["message"],
}
APPROVE = {
    "type": "object",
    "properties": {
        "turn_id": {"type": "string", "description": "The turn that waits."},
        "approved": {"type": "boolean", "description": "One verdict on all that waits."},
        "approvals": {
            "type": "array",
            "description": "Or a verdict on each call; those not named are rejected.",
            "items": {
                "type": "object",
                "properties": {"call_id": {"type": "string"}, "approved": {"type": "boolean"}},
                "required": ["call_id", "approved"],
            },
        },
        "reason": {"type": "string", "description": "Why; the agent is told."},
        "answer": {"type": "string", "description": "The answer, if the agent asked a question."},
    },
    "required": ["turn_id"],
}
EVENTS = {
    "type": "object",
    "properties": {
        "turn_id": {"type": "string", "description": "The turn."},
        "after": {"type": "integer", "minimum": 0, "description": "Number of the last event seen."},
    },
    "required": ["turn_id"],
}
TURN = {
    "type": "object",
    "properties": {
        "turn_id": {"type": "string"},
        "thread_id": {"type": ["string", "null"]},
        "state": {"type": "string"},
        "text": {"type": "string"},
        "calls": {"type": "array", "items": {"type": "object"}},
        "question": {"type": ["string", "null"]},
    },
    "required": ["turn_id", "state", "text", "calls"],
}
LOG = {
    "type": "object",
    "properties": {"state": {"type": "string"}, "events": {"type": "array", "items": {"type": "object"}}},
    "required": ["state", "events"],
}


async def chat(
    caller: Caller, context: Context, arguments: Mapping[str, Any], parameters: types.CallToolRequestParams
) -> Answer:
    following = Following(caller, context, _turn)
    turns = caller.services.turns
    if parameters.request_state is not None:
        turn = await turns.watching.get(caller.member, parameters.request_state)
        return await following.again(turn, asking.given(parameters))
    subject = Subject.of(_text(arguments, "document_id"), _text(arguments, "project_id"))
    if subject is None:
        raise InvalidInput("Say what the message is about: document_id or project_id.")
    thread_id = _text(arguments, "thread_id")
    if thread_id is None:
        thread_id = await caller.services.threads.create(caller.member, subject)
    request = TurnRequest(
        [{"role": "user", "content": _text(arguments, "message") or ""}],
        _terms(caller, subject),
        model=_text(arguments, "model"),
        strategy=_text(arguments, "strategy"),
        thread_id=thread_id,
    )
    return await following.to_its_end(await turns.starting.start(caller.member, subject, request))


async def approve(
    caller: Caller, context: Context, arguments: Mapping[str, Any], parameters: types.CallToolRequestParams
) -> Answer:
    """Verdicts, or an answer; then what came of it. Where the person can be asked, a yes is theirs to say."""
    turns, member = caller.services.turns, caller.member
    turn_id = _text(arguments, "turn_id") or ""
    turn = await turns.watching.get(member, turn_id)
    following = Following(caller, context, _turn)
    if parameters.request_state is not None:
        return await following.again(turn, asking.given(parameters))
    if turn.state.is_waiting and asking.can_ask(context) and _says_yes(arguments):
        return await following.to_its_end(turn)
    reason = _text(arguments, "reason")
    if turn.state is TurnState.AWAITING_INPUT:
        said = _text(arguments, "answer")
        if said is None:
            raise InvalidInput("The agent asked a question. Send answer.")
        turn = await turns.deciding.answer(member, turn_id, said)
    elif isinstance(arguments.get("approvals"), list):
        decisions = [_decision(item, reason) for item in arguments["approvals"]]
        turn = await turns.deciding.decide(member, turn_id, decisions)
    elif isinstance(arguments.get("approved"), bool):
        waiting = await turns.watching.pending(turn)
        decisions = [Decision(call.id, arguments["approved"], reason=reason) for call in waiting if call.asks]
        turn = await turns.deciding.decide(member, turn_id, decisions)
    else:
        raise InvalidInput("Send approved, true or false, or approvals with a verdict on each call.")
    return await following.to_its_end(turn)


async def events(caller: Caller, arguments: Mapping[str, Any]) -> types.CallToolResult:
    turn_id, after = _text(arguments, "turn_id") or "", arguments.get("after") or 0
    if not isinstance(after, int) or after < 0:
        raise InvalidInput("after is the number of an event, 0 or more.")
    found = await caller.services.turns.watching.events(caller.member, turn_id, min(after, 2**31 - 1))
    turn = await caller.services.turns.watching.get(caller.member, turn_id)
    shown = [event_json(item) for item in found[:MOST_EVENTS]]
    return answer({"state": turn.state.value, "events": shown})


async def review_next(caller: Caller, arguments: Mapping[str, Any]) -> types.CallToolResult:
    prompt_id = _text(arguments, "prompt_id")
    if prompt_id is None:
        return answer(await caller.api.get("/review"))
    body = {key: value for key, value in arguments.items() if key != "prompt_id"}
    return answer(await caller.api.call("post", f"/review/{segment(prompt_id)}/next", body=body))


def _terms(caller: Caller, subject: Subject) -> TurnTerms:
    """What the connection allows, as far as this conversation has such tools."""
    offered = caller.services.project_tools if subject.project_id else caller.services.tools
    names = {tool.name for tool in offered}
    reads = tuple(tool.name for tool in offered if tool.access is Access.READ_ONLY)
    wanted = caller.wants.terms
    return TurnTerms(
        auto_approve=wanted.auto_approve,
        auto_approved_tools=tuple(name for name in wanted.auto_approved_tools if name in names),
        selected_tools=reads if caller.wants.read_only else None,
    )


async def _turn(turn: Turn, view: TurnView) -> types.CallToolResult:
    over = view.end
    text = getattr(over, "text", "") or (why_it_ended(view) if turn.state.is_over else "")
    question = view.question_to_user if turn.state is TurnState.AWAITING_INPUT else None
    content = {
        "turn_id": turn.id,
        "thread_id": turn.thread_id,
        "state": turn.state.value,
        "text": text,
        "calls": waiting_calls(view),
        "question": question.question if question else None,
        "results": [
            {"name": result.name, "summary": result.summary, "is_error": result.is_error}
            for result in view.executed()
        ],
    }
    return answer(content)


def _says_yes(arguments: Mapping[str, Any]) -> bool:
    given = arguments.get("approvals")
    verdicts = given if isinstance(given, list) else [arguments]
    return any(isinstance(item, Mapping) and item.get("approved") is True for item in verdicts)


def _decision(item: Any, reason: str | None) -> Decision:
    if not isinstance(item, dict) or not isinstance(item.get("approved"), bool):
        raise InvalidInput("Each of approvals has call_id, and approved, true or false.")
    call_id = item.get("call_id") or item.get("callId") or ""
    return Decision(str(call_id), item["approved"], reason=reason)


def _text(arguments: Mapping[str, Any], name: str) -> str | None:
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{name} is a text.")
    return value or None
