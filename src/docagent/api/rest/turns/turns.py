"""Turns in our own words: watch, stop, answer, steer, take back; what waits for me, and what was done."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import Header, Query, Request, Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.fields import SEEN, JsonObject, Seen, ShortText, Text
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.turns.approvals import MOST_CALLS, ApprovalIn
from docagent.api.router import Router
from docagent.api.stream import OPTIONS, EventStream, event_json, turn_lines
from docagent.domain.errors import InvalidInput
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.turns import Subject

router = Router(prefix="/v0/orgs/{organization_id}", tags=["agent"])

MOST_EVENTS = 2**31 - 1
MOST_DIGITS = 100
LongEnough = Annotated[Text, Field(min_length=1, max_length=100_000)]


class ThreadTurnOut(Answer):
    id: str
    state: str
    model: str
    strategy: str
    last_seq: int
    created_at: datetime


class TurnOut(ThreadTurnOut):
    document_id: str | None
    project_id: str | None
    thread_id: str | None
    updated_at: datetime


class SteerIn(BaseModel):
    text: LongEnough


class AnswerIn(SteerIn):
    seen: Seen | None = Field(None, description=SEEN)


class DecideIn(BaseModel):
    approvals: Annotated[list[ApprovalIn], Field(max_length=MOST_CALLS)]
    partial: bool = Field(
        False, description="Calls that are not named stay pending instead of being rejected"
    )


class PlanIn(BaseModel):
    approved: bool
    steps: Annotated[list[Text], Field(max_length=100)] | None = Field(
        None, description="Follow these steps instead"
    )
    reason: Text | None = None
    seen: Seen | None = Field(None, description=SEEN)


class UndoIn(BaseModel):
    call_id: ShortText


class UndoOut(Answer):
    call_id: str
    summary: str


class RequestedCallOut(Answer):
    id: str
    name: str
    arguments: str
    summary: str
    preview: dict[str, Any] | None = Field(
        description="What would change; its `kind` says what else it has. Of a long text of kind `text` there are "
        "the lines around the changes, with the number of lines left out: `lines_above` and `lines_below`"
    )
    admin_required: bool = Field(
        validation_alias="by_policy", description="The organisation's policy wants a person to look at it"
    )


class WaitingOut(Answer):
    turn_id: str = at_path("turn.id")
    state: str = at_path("turn.state")
    document_id: str | None = at_path("turn.document_id")
    document_name: str | None
    project_id: str | None = at_path("turn.project_id")
    project_name: str | None
    thread_id: str | None = at_path("turn.thread_id")
    message: str
    since: datetime = at_path("turn.updated_at")
    expires_at: datetime | None = at_path("turn.waits_until")
    calls: list[RequestedCallOut]
    question: str | None
    choices: list[str]
    plan: list[str] | None
    last_seq: int = at_path(
        "turn.last_seq", "Number of the turn's last event: `seen` of an answer or a verdict"
    )


class ApprovalsOut(Page[WaitingOut]):
    items: list[WaitingOut] = Field(serialization_alias="approvals")


class AuditEntryOut(Answer):
    at: datetime
    turn_id: str = at_path("turn.id")
    seq: int
    document_id: str | None = at_path("turn.document_id")
    document_name: str | None
    project_id: str | None = at_path("turn.project_id")
    project_name: str | None
    thread_id: str | None = at_path("turn.thread_id")
    user_id: str = at_path("turn.user_id")
    user_name: str | None
    model: str = at_path("turn.model")
    tool: str
    call_id: str
    summary: str
    proposed_arguments: str | None
    ran_arguments: str | None
    grant: dict[str, Any] | None
    approved: bool | None
    decided_by: str | None
    reason: str | None
    outcome: str
    result: str
    milliseconds: int
    turn_credits: int


class AuditOut(Page[AuditEntryOut]):
    items: list[AuditEntryOut] = Field(serialization_alias="entries")


class RuleIn(BaseModel):
    tool: ShortText = Field(description="A tool's name, or `*` for all")
    effect: Effect = Effect.ALLOW
    scope: Literal["me", "everyone"] = Field("me", description="`everyone` is policy, set by administrators")
    document_id: ShortText | None = Field(None, description="Only in conversations about this document")
    project_id: ShortText | None = Field(None, description="Only in conversations about this project")
    arguments: JsonObject | None = Field(None, description="Only calls whose arguments hold these values")


class RuleOut(Answer):
    id: str
    tool: str
    effect: str
    scope: Literal["me", "everyone"]
    document_id: str | None
    project_id: str | None
    arguments: dict[str, Any]
    created_by: str | None
    created_at: datetime | None


class RulesOut(Answer):
    rules: list[RuleOut]


class StrategyOut(BaseModel):
    name: str
    description: str
    calls_per_step: int
    default: bool


class StrategiesOut(BaseModel):
    strategies: list[StrategyOut]


class AgentSettings(BaseModel):
    default_strategy: ShortText | None = Field(
        description="Runs messages that name no strategy; null leaves it to the deployment"
    )


@router.get("/turns/{turn_id}")
async def get_turn(turn_id: str, member: OrgMember, services: ServicesDep) -> TurnOut:
    """Where a turn stands."""
    return TurnOut.model_validate(await services.turns.watching.get(member, turn_id))


@router.get("/turns/{turn_id}/events", response_class=Response)
async def turn_events(
    turn_id: str,
    request: Request,
    member: OrgMember,
    services: ServicesDep,
    after: Annotated[int, Query(ge=0, le=MOST_EVENTS, description="Number of the last event seen")] = 0,
    calls: Annotated[
        bool, Query(description="Live only: also pieces of calls while the model writes them, as call_delta")
    ] = False,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """The log of a turn: as JSON; or, with `Accept: text/event-stream`, live from where you left off."""
    if "text/event-stream" not in request.headers.get("accept", ""):
        events = await services.turns.watching.events(member, turn_id, after)
        content = orjson.dumps({"events": [event_json(event) for event in events]}, option=OPTIONS)
        return Response(content, media_type="application/json")
    await services.turns.watching.get(member, turn_id)
    seen = min(int(last_event_id), MOST_EVENTS) if last_event_id and _is_number(last_event_id) else after
    lines = turn_lines(services.turns.watching.watch(member, turn_id, after=seen), with_calls=calls)
    return EventStream(lines, {"Cache-Control": "no-store"})


@router.post("/turns/{turn_id}/stop")
async def stop_turn(turn_id: str, member: OrgMember, services: ServicesDep) -> TurnOut:
    """Stop a turn at once. What was finished is kept."""
    return TurnOut.model_validate(await services.turns.steering.stop(member, turn_id))


@router.post("/turns/{turn_id}/answer", status_code=202)
async def answer_turn(turn_id: str, body: AnswerIn, member: OrgMember, services: ServicesDep) -> TurnOut:
    """Answer the question that the agent asked; the turn continues."""
    found = await services.turns.deciding.answer(member, turn_id, body.text, seen=body.seen)
    return TurnOut.model_validate(found)


@router.post("/turns/{turn_id}/steer", status_code=202)
async def steer_turn(turn_id: str, body: SteerIn, member: OrgMember, services: ServicesDep) -> TurnOut:
    """Say something while the agent works; it is taken in at the next step."""
    return TurnOut.model_validate(await services.turns.steering.steer(member, turn_id, body.text))


@router.post("/turns/{turn_id}/decide", status_code=202)
async def decide_turn(
    turn_id: str, body: DecideIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> TurnOut:
    """Decide on the calls that wait, whatever the turn is about. Calls that are not named are rejected."""
    decisions = [item.decision for item in body.approvals]
    return TurnOut.model_validate(
        await services.turns.deciding.decide(member, turn_id, decisions, partial=body.partial, repeat=repeat)
    )


@router.post("/turns/{turn_id}/plan", status_code=202)
async def decide_plan(turn_id: str, body: PlanIn, member: OrgMember, services: ServicesDep) -> TurnOut:
    """Approve, change or reject the plan that waits."""
    found = await services.turns.deciding.decide_plan(member, turn_id, **body.model_dump())
    return TurnOut.model_validate(found)


@router.post("/turns/{turn_id}/undo")
async def undo_call(turn_id: str, body: UndoIn, member: OrgMember, services: ServicesDep) -> UndoOut:
    """Take back what one call of the turn did."""
    return UndoOut.model_validate(await services.turns.deciding.undo(member, turn_id, body.call_id))


@router.get("/approvals")
async def list_approvals(
    member: OrgMember, services: ServicesDep, skip: Skip = 0, limit: Limit = 50
) -> ApprovalsOut:
    """Everything that waits for you, across documents, the oldest first."""
    return ApprovalsOut.model_validate(await services.turn_records.waiting(member, skip=skip, limit=limit))


@router.get("/audit")
async def list_audit(
    member: OrgMember,
    services: ServicesDep,
    skip: Skip = 0,
    limit: Limit = 50,
    document_id: Annotated[str | None, Query(max_length=100)] = None,
    project_id: Annotated[str | None, Query(max_length=100)] = None,
    user_id: Annotated[str | None, Query(max_length=100)] = None,
) -> AuditOut:
    """What the agent did in the organisation: who asked, who decided, what ran, what it cost (administrators)."""
    found = await services.turn_records.audit(
        member, subject=Subject.of(document_id, project_id), user_id=user_id, skip=skip, limit=limit
    )
    return AuditOut.model_validate(found)


@router.get("/agent/rules")
async def list_rules(member: OrgMember, services: ServicesDep) -> RulesOut:
    """The organisation's policy, and what you had remembered."""
    return RulesOut.model_validate({"rules": await services.rules.list(member)})


