"""The agent as a model of OpenAI's API: what a client calls a model is the agent on a document or a project."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import orjson
from fastapi import Request, Response
from pydantic import BaseModel, Field

from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.errors import turn_failed
from docagent.api.fields import AnyJson, JsonObject, ShortText
from docagent.api.openai.chat import CompletionFold, completion, completion_lines, object_completion
from docagent.api.openai.structured import DEFAULT, structured
from docagent.api.repeats import OwnRepeat
from docagent.api.rest.turns.approvals import MOST_CALLS
from docagent.api.rest.turns.chat import MOST_MESSAGES, TurnTermsIn, turn_request
from docagent.api.router import Router
from docagent.api.sent_text import NO_TEXT, earlier_text, sent_text
from docagent.api.stream import OPTIONS, EventStream, told
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.listing import ListQuery
from docagent.domain.projects.projects import Project
from docagent.domain.turns.events import Failed
from docagent.domain.turns.turns import Subject, SubjectKind

router = Router(prefix="/v1", tags=["OpenAI"])

MOST_LISTED = 100
"""Documents, and projects, in the list of models."""


EXTRACTS = "With a json_schema and a file: `docagent` for the organisation's default, or the name of a language model"


class CompletionMessageIn(BaseModel):
    role: ShortText
    content: AnyJson = Field(
        None, description="Text, or a list of text parts and, with a json_schema, one file"
    )
    tool_calls: Annotated[list[JsonObject], Field(max_length=MOST_CALLS)] | None = None
    tool_call_id: ShortText | None = None


class StreamOptionsIn(BaseModel):
    include_usage: bool = False


class CompletionIn(BaseModel):
    """Other fields of OpenAI's are taken and not used."""

    model: ShortText = Field(
        description=f"`docagent/document/{{id}}` or `docagent/project/{{id}}`. {EXTRACTS}"
    )
    messages: Annotated[list[CompletionMessageIn], Field(min_length=1, max_length=MOST_MESSAGES)] = Field(
        description="The last one is the user's and new; those before it are the history"
    )
    stream: bool | None = None
    stream_options: StreamOptionsIn | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    n: Literal[1] | None = None
    tools: Annotated[list[JsonObject], Field(max_length=MOST_CALLS)] | None = Field(
        None, description="Refused: the agent has its own tools"
    )
    response_format: JsonObject | None = Field(
        None, description="A json_schema, which is filled from a file or a document; or plain text"
    )


