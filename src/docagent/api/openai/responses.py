"""What OpenAI's clients use of its Responses API for structured output: `responses.parse` with a file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.fields import AnyJson, JsonObject, LongText, ShortText
from docagent.api.openai.route import EXTRACTS
from docagent.api.openai.structured import structured
from docagent.api.rest.turns.approvals import MOST_CALLS
from docagent.api.router import Router
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


@router.post("/responses")
async def create_response(body: ResponseIn, member: OwnMember, services: ServicesDep) -> dict[str, Any]:
    """Extract an object from a file. Conversations are at /v1/chat/completions."""
    wanted = (body.text or {}).get("format") or {}
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema" or body.stream or body.tools:
        raise InvalidInput(
            "This path answers with a json_schema (text.format), whole and without tools. Use "
            "/v1/chat/completions to talk with the agent."
        )
    messages = body.input if isinstance(body.input, list) else [{"content": body.input}]
    asked = [{"content": body.instructions}, *messages]
    found = await structured(services, member, body.model, wanted, asked)
    content = {"type": "output_text", "text": found.text, "annotations": [], "logprobs": []}
    message = {
        "id": f"msg_{new_id()}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [content],
    }
    return {
        "id": f"resp_{new_id()}",
        "object": "response",
        "created_at": int(now().timestamp()),
        "status": "completed",
        "model": body.model,
        "output": [message],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "text": {"format": wanted},
        "error": None,
        "incomplete_details": None,
        "instructions": body.instructions,
        "metadata": {},
        **found.evidence,
    }
