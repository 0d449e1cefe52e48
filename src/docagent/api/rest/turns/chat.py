"""Talking with the agent about a document or a project: messages, verdicts, tools. DocRouter's shapes, and more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import orjson
from fastapi import Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.errors import turn_failed
from docagent.api.fields import JsonObject, LongText, ShortText
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.turns.approvals import MOST_CALLS, ApprovalIn
from docagent.api.rest.turns.docrouter_chat import chat_lines, chat_result
from docagent.api.rest.turns.subjects import SubjectDep, SubjectRouter
from docagent.api.stream import OPTIONS, EventStream, told
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, Kind, NotFound
from docagent.domain.turns.events import Failed, Mention, Recorded, TurnTerms
from docagent.domain.turns.tools import Access
from docagent.domain.turns.turns import Turn, TurnRequest

subjects = SubjectRouter("/chat")
router = subjects.router

MOST_MESSAGES = 2000


class ChatMessageIn(BaseModel):
    role: ShortText
    content: LongText | None = None
    tool_calls: Annotated[list[JsonObject], Field(max_length=MOST_CALLS)] | None = None
    tool_call_id: ShortText | None = None


class MentionIn(BaseModel):
    type: Literal["schema", "prompt", "tag", "document", "living_document"]
    id: ShortText = Field(
        description="schema_revid, prompt_revid, tag_id or document_id; the id of one of the project's documents"
    )


class TurnTermsIn(BaseModel):
    """How a turn is to run: the same for every way to send a message."""

    mentions: Annotated[list[MentionIn], Field(max_length=50)] = []
    open_document_id: ShortText | None = Field(
        None,
        description="In a project: the document that is open beside the conversation, which “this document” means",
    )
    model: ShortText | None = Field(None, description="The organisation's default when left out")
    auto_approve: bool = Field(False, description="Run changes without asking; only with `stream`")
    auto_approved_tools: Annotated[tuple[ShortText, ...], Field(max_length=MOST_CALLS)] | None = None
    loop_strategy: ShortText | None = Field(None, description="One of `GET .../agent/strategies`")
    agent_loop_strategy: ShortText | None = Field(None, description="The same, under its other name")
    max_steps: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None, description="Fewer steps than the server allows"
    )
    selected_tools: Annotated[tuple[ShortText, ...], Field(max_length=MOST_CALLS)] | None = Field(
        None, description="Offer only these tools"
    )
    data_sources: Annotated[tuple[ShortText, ...], Field(max_length=50)] = Field(
        default=(), description="Other documents and projects to look things up in"
    )
    agent_mode: bool = Field(True, description="Off is plain chat without tools")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None


class ChatTurnIn(TurnTermsIn):
    messages: Annotated[list[ChatMessageIn], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool = Field(
        False,
        description="Answer with server-sent events as things happen; closing the connection stops the turn",
    )
    background: bool = Field(
        False,
        description="Answer at once with the turn's id; watch its events. The turn continues without a connection",
    )
    thread_id: ShortText | None = None
    truncate_thread_to_message_count: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="Edit and resubmit: keep this many messages of the thread"
    )


class ApproveIn(BaseModel):
    turn_id: ShortText
    approvals: Annotated[list[ApprovalIn], Field(max_length=MOST_CALLS)]
    thread_id: ShortText | None = None
    partial: bool = Field(
        False, description="Calls that are not named stay pending instead of being rejected"
    )
    stream: bool = False
    background: bool = False


class ToolOut(Answer):
    name: str
    description: str = at_path("spec.description")
    access: str
    parameters: dict[str, Any] = at_path("spec.parameters")


class ToolsOut(BaseModel):
    read_only: list[str]
    read_write: list[str]
    tools: list[ToolOut]


@subjects.route(
    "POST",
    "",
    response_class=Response,
    responses={200: {"description": "A finished turn, or one that waits"}},
)
async def chat(
    subject: SubjectDep, body: ChatTurnIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> Response:
    """Send a message to the agent. It answers, or pauses with the calls that need approval."""
    if body.auto_approve and not (body.stream or body.background):
        raise InvalidInput(
            "auto_approve needs stream: true, so that someone can see and stop what runs without asking. "
            "Name single tools in auto_approved_tools to let them run without a stream."
        )
    messages = [message.model_dump() for message in body.messages]
    request = replace(
        turn_request(body, messages, thread_id=body.thread_id),
        keep_messages=body.truncate_thread_to_message_count,
        says_no=not body.background,
        repeat=repeat,
    )
    turn = await services.turns.starting.start(member, subject, request)
    known = await services.turns.watching.answered(turn, turn.last_seq) if repeat else None
    return await _respond(services, member, turn, body.stream, body.background, after=0, known=known)


@subjects.route(
    "POST", "/approve", response_class=Response, responses={200: {"description": "As for the message"}}
)
async def approve(
    subject: SubjectDep, body: ApproveIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> Response:
    """Decide on the calls that wait. Calls that are not named are rejected, unless `partial` is set."""
    decisions = [item.decision for item in body.approvals]
    try:
        turn = await services.turns.deciding.decide(
            member,
            body.turn_id,
            decisions,
            subject=subject,
            thread_id=body.thread_id,
            partial=body.partial,
            repeat=repeat,
        )
    except (NotFound, Conflict) as error:
        if error.kind in (Kind.UNKNOWN, Kind.NOT_WAITING):
            raise InvalidInput(error.detail) from error  # the contract's answer to an unknown or used turn
        raise
    known = await services.turns.watching.answered(turn, turn.last_seq) if repeat else None
    return await _respond(
        services,
        member,
        turn,
        body.stream,
        body.background,
        after=turn.last_seq,
        approved=True,
        known=known,
    )


@subjects.route("GET", "/tools")
async def list_agent_tools(subject: SubjectDep, member: OrgMember, services: ServicesDep) -> ToolsOut:
    """What the agent may call: tools that only read run at once, the others ask."""
    await services.threads.check_subject(member, subject)
    offered = await services.turns.calling.tools(member, subject)
    tools = sorted(offered, key=lambda tool: tool.name)
    return ToolsOut(
        read_only=[tool.name for tool in tools if tool.access is Access.READ_ONLY],
        read_write=[tool.name for tool in tools if tool.access is Access.READ_WRITE],
        tools=[ToolOut.model_validate(tool) for tool in tools],
    )


def turn_request(
    asked: TurnTermsIn, messages: Sequence[Mapping[str, Any]], *, thread_id: str | None = None
) -> TurnRequest:
    """The message for the agent, from whichever protocol it came."""
    return TurnRequest(
        messages=messages,
        terms=TurnTerms(
            auto_approve=asked.auto_approve,
            auto_approved_tools=asked.auto_approved_tools or (),
            selected_tools=asked.selected_tools,
            mentions=tuple(Mention(item.type, item.id) for item in asked.mentions),
            data_sources=asked.data_sources,
            open_document_id=asked.open_document_id,
            agent_mode=asked.agent_mode,
            temperature=asked.temperature,
        ),
        model=asked.model,
        strategy=(asked.loop_strategy or asked.agent_loop_strategy) if asked.agent_mode else "llm-only",
        max_steps=asked.max_steps,
        thread_id=thread_id,
    )


async def _respond(
    services: Services,
    member: Member,
    turn: Turn,
    stream: bool,
    background: bool,
    *,
    after: int,
    approved: bool = False,
    known: tuple[Turn, list[Recorded]] | None = None,
) -> Response:
    """Answer with the turn. `known` is what an earlier request with the same key came to."""
    headers = {"X-Turn-Id": turn.id}
    if background:
        return _json({"turn": turn.id, "thread_id": turn.thread_id, "state": turn.state}, 202, headers)
    if not stream:
        turn, log = known or await services.turns.watching.settled(member, turn)
        if isinstance(failure := log[-1].event, Failed):
            return turn_failed(failure, headers)
        return _json(chat_result(turn, log, approved=approved), 200, headers)

    log = await services.turns.watching.log(turn) if approved else []
    items = services.turns.watching.watch(member, turn.id, after=after, until_pause=True, known=turn)
    if known is not None:
        items = told(known[1][after:])
    lines = chat_lines(items, log, lambda: chat_result(turn, log, approved=approved))
    return EventStream(lines, headers, left=lambda: services.turns.leaving.left(member, turn.id))


def _json(body: Any, status: int, headers: dict[str, str]) -> Response:
    content = orjson.dumps(body, option=OPTIONS)
    return Response(content, status, headers=headers, media_type="application/json")
