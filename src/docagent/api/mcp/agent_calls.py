"""The agent over MCP: a message, verdicts, the log, and the next result to review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types

from docagent.agent.state import TurnView
from docagent.api.mcp import asking
from docagent.api.mcp.answers import answer
from docagent.api.mcp.call import MOST_SECONDS, WAIT, Call
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

_WAIT = {
    "type": "number",
    "minimum": 0,
    "maximum": MOST_SECONDS,
    "description": "How long to wait for the end; then the state is running, and agent_events tells more. With 0 the "
    "answer is the turn_id at once.",
}
CHAT = {
    "type": "object",
    "properties": {
        "message": {"type": "string", "minLength": 1, "description": "What the agent is asked or told."},
        "document_id": {"type": "string", "description": "The document that it is about."},
        "project_id": {"type": "string", "description": "Or the project that it is about."},
        "thread_id": {"type": "string", "description": "The conversation to continue."},
        "model": {"type": "string", "description": "The model; else the organisation's default."},
        "strategy": {"type": "string", "description": "The strategy; else the default."},
        WAIT: _WAIT,
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
                "properties": {
                    "call_id": {"type": "string", "description": "The call that waits."},
                    "approved": {"type": "boolean", "description": "The verdict on it."},
                },
                "required": ["call_id", "approved"],
            },
        },
        "reason": {"type": "string", "description": "The reason; the agent sees it."},
        "answer": {"type": "string", "description": "The answer, if the agent asked a question."},
        WAIT: _WAIT,
    },
    "required": ["turn_id"],
}
EVENTS = {
    "type": "object",
    "properties": {
        "turn_id": {"type": "string", "description": "The turn."},
        "after": {"type": "integer", "minimum": 0, "description": "Number of the last event seen."},
        WAIT: {
            **_WAIT,
            "description": "How long to wait until the turn is over or waits. Not at all when left out.",
        },
    },
    "required": ["turn_id"],
}
TURN: dict[str, Any] = {
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
    **TURN,
    "properties": {**TURN["properties"], "events": {"type": "array", "items": {"type": "object"}}},
    "required": ["state", "events"],
}


async def chat(call: Call) -> Answer:
    following, arguments, caller = Following(call, _turn), call.arguments, call.caller
    turns = caller.services.turns
    if call.parameters.request_state is not None:
        return await following.again(await turns.watching.get(caller.member, call.parameters.request_state))
    subject = Subject.of(_text(arguments, "document_id"), _text(arguments, "project_id"))
    if subject is None:
        raise InvalidInput("Say what the message is about: document_id or project_id.")
    request = TurnRequest(
        [{"role": "user", "content": _text(arguments, "message") or ""}],
        _terms(caller, subject),
        model=_text(arguments, "model"),
        strategy=_text(arguments, "strategy"),
        thread_id=_text(arguments, "thread_id"),
        begins_thread=True,
        repeat=call.repeat,
    )
    return await following.to_its_end(await turns.starting.start(caller.member, subject, request))


async def approve(call: Call) -> Answer:
    """Verdicts, or an answer; then what came of it. Where the person can be asked, a yes is theirs to say."""
    turns, member, arguments = call.caller.services.turns, call.caller.member, call.arguments
    turn_id = _text(arguments, "turn_id") or ""
    following, repeat = Following(call, _turn), call.repeat
    if (before := await turns.deciding.repeated(member, repeat)) is not None:
        return await following.to_its_end(before)
    turn = await turns.watching.get(member, turn_id)
    if call.parameters.request_state is not None:
        return await following.again(turn)
    if turn.state.is_waiting and asking.can_ask(call.context) and _says_yes(arguments):
        return await following.to_its_end(turn)
    reason = _text(arguments, "reason")
    if turn.state is TurnState.AWAITING_INPUT:
        said = _text(arguments, "answer")
        if said is None:
            raise InvalidInput("The agent asked a question. Send answer.")
        turn = await turns.deciding.answer(member, turn_id, said, repeat=repeat)
    elif isinstance(arguments.get("approvals"), list):
        decisions = [_decision(item, reason) for item in arguments["approvals"]]
        turn = await turns.deciding.decide(member, turn_id, decisions, repeat=repeat)
    elif isinstance(arguments.get("approved"), bool):
        waiting = await turns.watching.pending(turn)
        decisions = [Decision(call.id, arguments["approved"], reason=reason) for call in waiting if call.asks]
        turn = await turns.deciding.decide(member, turn_id, decisions, repeat=repeat)
    else:
        raise InvalidInput("Send approved, true or false, or approvals with a verdict on each call.")
    return await following.to_its_end(turn)


async def events(call: Call) -> types.CallToolResult:
    watching, member = call.caller.services.turns.watching, call.caller.member
    turn_id, after = _text(call.arguments, "turn_id") or "", call.arguments.get("after") or 0
    if not isinstance(after, int) or after < 0:
        raise InvalidInput("after is the number of an event, 0 or more.")
    turn = await watching.get(member, turn_id)
    if WAIT in call.arguments:
        with anyio.CancelScope(deadline=call.deadline):
            turn, _ = await watching.settled(member, turn)
    log = await watching.events(member, turn_id)
    shown = [event_json(item) for item in log if item.seq > after][:MOST_EVENTS]
    return answer({**_content(turn, TurnView.of(item.event for item in log)), "events": shown})


async def review_next(call: Call) -> types.CallToolResult:
    prompt_id = _text(call.arguments, "prompt_id")
    if prompt_id is None:
        return answer(await call.caller.api.get("/review"))
    body = {key: value for key, value in call.arguments.items() if key != "prompt_id"}
    return answer(await call.caller.api.call("post", f"/review/{segment(prompt_id)}/next", body=body))


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
    return answer(_content(turn, view))


def _content(turn: Turn, view: TurnView) -> dict[str, Any]:
    text = getattr(view.end, "text", "") or ("" if turn.state.is_waiting else why_it_ended(view))
    question = view.question_to_user if turn.state is TurnState.AWAITING_INPUT else None
    return {
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
