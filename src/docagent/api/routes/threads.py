"""Conversations about a document, private to who made them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import Name, Text
from docagent.api.routes.documents import download_headers
from docagent.api.stream import OPTIONS
from docagent.domain.turns import Thread

router = APIRouter(prefix="/v0/orgs/{organization_id}/documents/{document_id}/chat/threads", tags=["agent"])


class ThreadIn(BaseModel):
    title: Name | None = None


class RenameIn(BaseModel):
    title: Name


class ThreadOut(BaseModel):
    id: str
    title: str
    created_at: datetime
    updated_at: datetime


class CreatedThreadOut(BaseModel):
    thread_id: str


class OkOut(BaseModel):
    ok: Literal[True] = True


class ThreadTurnOut(BaseModel):
    id: str
    state: str
    model: str
    strategy: str
    last_seq: int
    created_at: datetime


class LoadedThreadOut(ThreadOut):
    messages: list[dict[str, Any]]
    extraction: Any
    working_state: dict[str, Any]
    turns: list[ThreadTurnOut]


@router.get("")
async def list_threads(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    search: Annotated[Text | None, Query(max_length=200, description="Part of the title")] = None,
) -> list[ThreadOut]:
    """One's own conversations about the document, the last used first."""
    found = await services.threads.list(member, document_id, search=search, limit=limit)
    return [_out(thread) for thread in found]


@router.post("")
async def create_thread(
    document_id: str, member: OrgMember, services: ServicesDep, body: ThreadIn | None = None
) -> CreatedThreadOut:
    """Begin a conversation."""
    title = body.title if body else None
    return CreatedThreadOut(thread_id=await services.threads.create(member, document_id, title))


@router.get("/{thread_id}")
async def get_thread(
    document_id: str, thread_id: str, member: OrgMember, services: ServicesDep
) -> LoadedThreadOut:
    """A conversation with all its messages."""
    loaded = await services.threads.load(member, document_id, thread_id)
    state = loaded.thread.state
    return LoadedThreadOut(
        **_out(loaded.thread).model_dump(),
        messages=loaded.messages,
        extraction=state.extraction if state.extraction is not None else {},
        working_state=state.as_json(),
        turns=[
            ThreadTurnOut(
                id=turn.id,
                state=turn.state,
                model=turn.model,
                strategy=turn.strategy,
                last_seq=turn.last_seq,
                created_at=turn.created_at,
            )
            for turn in loaded.turns
        ],
    )


@router.patch("/{thread_id}")
async def rename_thread(
    document_id: str, thread_id: str, body: RenameIn, member: OrgMember, services: ServicesDep
) -> ThreadOut:
    """Give a conversation another title."""
    return _out(await services.threads.rename(member, document_id, thread_id, body.title))


@router.delete("/{thread_id}")
async def delete_thread(document_id: str, thread_id: str, member: OrgMember, services: ServicesDep) -> OkOut:
    """Delete a conversation with everything in it."""
    await services.threads.delete(member, document_id, thread_id)
    return OkOut()


@router.get("/{thread_id}/export", response_class=Response)
async def export_thread(
    document_id: str, thread_id: str, member: OrgMember, services: ServicesDep
) -> Response:
    """The whole log of a conversation as a JSON file, edited branches included."""
    body = await services.threads.export(member, document_id, thread_id)
    content = orjson.dumps(body, option=OPTIONS | orjson.OPT_INDENT_2)
    return Response(
        content, media_type="application/json", headers=download_headers(f"chat_{thread_id}.json")
    )


def _out(thread: Thread) -> ThreadOut:
    return ThreadOut(
        id=thread.id, title=thread.title, created_at=thread.created_at, updated_at=thread.updated_at
    )
