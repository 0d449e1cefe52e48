"""The built-in model behind the same port as every provider: rule-based, offline, and honest about it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.domain.models import llm
from docagent.domain.models.catalogue import BUILT_IN_MODEL

NO_DOCUMENT = (
    "I am the built-in model: offline and rule-based. I read documents into data; to answer anything else, "
    "connect a language model in the settings."
)
_DELTAS = 4


class BuiltinModel:
    """Fills schemas by rules over the document's words and boxes. Given tools or a situation, it talks as an
    agent. The same request always gets the same answer.
    """

    async def stream(self, request: llm.ModelRequest) -> AsyncGenerator[llm.ModelEvent]:
        reply = await asyncio.to_thread(_reply, request)
        text = reply.text
        size = max(1, -(-len(text) // _DELTAS))
        for start in range(0, len(text), size):
            yield llm.TextDelta(text[start : start + size])
        yield reply


def _reply(request: llm.ModelRequest) -> llm.ModelReply:
    pages = _pages_of(request)
    parts = _parts(request, pages)
    said = (part.text if isinstance(part, llm.TextPart) else part.arguments for part in parts)
    usage = llm.Usage(
        input_tokens=len(_instructions(request).split()) + sum(len(page.words) for page in pages),
        output_tokens=sum(len(text.split()) for text in said),
    )
    calls = any(isinstance(part, llm.ToolCall) for part in parts)
    finish = llm.FinishReason.TOOL_CALLS if calls else llm.FinishReason.STOP
    return llm.ModelReply(parts, finish, usage, BUILT_IN_MODEL)


def _parts(request: llm.ModelRequest, pages: list[Page]) -> tuple[llm.TextPart | llm.ToolCall, ...]:
    if request.situation is not None or (request.output is None and request.tools):
        return builtin_model.respond(request)
    if request.output is None and not pages:
        return (llm.TextPart(NO_DOCUMENT),)
    return (llm.TextPart(json.dumps(_answer(request, pages), ensure_ascii=False)),)


def _answer(request: llm.ModelRequest, pages: list[Page]) -> dict[str, Any]:
    """Fill the schema if there is one. Otherwise describe the document, or fill a schema proposed for it."""
    if request.output is not None and request.output.schema is not None:
        schema = request.output.schema
        return builtin_model.with_description(builtin_model.fill(pages, schema), schema, pages)
    if "document_type" in _instructions(request):
        return builtin_model.describe(pages)
    proposed: dict[str, Any] = builtin_model.propose_schema(pages)["json_schema"]["schema"]
    return builtin_model.fill(pages, proposed)


def _pages_of(request: llm.ModelRequest) -> list[Page]:
    return [
        page
        for message in request.conversation
        for part in message.parts
        if isinstance(part, llm.DocumentPart)
        for page in part.pages
    ]


def _instructions(request: llm.ModelRequest) -> str:
    parts = [
        part.text
        for message in request.conversation
        for part in message.parts
        if isinstance(part, llm.TextPart)
    ]
    return "\n".join([request.system or "", *parts])