@router.post("/agent/rules")
async def add_rule(body: RuleIn, member: OrgMember, services: ServicesDep) -> RuleOut:
    """Remember an approval of your own, or set policy for everyone (administrators)."""
    if body.document_id is not None and body.project_id is not None:
        raise InvalidInput("A rule is for one document or for one project. Name only one of them.")
    rule = await services.rules.add(
        member,
        effect=body.effect,
        tool=body.tool,
        for_everyone=body.scope == "everyone",
        arguments=body.arguments,
        subject=Subject.of(body.document_id, body.project_id),
    )
    return RuleOut.model_validate(rule)


@router.delete("/agent/rules/{rule_id}", status_code=204)
async def revoke_rule(rule_id: str, member: OrgMember, services: ServicesDep) -> None:
    """Forget a rule."""
    await services.rules.revoke(member, rule_id)


@router.get("/agent/strategies")
async def list_strategies(member: OrgMember, services: ServicesDep) -> StrategiesOut:
    """The ways in which the agent can go about a message."""
    default = await services.strategy_choice.default(member)
    return StrategiesOut(
        strategies=[
            StrategyOut(
                name=strategy.name,
                description=strategy.description,
                calls_per_step=strategy.calls_per_step,
                default=strategy.name == default,
            )
            for strategy in services.strategies
        ]
    )


@router.get("/agent/settings")
async def get_agent_settings(member: OrgMember, services: ServicesDep) -> AgentSettings:
    """What the organisation has chosen for its agent."""
    return AgentSettings(default_strategy=await services.strategy_choice.preferred(member))


@router.put("/agent/settings")
async def set_agent_settings(body: AgentSettings, member: OrgMember, services: ServicesDep) -> AgentSettings:
    """Choose the strategy of messages that name none (administrators)."""
    return AgentSettings(
        default_strategy=await services.strategy_choice.prefer(member, body.default_strategy)
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < MOST_DIGITS
