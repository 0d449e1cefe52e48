"""Parts of messages, as all wire formats need them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson

from docagent.domain.ids import new_id
from docagent.domain.llm import DocumentPart, OutputSchema, Part, TextPart

_OWN_CALL = "docagent_"
_MOST_BRACKETS = 200
"""Deeper nesting than about this cannot be written as JSON again; only a model that lost its way gets there."""
JSON_ONLY = "Reply with one JSON object and nothing else: no explanation, no code fence."


def document_text(document: DocumentPart) -> str:
    """The document's text between tags that its own words cannot close."""
    lines = [f'<document name="{_attribute(document.name)}">']
    lines += [f"{_inside(key)}: {_inside(value)}" for key, value in document.metadata.items()]
    for page in document.pages:
        note = f' note="{_attribute(page.note)}"' if page.note else ""
        lines.append(f'<page number="{page.number}"{note}>')
        if page.text:
            lines.append(_inside(page.text))
        lines.append("</page>")
    lines.append("</document>")
    return "\n".join(lines)


def shown_text(part: Part) -> str | None:
    """The text of a part that is text for every provider; None for all others and for empty text."""
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
    """A call's arguments as the object that providers want back, even when the model wrote broken JSON."""
    value = None
    if arguments.count("{") + arguments.count("[") <= _MOST_BRACKETS or _is_shallow(arguments):
        with suppress(orjson.JSONDecodeError):
            value = orjson.loads(arguments or b"{}")
    return value if isinstance(value, dict) else {"broken_arguments": arguments}


def arguments_text(arguments: str) -> str:
    """A call's arguments as valid JSON text: as the model wrote them where that is possible."""
    wanted = arguments_object(arguments)
    return orjson.dumps(wanted).decode() if "broken_arguments" in wanted or not arguments else arguments


def made_call_id() -> str:
    """An id for a call to which the provider gave none."""
    return _OWN_CALL + new_id()


def is_made_call_id(call_id: str) -> bool:
    return call_id.startswith(_OWN_CALL)


def mark(wire: str, secret: str) -> str:
    """A signature with the name of the wire that it belongs to: it may go back there and nowhere else."""
    return f"{wire}:{secret}"


def unmark(wire: str, marked: str | None) -> str | None:
    """The signature, if it is of this wire."""
    if marked is None or not marked.startswith(f"{wire}:"):
        return None
    return marked[len(wire) + 1 :]


def system_with_schema(system: str | None, output: OutputSchema | None, *, enforced: bool) -> str | None:
    """The system text, told about the reply's form where the wire cannot enforce it or wants it said."""
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
    """Counts brackets inside strings too, so it errs on the careful side."""
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
