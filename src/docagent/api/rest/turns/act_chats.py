"""Chats about projects: the caller's own threads, as messages with a role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer
from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.fields import JsonObject, ShortText, Text
from docagent.api.router import Router
from docagent.domain.turns.turns import NEW_THREAD_TITLE
from docagent.services.turns.views.chat_messages import ChatMessage

router = Router(prefix="/api/chats", tags=["act"])

MOST_CHARACTERS = 100_000


class ActChatIn(BaseModel):
    project_id: ShortText
    title: ShortText | None = None


class ActChatOut(Answer):
    id: str
    user_id: str
    project_id: str | None
    title: Annotated[str | None, BeforeValidator(lambda title: None if title == NEW_THREAD_TITLE else title)]
    created_at: datetime
    updated_at: datetime


class ActMessageIn(BaseModel):
    content: Annotated[Text, Field(min_length=1, max_length=MOST_CHARACTERS)]
    role: Literal["user", "assistant"] = "user"
    metadata: JsonObject | None = None


class ActMessageOut(Answer):
    id: str
    chat_id: str
    role: Literal["user", "assistant"]
    content: str
    metadata: Mapping[str, Any]
    created_at: datetime


@router.get("")
async def act_list_chats(member: OwnMember, services: ServicesDep) -> list[ActChatOut]:
    """List the caller's chats, what changed last first."""
    return [ActChatOut.model_validate(one) for one in await services.chats.list(member)]


@router.post("", status_code=201)
async def act_create_chat(body: ActChatIn, member: OwnMember, services: ServicesDep) -> ActChatOut:
    """Begin a chat about a project."""
    return ActChatOut.model_validate(await services.chats.create(member, body.project_id, body.title))


@router.get("/project/{project_id}")
async def act_chat_of_project(project_id: str, member: OwnMember, services: ServicesDep) -> ActChatOut:
    """The caller's latest chat about a project. If there is none, it is made."""
    return ActChatOut.model_validate(await services.chats.of_project(member, project_id))


@router.get("/{chat_id}")
async def act_get_chat(chat_id: str, member: OwnMember, services: ServicesDep) -> ActChatOut:
    """Read one chat, without its messages."""
    return ActChatOut.model_validate(await services.chats.get(member, chat_id))


@router.get("/{chat_id}/messages")
async def act_list_messages(chat_id: str, member: OwnMember, services: ServicesDep) -> list[ActMessageOut]:
    """List the messages of a chat in their order. A message that is worked on is the last one, without a reply yet."""
    return [message_out(chat_id, one) for one in await services.chats.messages(member, chat_id)]


@router.post("/{chat_id}/messages", status_code=201)
async def act_post_message(
    chat_id: str, body: ActMessageIn, member: OwnMember, services: ServicesDep
) -> ActMessageOut:
    """Put a message into the chat as it is. Nobody answers it; `/api/agent/act` does."""
    posted = await services.chats.post(member, chat_id, body.role, body.content, body.metadata or {})
    return message_out(chat_id, posted)


def message_out(chat_id: str, message: ChatMessage) -> ActMessageOut:
    return ActMessageOut(chat_id=chat_id, **asdict(message))
