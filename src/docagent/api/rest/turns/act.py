"""One message to the agent of a project, and one answer when it is done: `POST /api/agent/act`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.errors import turn_failed
from docagent.api.fields import ShortText, Text
from docagent.api.repeats import OwnRepeat
from docagent.api.rest.projects.act_projects import ActDocumentOut
from docagent.api.rest.turns.act_chats import MOST_CHARACTERS, ActMessageOut, message_out
from docagent.api.router import Router
from docagent.domain.turns.events import Failed
from docagent.services.turns.acts import Acted, ActRequest

router = Router(prefix="/api/agent", tags=["act"])


Id = Annotated[ShortText, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
"""Ids of other services are numbers, and their clients send them so."""


class ActIn(BaseModel):
    message: Annotated[Text, Field(max_length=MOST_CHARACTERS)]
    project_id: Id | None = Field(None, description="May be left out with the id of a chat")
    document_id: Id | None = Field(
        None, description='The open document: what "this document" means, and a change without a name'
    )
    chat_id: Id | None = Field(None, description="Left out, or not a chat of this project: a new chat begins")


class WaitingCallOut(BaseModel):
    """What waits for a yes. The same is in the inbox of the web client."""

    turn_id: str
    call_id: str
    summary: str
    preview: dict[str, Any] | None = Field(description="What would change: the texts before and after")


class ActOut(BaseModel):
    document: ActDocumentOut | None = Field(description="The document that was made or changed")
    chat_message: ActMessageOut
    agent_decision: dict[str, Any] = Field(
        description="What was decided, and with `pending_confirmation` what waits, as `confirmations`"
    )
    web_search_performed: bool


@router.post("/act", response_model=ActOut)
async def act(body: ActIn, member: OwnMember, services: ServicesDep, repeat: OwnRepeat) -> ActOut | Response:
    """Answer a message about a project, or do what it asks for.

    Creating, and changing without a loss, is done at once. Anything else waits: answer with a message that says yes or
    no in the same chat, or in the inbox of the web client.
    """
    request = ActRequest(body.message, body.project_id, body.document_id, body.chat_id, repeat)
    acted = await services.acts.act(member, request)
    return turn_failed(acted, {}) if isinstance(acted, Failed) else _answer(acted)


def _answer(acted: Acted) -> ActOut:
    confirmations = [
        WaitingCallOut(
            turn_id=acted.turn_id,
            call_id=call.id,
            summary=call.summary,
            preview=dict(call.preview) if call.preview else None,
        ).model_dump()
        for call in acted.waiting
    ]
    return ActOut(
        document=ActDocumentOut.model_validate(acted.document) if acted.document else None,
        chat_message=message_out(acted.chat_id, acted.message),
        agent_decision={**acted.decision, "confirmations": confirmations},
        web_search_performed=acted.web_search_performed,
    )
