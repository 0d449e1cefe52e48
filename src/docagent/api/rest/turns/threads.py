"""Conversations about a document or a project, private to the user who made them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import Query, Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.downloads import download_headers
from docagent.api.fields import Name, Text
from docagent.api.rest.turns.subjects import SubjectDep, SubjectRouter
from docagent.api.rest.turns.turns import ThreadTurnOut
from docagent.api.stream import OPTIONS

subjects = SubjectRouter("/chat/threads")
router = subjects.router


class ThreadIn(BaseModel):
    title: Name | None = None


class RenameIn(BaseModel):
    title: Name


class ThreadOut(Answer):
    id: str
    title: str
    created_at: datetime
    updated_at: datetime


class CreatedThreadOut(BaseModel):
    thread_id: str


class OkOut(BaseModel):
    ok: Literal[True] = True


class LoadedThreadOut(ThreadOut):
    messages: list[dict[str, Any]]
    extraction: Any
    working_state: dict[str, Any]
    turns: list[ThreadTurnOut]
    has_earlier: bool = Field(description="Whether turns come before these; ask for them with `before`")


@subjects.route("GET", "")
async def list_threads(
    subject: SubjectDep,
    member: OrgMember,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    search: Annotated[Text | None, Query(max_length=200, description="Part of the title")] = None,
) -> list[ThreadOut]:
    """One's own conversations about it, the last used first."""
    found = await services.threads.list(member, subject, search=search, limit=limit)
    return [ThreadOut.model_validate(thread) for thread in found]


@subjects.route("POST", "")
async def create_thread(
    subject: SubjectDep, member: OrgMember, services: ServicesDep, body: ThreadIn | None = None
) -> CreatedThreadOut:
    """Begin a conversation."""
    title = body.title if body else None
    return CreatedThreadOut(thread_id=await services.threads.create(member, subject, title))


@subjects.route("GET", "/{thread_id}")
async def get_thread(
    subject: SubjectDep,
    thread_id: str,
    member: OrgMember,
    services: ServicesDep,
    limit: Annotated[int | None, Query(ge=1, le=200, description="Only the last so many turns")] = None,
    before: Annotated[str | None, Query(description="Only turns before the one with this id")] = None,
) -> LoadedThreadOut:
    """A conversation with all its messages, or with those of its last turns."""
    loaded = await services.threads.load(member, subject, thread_id, before=before, limit=limit)
    state = loaded.thread.state
    return LoadedThreadOut(
        **ThreadOut.model_validate(loaded.thread).model_dump(),
        messages=loaded.messages,
        extraction=state.extraction if state.extraction is not None else {},
        working_state=state.as_json(),
        turns=[ThreadTurnOut.model_validate(turn) for turn in loaded.turns],
        has_earlier=loaded.has_earlier,
    )


@subjects.route("PATCH", "/{thread_id}")
async def rename_thread(
    subject: SubjectDep, thread_id: str, body: RenameIn, member: OrgMember, services: ServicesDep
) -> ThreadOut:
    """Give a conversation another title."""
    return ThreadOut.model_validate(await services.threads.rename(member, subject, thread_id, body.title))


@subjects.route("DELETE", "/{thread_id}")
async def delete_thread(
    subject: SubjectDep, thread_id: str, member: OrgMember, services: ServicesDep
) -> OkOut:
    """Delete a conversation with everything in it."""
    await services.threads.delete(member, subject, thread_id)
    return OkOut()


@subjects.route("GET", "/{thread_id}/export", response_class=Response)
async def export_thread(
    subject: SubjectDep, thread_id: str, member: OrgMember, services: ServicesDep
) -> Response:
    """The whole log of a conversation as a JSON file, edited branches included."""
    body = await services.threads.export(member, subject, thread_id)
    content = orjson.dumps(body, option=OPTIONS | orjson.OPT_INDENT_2)
    return Response(
        content, media_type="application/json", headers=download_headers(f"chat_{thread_id}.json")
    )
