"""Free-form chat with a model: an answer like OpenAI's, or a stream of lines."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, Field

from docagent.api.deps import AccountCaller, AnyCaller, ServicesDep
from docagent.api.fields import LongText, ShortText
from docagent.api.router import Router
from docagent.api.stream import EventStream
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Principal
from docagent.domain.errors import DocAgentError
from docagent.domain.models.llm import FinishReason, ModelEvent, ModelReply, TextDelta
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.models.llm_chat import ChatTurn, assistant_message, user_message
from docagent.services.models.model_calls import ModelCall

router = Router(tags=["chat with a model"])

MOST_MESSAGES = 1000


class ChatMessage(BaseModel):
    role: Literal["system", "user", "assistant"]
    content: LongText


class ChatIn(BaseModel):
    model: ShortText
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    max_tokens: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = Field(
        None, description="The model's own if left out; models that think take none"
    )
    stream: bool = Field(False, description="Answer with lines `data: {...}` as the model speaks")


class ChatChoiceOut(BaseModel):
    index: int
    message: ChatMessage
    finish_reason: str


class ChatUsageOut(BaseModel):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatOut(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[ChatChoiceOut]
    usage: ChatUsageOut


@router.post("/v0/orgs/{organization_id}/llm/run", response_model=ChatOut)
async def run_organization_chat(
    organization_id: str, body: ChatIn, caller: AnyCaller, services: ServicesDep
) -> Any:
    """Talk to a model at the organisation's expense (its administrators, with its tokens too)."""
    return await _run(services, caller, body, organization_id)


@router.post("/v0/account/llm/run", response_model=ChatOut)
async def run_chat(body: ChatIn, caller: AccountCaller, services: ServicesDep) -> Any:
    """Talk to a model at the expense of one's own first organisation (system administrators)."""
    return await _run(services, caller, body, None)


async def _run(services: Services, caller: Principal, body: ChatIn, organization_id: str | None) -> Any:
    call = await services.llm_chat.prepare(caller, _turn(body), organization_id)
    if not body.stream:
        return _answer(call, await services.llm_chat.complete(call))
    events = services.llm_chat.stream(call)
    # The first event is awaited here, so that a refused call is answered with its status.
    first = await anext(events)
    lines = _lines(services.streams, caller, first, events)
    return EventStream(lines, {"Content-Type": "text/plain; charset=utf-8"})


async def _lines(
    streams: OpenStreams, caller: Principal, first: ModelEvent, events: AsyncGenerator[ModelEvent]
) -> AsyncIterator[bytes]:
    async with aclosing(events):
        try:
            with streams.open(caller, None) as stream:
                event: ModelEvent | None = first
                while event is not None:
                    await stream.check()
                    if isinstance(event, TextDelta):
                        yield _line({"chunk": event.text, "done": False})
                    event = await anext(events, None)
            yield _line({"chunk": "", "done": True})
        except DocAgentError as error:
            yield _line({"error": error.detail})


def _line(event: dict[str, Any]) -> bytes:
    return b"data: " + orjson.dumps(event) + b"\n\n"


def _turn(body: ChatIn) -> ChatTurn:
    speakers = {"user": user_message, "assistant": assistant_message}
    return ChatTurn(
        model=body.model,
        messages=[speakers[said.role](said.content) for said in body.messages if said.role != "system"],
        system="\n\n".join(said.content for said in body.messages if said.role == "system") or None,
        max_output_tokens=body.max_tokens,
        temperature=body.temperature,
    )


def _answer(call: ModelCall, reply: ModelReply) -> ChatOut:
    refused = reply.finish_reason is FinishReason.REFUSED
    return ChatOut(
        id=f"chatcmpl-{call.id}",
        created=int(time.time()),
        model=call.model.name,
        choices=[
            ChatChoiceOut(
                index=0,
                message=ChatMessage(role="assistant", content=reply.text),
                finish_reason="content_filter" if refused else reply.finish_reason,
            )
        ],
        usage=ChatUsageOut(
            prompt_tokens=reply.usage.input_tokens,
            completion_tokens=reply.usage.output_tokens,
            total_tokens=reply.usage.total_tokens,
        ),
    )
