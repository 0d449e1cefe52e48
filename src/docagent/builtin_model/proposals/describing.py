"""Answers the default prompt: what a document is, its date, and an outline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.kinds import TRADE, document_kind
from docagent.builtin_model.page.sheet import sheet_of
from docagent.domain.documents.text import Page
from docagent.reading.layout import Heading, Paragraph, flow_of

_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_LINE = {"description": _TEXT, "quantity": _NUMBER, "unit_price": _NUMBER, "amount": _NUMBER}
_ASKED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "document_date": _TEXT | {"format": "date"},
        "document_number": _TEXT,
        "parties": {"type": "array", "items": _TEXT},
        "supplier_name": _TEXT,
        "customer_name": _TEXT,
        "total": _NUMBER,
        "currency": _TEXT,
        "lines": {"type": "array", "items": {"type": "object", "properties": _LINE}},
    },
}
_MOST_HEADINGS = 6
_PAGES_FOR_OUTLINE = 20
_LONGEST_OPENING = 200


def describe(pages: Sequence[Page]) -> dict[str, Any]:
    """Return `document_type`, `document_date` and `summary`. Every value is printed in the document or counted."""
    sheet = sheet_of(pages)
    kind = document_kind(sheet)
    found = fill_sheet(sheet, _ASKED)
    summary = _trade_summary(kind, found) if kind in TRADE else ""
    outline = _outline(pages)
    count = f"{len(pages)} page{'' if len(pages) == 1 else 's'}."
    parts = [part for part in (summary or outline, count) if part]
    return {"document_type": kind, "document_date": found["document_date"], "summary": " ".join(parts)}


def with_description(filled: dict[str, Any], schema: dict[str, Any], pages: Sequence[Page]) -> dict[str, Any]:
    """Return the filled schema. If it asks for keys of the description that are still empty, they are filled in."""
    properties = schema.get("properties") or {}
    empty = [
        key
        for key in ("document_type", "document_date", "summary")
        if key in properties and filled[key] is None
    ]
    if not empty:
        return filled
    described = describe(pages)
    return filled | {key: described[key] for key in empty if _is_allowed(described[key], properties[key])}


def _is_allowed(value: Any, schema: Any) -> bool:
    choices = schema.get("enum") if isinstance(schema, dict) else None
    return choices is None or value in choices


def _trade_summary(kind: str | None, found: dict[str, Any]) -> str:
    title = str(kind or "document").capitalize()
    between = found["parties"] if kind == "contract" and len(found["parties"]) > 1 else []
    said = [
        f"number {found['document_number']}" if found["document_number"] else "",
        f"between {', '.join(between[:-1])} and {between[-1]}" if between else "",
        f"from {found['supplier_name']}" if found["supplier_name"] and not between else "",
        f"to {found['customer_name']}" if found["customer_name"] and not between else "",
        f"dated {found['document_date']}" if found["document_date"] else "",
        f"total {found['total']:.2f} {found['currency'] or ''}".strip() if found["total"] is not None else "",
        f"{len(found['lines'])} line items" if len(found["lines"]) > 1 else "",
    ]
    said = [part for part in said if part]
    return f"{title}: {', '.join(said)}." if said else ""


def _outline(pages: Sequence[Page]) -> str:
    """Return the headings in order or, if there are none, the beginning of the text."""
    headings: list[str] = []
    opening = ""
    for page in pages[:_PAGES_FOR_OUTLINE]:
        for part in flow_of(page):
            if isinstance(part, Heading) and part.text not in headings:
                headings.append(part.text)
            elif isinstance(part, Paragraph) and not opening:
                text = " ".join(part.lines)
                opening = text if len(text.split()) > 5 else ""
    if headings:
        more = "; and more" if len(headings) > _MOST_HEADINGS else ""
        return f"Outline: {'; '.join(headings[:_MOST_HEADINGS])}{more}."
    if len(opening) > _LONGEST_OPENING:
        opening = opening[:_LONGEST_OPENING].rsplit(" ", 1)[0] + "\u2026"
    return f"Begins: \u201c{opening}\u201d" if opening else ""
