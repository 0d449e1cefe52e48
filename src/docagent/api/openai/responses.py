"""What OpenAI's clients use of its Responses API for structured output: `parse` and `stream` with a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import orjson
from fastapi import Response
from pydantic import BaseModel, Field

from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.fields import AnyJson, JsonObject, LongText, ShortText
from docagent.api.openai.route import EXTRACTS
from docagent.api.openai.structured import Structured, structured
from docagent.api.rest.turns.approvals import MOST_CALLS
from docagent.api.router import Router
from docagent.api.stream import OPTIONS, EventStream, data_line
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput
from docagent.domain.ids import new_id

router = Router(prefix="/v1", tags=["OpenAI"])


class ResponseIn(BaseModel):
    """Other fields of OpenAI's are taken and not used."""

    model: ShortText = Field(description=EXTRACTS)
    input: AnyJson = Field(description="Text, or messages of which one holds an `input_file`")
    instructions: LongText | None = None
    text: JsonObject | None = Field(None, description="`format` is a json_schema")
    stream: bool | None = None
    tools: Annotated[list[JsonObject], Field(max_length=MOST_CALLS)] | None = None


@router.post(
    "/responses", response_class=Response, responses={200: {"description": "A response, or its events"}}
)
async def create_response(body: ResponseIn, member: OwnMember, services: ServicesDep) -> Response:
    """Extract an object from a file. Conversations are at /v1/chat/completions."""
    wanted = (body.text or {}).get("format") or {}
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema" or body.tools:
        raise InvalidInput(
            "This path answers with a json_schema (text.format), and without tools. Use /v1/chat/completions to talk "
            "with the agent."
        )
    messages = body.input if isinstance(body.input, list) else [{"content": body.input}]
    asked = [{"content": body.instructions}, *messages]
    found = await structured(services, member, body.model, wanted, asked)
    head = {
        "id": f"resp_{new_id()}",
        "object": "response",
        "created_at": int(now().timestamp()),
        "model": body.model,
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "text": {"format": wanted},
        "error": None,
        "incomplete_details": None,
        "instructions": body.instructions,
        "metadata": {},
    }
    message = _message(found)
    whole = {**head, "status": "completed", "output": [message], **found.evidence}
    if not body.stream:
        return Response(orjson.dumps(whole, option=OPTIONS), media_type="application/json")
    begun = {**head, "status": "in_progress", "output": []}
    events = [("created", {"response": begun}), *_told(message), ("completed", {"response": whole})]
    lines = [
        data_line({"type": f"response.{name}", "sequence_number": number, **more})
        for number, (name, more) in enumerate(events)
    ]
    return Response(b"".join(lines), media_type=EventStream.media_type)


def _message(found: Structured) -> dict[str, Any]:
    content = {"type": "output_text", "text": found.text, "annotations": found.citations, "logprobs": []}
    kind = {"type": "message", "role": "assistant", "status": "completed"}
    return {"id": f"msg_{new_id()}", **kind, "content": [content]}


def _told(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a message that comes in one piece."""
    (content,) = message["content"]
    item = {"output_index": 0}
    part = {**item, "item_id": message["id"], "content_index": 0}
    yield "output_item.added", {**item, "item": {**message, "status": "in_progress", "content": []}}
    yield "content_part.added", {**part, "part": {**content, "text": ""}}
    yield "output_text.delta", {**part, "delta": content["text"], "logprobs": []}
    yield "output_text.done", {**part, "text": content["text"], "logprobs": []}
    yield "content_part.done", {**part, "part": content}
    yield "output_item.done", {**item, "item": message}
