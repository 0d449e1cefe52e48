from __future__ import annotations

import json
from typing import Any

from docagent.adapters.llm.builtin import NO_DOCUMENT, BuiltinModel
from docagent.domain.models.llm import (
    DocumentPart,
    FinishReason,
    Message,
    Model,
    ModelReply,
    ModelRequest,
    OutputSchema,
    TextDelta,
    TextPart,
)
from tests.unit.builtin_model import documents


async def ask(request: ModelRequest) -> tuple[list[str], ModelReply]:
    model: Model = BuiltinModel()
    events = [event async for event in model.stream(request)]
    reply = events.pop()
    assert isinstance(reply, ModelReply)
    return [event.text for event in events if isinstance(event, TextDelta)], reply


def request(
    instruction: str, schema: dict[str, Any] | None = None, *, json_wanted: bool = True
) -> ModelRequest:
    parts = (DocumentPart("invoice.pdf", documents.invoice()), TextPart(instruction))
    output = OutputSchema("extraction", schema) if json_wanted else None
    return ModelRequest("docagent-offline", (Message("user", parts),), output=output)


async def test_a_schema_is_filled_and_the_deltas_make_the_reply() -> None:
    schema = {
        "type": "object",
        "properties": {"invoice_number": {"type": "string"}, "total": {"type": "number"}},
    }
    deltas, reply = await ask(request("Fill in the schema.", schema))
    assert len(deltas) > 1
    assert "".join(deltas) == reply.text
    assert json.loads(reply.text) == {"invoice_number": "NW-2024-0042", "total": 129.6}
    assert reply.finish_reason is FinishReason.STOP
    assert reply.model == "docagent-offline"


async def test_usage_counts_words() -> None:
    schema = {"type": "object", "properties": {"total": {"type": "number"}}}
    _, reply = await ask(request("Fill in the schema.", schema))
    words = sum(len(page.words) for page in documents.invoice())
    assert reply.usage.input_tokens == words + 4
    assert reply.usage.output_tokens == len(reply.text.split())


async def test_the_default_prompt_is_answered() -> None:
    _, reply = await ask(request("Give document_type, document_date and summary as JSON."))
    answer = json.loads(reply.text)
    assert list(answer) == ["document_type", "document_date", "summary"]
    assert answer["document_type"] == "invoice"


async def test_the_default_prompts_keys_are_answered_inside_a_schema() -> None:
    text = {"type": ["string", "null"]}
    schema = {
        "type": "object",
        "properties": {"document_type": text, "document_date": text, "summary": text, "notes": text},
    }
    _, reply = await ask(request("Describe the document.", schema))
    answer = json.loads(reply.text)
    assert answer["document_type"] == "invoice"
    assert answer["document_date"] == "2024-03-05"
    assert answer["summary"].startswith("Invoice: number NW-2024-0042, from Northwind Traders Ltd.")
    assert answer["notes"] is None


async def test_a_kind_of_document_outside_the_choices_stays_empty() -> None:
    kind = {"type": ["string", "null"], "enum": ["letter", "map", None]}
    _, reply = await ask(request("Describe.", {"type": "object", "properties": {"document_type": kind}}))
    assert json.loads(reply.text) == {"document_type": None}


async def test_without_a_schema_the_document_decides_what_is_filled() -> None:
    _, reply = await ask(request("Extract what matters."))
    answer = json.loads(reply.text)
    assert answer["invoice_number"] == "NW-2024-0042"
    assert len(answer["line_items"]) == 3


async def test_without_a_document_it_says_what_it_is() -> None:
    _, reply = await ask(ModelRequest("docagent-offline", (Message("user", (TextPart("Hello"),)),)))
    assert reply.text == NO_DOCUMENT
    assert "rule-based" in reply.text


async def test_the_same_request_gets_the_same_reply() -> None:
    first, second = await ask(request("Extract.")), await ask(request("Extract."))
    assert first == second
