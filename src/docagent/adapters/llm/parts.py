"""Converts parts of messages; shared by all wire formats."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson

from docagent.domain.ids import new_id
from docagent.domain.models.llm import DocumentPart, OutputSchema, Part, TextPart

_OWN_CALL = "docagent_"
_MOST_BRACKETS = 200
"""JSON nested much deeper than this cannot be encoded again. Only a model that has lost its way writes such JSON."""
JSON_ONLY = "Reply with one JSON object and nothing else: no explanation, no code fence."


def document_text(document: DocumentPart) -> str:
    """Return the document's text between tags that nothing in the document can close."""
    lines = [f'<document name="{_attribute(document.name)}">']
    lines += [f"{_inside(key)}: {_inside(value)}" for key, value in document.metadata.items()]
    texts = document.texts or [page.text for page in document.pages]
    for page, text in zip(document.pages, texts, strict=True):
        note = f' note="{_attribute(page.note)}"' if page.note else ""
        lines.append(f'<page number="{page.number}"{note}>')
        if text:
            lines.append(_inside(text))
        lines.append("</page>")
    lines.append("</document>")
    return "\n".join(lines)


def shown_text(part: Part) -> str | None:
    """Return a part's text if every provider takes the part as text; None for other parts and for empty text."""
    if isinstance(part, TextPart):
        return part.text or None
    if isinstance(part, DocumentPart):
        return document_text(part)
    return None


def encoded_pdf(document: DocumentPart) -> str | None:
    return base64.b64encode(document.pdf).decode("ascii") if document.pdf else None


def pdf_name(document: DocumentPart) -> str:
    name = document.name or "document"
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"


def arguments_object(arguments: str) -> dict[str, Any]:
    """Return a call's arguments as the object that providers expect, even if the model wrote broken JSON."""
    value = None
    if arguments.count("{") + arguments.count("[") <= _MOST_BRACKETS or _is_shallow(arguments):
        with suppress(orjson.JSONDecodeError):
            value = orjson.loads(arguments or b"{}")
    return value if isinstance(value, dict) else {"broken_arguments": arguments}


def arguments_text(arguments: str) -> str:
    """Return a call's arguments as valid JSON text, unchanged where the model wrote valid JSON."""
    wanted = arguments_object(arguments)
    return orjson.dumps(wanted).decode() if "broken_arguments" in wanted or not arguments else arguments


def made_call_id() -> str:
    """Make an id for a call that the provider sent without one."""
    return _OWN_CALL + new_id()


def is_made_call_id(call_id: str) -> bool:
    return call_id.startswith(_OWN_CALL)


def mark(wire: str, secret: str) -> str:
    """Mark a signature with its wire format: it may be sent back in that format and in no other."""
    return f"{wire}:{secret}"


def unmark(wire: str, marked: str | None) -> str | None:
    """Return the signature if it belongs to this wire format, else None."""
    if marked is None or not marked.startswith(f"{wire}:"):
        return None
    return marked[len(wire) + 1 :]


def system_with_schema(system: str | None, output: OutputSchema | None, *, enforced: bool) -> str | None:
    """Return the system text. If the wire format does not enforce the reply's form, the text asks for it."""
    if output is None or (output.schema is not None and enforced):
        return system
    told = JSON_ONLY
    if output.schema is not None:
        schema = orjson.dumps(output.schema).decode()
        told = f"{JSON_ONLY} It must be valid under this JSON Schema:\n{schema}"
    return f"{system}\n\n{told}" if system else told


def joined(texts: Iterator[str]) -> str:
    return "\n\n".join(text for text in texts if text)


def _is_shallow(arguments: str) -> bool:
    """Return whether the brackets nest no deeper than the limit. Counts those inside strings too, to be safe."""
    depth = deepest = 0
    for character in arguments:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]":
            depth -= 1
    return deepest <= _MOST_BRACKETS


def _attribute(text: str) -> str:
    return _inside(" ".join(text.split())).replace('"', "'").replace(">", "")


def _inside(text: str) -> str:
    return text.replace("</document", "< /document").replace("</page", "< /page")