class AgentModelOut(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str = Field(description="The organisation")
    name: str = Field(description="Of the document or the project")


class AgentModelsOut(BaseModel):
    object: Literal["list"] = "list"
    data: list[AgentModelOut]


@router.get("/models")
async def list_agent_models(member: OwnMember, services: ServicesDep) -> AgentModelsOut:
    """The newest documents and the last changed projects of the token's organisation, newest first."""
    query = ListQuery(limit=MOST_LISTED)
    documents = await services.documents.list(member, query, tag_ids=(), metadata_search=None)
    projects = await services.projects.list(member, limit=MOST_LISTED)
    found = [_model(member, document) for document in documents.items]
    found += [_model(member, project) for project in projects.items]
    return AgentModelsOut(
        data=[*sorted(found, key=lambda model: model.created, reverse=True), _extracts(member)]
    )


@router.get("/models/{model:path}")
async def get_agent_model(model: str, member: OwnMember, services: ServicesDep) -> AgentModelOut:
    """One document or project as a model."""
    if model == DEFAULT:
        return _extracts(member)
    subject = _subject(model)
    if subject.kind is SubjectKind.PROJECT:
        return _model(member, await services.projects.get(member, subject.id))
    return _model(member, await services.documents.get(member, subject.id))


@router.post(
    "/chat/completions",
    response_class=Response,
    responses={200: {"description": "A chat completion, or its chunks"}},
)
async def create_completion(
    body: CompletionIn, request: Request, member: OwnMember, services: ServicesDep, repeat: OwnRepeat
) -> Response:
    """Ask the agent. What needs a person is said in words; closing a stream stops the turn."""
    _check(body)
    if (body.response_format or {}).get("type") == "json_schema":
        return await _extracted(body, member, services)
    subject = _subject(body.model)
    asked = turn_request(TurnTermsIn(temperature=body.temperature), _messages(body))
    turn = await services.turns.starting.start(member, subject, replace(asked, repeat=repeat))
    headers = {"X-Turn-Id": turn.id}
    fold = CompletionFold(turn, body.model, _inbox(services, request, member))
    watching = services.turns.watching
    known = await watching.answered(turn, turn.last_seq) if repeat else None
    if body.stream:
        items = watching.watch(member, turn.id, until_pause=True, known=turn)
        if known is not None:
            items = told(known[1])
        with_usage = body.stream_options is not None and body.stream_options.include_usage
        lines = completion_lines(fold, items, with_usage=with_usage)
        return EventStream(lines, headers, left=lambda: services.turns.leaving.left(member, turn.id))
    turn, log = known or await watching.settled(member, turn)
    if isinstance(failure := log[-1].event, Failed):
        return turn_failed(failure, headers)
    content = orjson.dumps(completion(fold, log), option=OPTIONS)
    return Response(content, headers=headers, media_type="application/json")


def _check(body: CompletionIn) -> None:
    """Refuse what would be ignored although the caller counts on it."""
    if body.tools:
        raise InvalidInput(
            "The agent has tools of its own and takes none from clients. Leave out `tools`; to get an object, send a "
            "`response_format` of the type json_schema."
        )
    if (body.response_format or {}).get("type", "text") not in ("text", "json_schema"):
        raise InvalidInput("Use a `response_format` of the type json_schema, or leave it out for text.")


async def _extracted(body: CompletionIn, member: Member, services: Services) -> Response:
    """An object that is extracted from a file, whole or, for clients that stream, in one piece."""
    assert body.response_format is not None
    messages = [message.model_dump() for message in body.messages]
    schema = body.response_format.get("json_schema")
    found = await structured(services, member, body.model, schema, messages)
    whole, lines = object_completion(body.model, found.text, found.evidence)
    if body.stream:
        return Response(lines, media_type=EventStream.media_type)
    return Response(orjson.dumps(whole, option=OPTIONS), media_type="application/json")


def _messages(body: CompletionIn) -> list[dict[str, Any]]:
    """The conversation as the chat takes it: the last message is new, and instructions of clients are left out."""
    *earlier, last = body.messages
    if last.role != "user":
        raise InvalidInput(NO_TEXT)
    history = [message.model_dump() | {"content": earlier_text(message.content)} for message in earlier]
    return [*history, {"role": "user", "content": sent_text(last.content)}]


def _subject(model: str) -> Subject:
    maker, _, rest = model.partition("/")
    kind, _, subject_id = rest.partition("/")
    if maker != "docagent" or kind not in set(SubjectKind) or not subject_id:
        raise NotFound(
            f"There is no model {model[:100]!r}. Use docagent/document/ID or docagent/project/ID; GET /v1/models "
            "lists the newest."
        )
    return Subject(SubjectKind(kind), subject_id)


def _model(member: Member, item: Document | Project) -> AgentModelOut:
    if isinstance(item, Project):
        kind, made = SubjectKind.PROJECT, item.created_at
    else:
        kind, made = SubjectKind.DOCUMENT, item.upload_date
    return AgentModelOut(
        id=f"docagent/{kind}/{item.id}",
        created=int(made.timestamp()),
        owned_by=member.organization_id,
        name=item.name,
    )


def _extracts(member: Member) -> AgentModelOut:
    """The model that fills a json_schema from a file."""
    return AgentModelOut(id=DEFAULT, created=0, owned_by=member.organization_id, name="Extraction by schema")


def _inbox(services: Services, request: Request, member: Member) -> str:
    address = services.settings.server.public_url or str(request.base_url)
    return f"{address.rstrip('/')}/orgs/{member.organization_id}/inbox"
