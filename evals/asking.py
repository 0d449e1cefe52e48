"""Asks a model for the values of one document, as the product does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.domain.documents.text import Page
from docagent.domain.models.llm import (
    DocumentPart,
    Message,
    Model,
    ModelReply,
    ModelRequest,
    OutputSchema,
    TextPart,
)

INSTRUCTION = "Fill the schema from the document. Use null for what the document does not say."


def answer(
    pages: Sequence[Page], name: str, schema: dict[str, Any], model: Model | None = None
) -> dict[str, Any]:
    """Return the model's answer for one document. A reply that is not a JSON object counts as empty."""
    request = ModelRequest(
        "docagent-offline",
        (Message("user", (DocumentPart(name, pages), TextPart(INSTRUCTION))),),
        output=OutputSchema("extraction", schema),
    )
    text = asyncio.run(_ask(model or BuiltinModel(), request))
    try:
        given = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return given if isinstance(given, dict) else {}


async def _ask(model: Model, request: ModelRequest) -> str:
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, ModelReply):
                return event.text
    return ""
