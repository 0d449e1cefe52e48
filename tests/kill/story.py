"""What the model says in the turn that is killed. It depends only on the request, so a repeated one gets the same."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply, ToolCall
from tests.support.models.provider_rules import Refused, check_openai_chat
from tests.support.models.seeing import pictures_in
from tests.support.models.wire_streams import chat_stream

QUESTION = "Set this invoice up, and run it."
FINAL_TEXT = "The invoice is set up: number 2026-117, two rows."
PAGES = (["Invoice number 2026-117", "First row: 10 chairs"], ["Second row: 2 tables", "Total 1250.00"])
OLD_NAME, NEW_NAME = "scan.pdf", "invoice 2026-117.pdf"
SCHEMA_NAME, PROMPT_NAME = "Invoice", "Invoice extraction"
REJECTED_TAG = "never wanted"
REJECTED_CALL = "call_tag"

FOUND = {"number": "2026-117", "rows": [{"text": "10 chairs"}, {"text": "2 tables"}]}
"""What both windows say together."""
READS = ("call_read", "call_schemas", "call_look")
RENAMING_CALL = "call_rename"
LOOKS = ("get_ocr_text", "list_schemas", "look_at_page")
EFFECTS = ("call_schema", "call_prompt", RENAMING_CALL, "call_run")
"""The calls that the user approves, in order. `call_prompt` and `call_rename` stand in one reply."""
ROUNDS = 5
WINDOWS = len(PAGES)
APPROVALS = 3

_SCHEMA = {
    "type": "object",
    "properties": {
        "number": {"type": ["string", "null"]},
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}},
                "required": ["text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["number", "rows"],
    "additionalProperties": False,
}
_RESPONSE_FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "invoice", "schema": _SCHEMA, "strict": True},
}


class Storyteller:
    """A provider in OpenAI's format, as strict about histories as the real one. Counts the requests."""

    def __init__(self) -> None:
        self.base_url = ""
        self.rounds = 0
        self.windows = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        try:
            check_openai_chat(body)
            _check_pictures(body)
        except Refused as refused:
            return web.json_response({"error": {"message": f"refused: {refused}"}}, status=400)
        if "response_format" in body:
            self.windows += 1
            reply = make_reply(json.dumps(_window(body)))
        else:
            self.rounds += 1
            reply = _round(body["messages"])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in chat_stream(reply):
            await response.write(piece)
        return response


@asynccontextmanager
async def storyteller() -> AsyncIterator[Storyteller]:
    teller = Storyteller()
    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", teller.answer)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        teller.base_url = f"http://{host}:{port}/v1"
        yield teller
    finally:
        await runner.cleanup()


def _check_pictures(body: dict[str, Any]) -> None:
    """After it looked at a page, the agent sees it in every call of the turn."""
    looked = any(message.get("tool_call_id") == READS[2] for message in body["messages"])
    if len(pictures_in(body)) != looked:
        raise Refused("the picture of the page is missing, or is there twice")


def _window(body: dict[str, Any]) -> dict[str, Any]:
    """Return what is found on the page whose text is in the request."""
    text = json.dumps(body["messages"])
    if "10 chairs" in text:
        return {"number": FOUND["number"], "rows": FOUND["rows"][:1]}
    return {"number": None, "rows": FOUND["rows"][1:]}


def _round(messages: list[dict[str, Any]]) -> ModelReply:
    """Choose the reply by the number of replies since the user's message, which has no picture."""
    asked = max(
        place
        for place, message in enumerate(messages)
        if message["role"] == "user" and "image_url" not in json.dumps(message["content"])
    )
    done = sum(message["role"] == "assistant" for message in messages[asked:])
    match done:
        case 0:
            calls = tuple(map(ToolCall, READS, LOOKS, ("{}", "{}", '{"page": 1}')))
            return make_reply("I look at the document first.", tool_calls=calls)
        case 1:
            schema = {"name": SCHEMA_NAME, "response_format": _RESPONSE_FORMAT}
            calls = (
                ToolCall(EFFECTS[0], "create_schema", json.dumps(schema)),
                ToolCall(REJECTED_CALL, "create_tag", json.dumps({"name": REJECTED_TAG})),
            )
            return make_reply("It needs a schema.", tool_calls=calls)
        case 2:
            prompt = {
                "name": PROMPT_NAME,
                "content": "Read the invoice.",
                "schema_id": _result(messages, EFFECTS[0])["schema_id"],
            }
            calls = (
                ToolCall(EFFECTS[1], "create_prompt", json.dumps(prompt)),
                ToolCall(EFFECTS[2], "update_document", json.dumps({"document_name": NEW_NAME})),
            )
            return make_reply("Now the prompt, and a better name.", tool_calls=calls)
        case 3:
            return make_reply("And run it.", tool_calls=[ToolCall(EFFECTS[3], "run_extraction", "{}")])
        case _:
            return make_reply(FINAL_TEXT)


def _result(messages: list[dict[str, Any]], call_id: str) -> dict[str, Any]:
    (content,) = [message["content"] for message in messages if message.get("tool_call_id") == call_id]
    result: dict[str, Any] = json.loads(content)
    return result
