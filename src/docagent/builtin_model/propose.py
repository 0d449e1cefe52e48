"""Proposes a schema for a document that has none: from its kind, its labelled fields and its main table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from docagent.builtin_model.fields import field_of
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.kinds import TRADE, document_kind
from docagent.builtin_model.reading import before_next_label
from docagent.builtin_model.sheet import Segment, Sheet, sheet_of
from docagent.domain.text import Page
from docagent.layout import Table, find_tables
from docagent.printed import fold, meanings_of

Properties = dict[str, dict[str, Any]]

_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_COMMON: Properties = {
    "invoice_number": {**_TEXT, "description": "Number of the invoice"},
    "contract_number": {**_TEXT, "description": "Number of the contract"},
    "order_number": {**_TEXT, "description": "Number of the order"},
    "customer_number": {**_TEXT, "description": "The customer's number"},
    "date": {**_TEXT, "description": "Date of the document, as YYYY-MM-DD"},
    "due_date": {**_TEXT, "description": "Date when payment is due, as YYYY-MM-DD"},
    "supplier_name": {**_TEXT, "description": "Name of the supplier"},
    "supplier_address": {**_TEXT, "description": "Address of the supplier"},
    "customer_name": {**_TEXT, "description": "Name of the customer"},
    "net_amount": {**_NUMBER, "description": "Total without tax"},
    "tax_amount": {**_NUMBER, "description": "Total of the tax"},
    "total_amount": {**_NUMBER, "description": "Total with tax"},
    "currency": {**_TEXT, "description": "Currency as an ISO code"},
    "iban": {**_TEXT, "description": "IBAN of the supplier"},
    "vat_id": {**_TEXT, "description": "VAT number of the supplier"},
    "email": {**_TEXT, "description": "Email address"},
}
_ALWAYS = {name: _COMMON[name] for name in ("date", "email", "iban", "currency")}
_ITEM: Properties = {
    "description": {**_TEXT, "description": "What the line is for"},
    "item_number": {**_TEXT, "description": "Number of the article"},
    "quantity": {**_NUMBER, "description": "How many"},
    "unit_price": {**_NUMBER, "description": "Price of one"},
    "tax_rate": {**_NUMBER, "description": "Tax rate in percent"},
    "amount": {**_NUMBER, "description": "Amount of the line"},
}
_NO_FIELDS = frozenset({"page", "seite", "and", "to", "from"})
_MOST_FIELDS = 25
_MOST_COLUMNS = 12
_LONGEST_LABEL = 5
_LABELLED = re.compile(r"(?P<label>[^\W\d][^:=]{1,40}?)\s?(?::(?=\s|$)|=)\s*(?P<value>.*)")


def propose_schema(pages: Sequence[Page]) -> dict[str, Any]:
    """Return a strict `response_format`: every field is required and described, and no others are allowed."""
    sheet = sheet_of(pages)
    kind = document_kind(sheet)
    asked = _COMMON if kind in TRADE else _ALWAYS
    found = fill_sheet(sheet, {"type": "object", "properties": {**asked, "line_items": _array(_ITEM, "")}})
    properties = {name: part for name, part in asked.items() if found[name] is not None}
    rows: list[dict[str, Any]] = found["line_items"]
    sold = fold(" ".join(str(row["description"]) for row in rows))
    for name, part in _labelled_fields(sheet, properties):
        if len(properties) < _MOST_FIELDS and fold(part["description"]) not in sold:
            properties[name] = part
    if rows:
        used = {name: part for name, part in _ITEM.items() if any(row[name] is not None for row in rows)}
        properties["line_items"] = _array(used, "The lines of the main table")
    else:
        columns = _main_table(pages)
        if columns:
            properties["rows"] = _array(columns, "The rows of the main table")
    if not properties:
        properties = {"title": {**_TEXT, "description": "Title of the document"}}
    name = _name(kind or "document") or "document"
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": _object(properties), "strict": True},
    }


def _object(properties: Properties) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(properties: Properties, description: str) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": _object(properties)}


def _labelled_fields(sheet: Sheet, known: Properties) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each `Label: value` on the first page, except those that the common fields already cover."""
    seen = {frozenset(meanings_of(name)) for name in known}
    concepts = {field_of(name, part).key for name, part in known.items()} - {""}
    for segment in sheet.segments:
        if segment.page > 0:
            return
        match = _LABELLED.match(segment.text)
        if match is None or not 1 <= len(match["label"].split()) <= _LONGEST_LABEL:
            continue
        label = match["label"].strip(" .-")
        name = _name(label)
        meanings = frozenset(meanings_of(label))
        value = _value(sheet, segment, match["value"])
        concept = field_of(name, _type_of(value)).key if name else ""
        if (
            name
            and name not in _NO_FIELDS
            and value
            and meanings not in seen
            and name not in known
            and concept not in concepts
        ):
            seen.add(meanings)
            yield name, {**_type_of(value), "description": label}


def _value(sheet: Sheet, segment: Segment, inline: str) -> str:
    if inline.strip():
        return before_next_label(inline)
    right = sheet.after(segment)
    return right[0].text if right and not right[0].text.endswith(":") else ""


def _type_of(value: str) -> dict[str, Any]:
    only_figures = re.fullmatch(r"[^\w]*[\d.,' ]+[^\w]*(?:EUR|USD|GBP|CHF)?", value.strip())
    is_money = only_figures and re.search(r"[.,]\d{2}\b", value)
    return dict(_NUMBER if is_money else _TEXT)


def _main_table(pages: Sequence[Page]) -> Properties:
    """Return the columns of the largest table that has a heading in every column."""
    tables = [table for page in pages for table in find_tables(page)]
    for table in sorted(tables, key=lambda one: -len(one.rows)):
        columns = _headed_columns(table)
        if len(columns) > 1 and len(table.rows) > 2:
            return columns
    return {}


def _headed_columns(table: Table) -> Properties:
    columns: Properties = {}
    for cell in table.rows[0][:_MOST_COLUMNS]:
        name = _name(cell.text)
        if name and not any(character.isdigit() for character in cell.text):
            columns[name] = {**_TEXT, "description": cell.text}
    return columns if len(columns) == len(table.rows[0]) else {}


def _name(label: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", fold(label)))[:60].strip("_")
