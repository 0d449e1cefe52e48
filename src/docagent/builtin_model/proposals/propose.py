"""Proposes a schema for documents like this one: the fields of its kind, and a few that it labels itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.pairs import find_headed
from docagent.builtin_model.page.sheet import Sheet, sheet_of
from docagent.builtin_model.proposals.extras import is_text_of_form, labelled_fields, typed_columns
from docagent.builtin_model.proposals.sorts import sort_by_network, sort_of
from docagent.builtin_model.proposals.usual import Properties, Usual, closed, text, usual_for
from docagent.builtin_model.voices import joined
from docagent.domain.documents.text import Page
from docagent.reading.layout import upright
from docagent.reading.printed import fold

FIRST_PAGES = 30
"""What a document is shows on its first pages; the others would only take time."""
_ROWS = "line items"
_ROWS_DESCRIBED = "Every row of the main table, in order, without the totals"
_BORNE_OUT = 0.6
_MOST_TRIED = 40
_COUNTED = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")


@dataclass(frozen=True)
class Proposal:
    """A schema's fields. Those of the `core` belong to every document of the kind; an unknown kind has none."""

    kind: str
    properties: Properties
    core: frozenset[str]


def propose_schema(pages: Sequence[Page]) -> dict[str, Any]:
    """Return a strict `response_format`: every field is required and described, and no others are allowed."""
    first = [upright(page) for page in pages[:FIRST_PAGES]]
    proposed = proposal_for(sheet_of(first), first)
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "_".join(re.findall(r"[a-z0-9]+", fold(proposed.kind))),
            "schema": closed(proposed.properties),
            "strict": True,
        },
    }


def proposal_for(sheet: Sheet, pages: Sequence[Page]) -> Proposal:
    sort = sort_of(sheet)
    by_network = sort_by_network(pages) if sort is None else None
    usual = usual_for(sort or by_network)
    data = fill_sheet(sheet, _asked(usual))
    if by_network and not _is_borne_out(usual, data):
        by_network, usual = None, usual_for(None)
        data = fill_sheet(sheet, _asked(usual))
    if by_network:
        data = joined(pages, sheet, _asked(usual), data).data
    asked = {**usual.core, **usual.found}
    found: list[dict[str, Any]] = data[_ROWS]
    properties = {name: part for name, part in asked.items() if name in usual.core or _is_telling(data[name])}
    extras, values = _extras(sheet, usual, properties, found)
    if usual.core:
        extras = {name: part for name, part in extras.items() if values[name] not in data.values()}
    else:
        properties = {name: part for name, part in properties.items() if data[name] not in values.values()}
    properties |= extras
    core = set(usual.core)
    columns = _main_table(sheet) if usual.extras and not (usual.rows and found) else {}
    if columns:
        properties[usual.rows or "rows"] = _array(columns, _ROWS_DESCRIBED)
    elif usual.rows and (found or usual.rows_are_core):
        used = {
            name: part
            for name, part in usual.columns_found.items()
            if any(row[name] is not None for row in found)
        }
        properties[usual.rows] = _array({**usual.columns, **used}, _ROWS_DESCRIBED)
        core |= {usual.rows} if usual.rows_are_core else set()
    if not properties:
        properties = {"title": text("Title of the document")}
    return Proposal(usual.kind, properties, frozenset(core))


def _asked(usual: Usual) -> dict[str, Any]:
    rows = _array({**usual.columns, **usual.columns_found}, "")
    return {"type": "object", "properties": {**usual.core, **usual.found, _ROWS: rows}}


def _is_borne_out(usual: Usual, data: dict[str, Any]) -> bool:
    """Return whether a document that no heading names has most of what its kind always carries."""
    there = [data[name] is not None for name in usual.core]
    there += [bool(data[_ROWS])] if usual.rows_are_core else []
    return sum(there) >= _BORNE_OUT * len(there)


def _is_telling(value: Any) -> bool:
    """Return whether a value is there and is more than the number of a section or page, such as `7` or `1st`."""
    return value is not None and not (isinstance(value, str) and _COUNTED.fullmatch(value))


def _extras(
    sheet: Sheet, usual: Usual, known: Properties, rows: list[dict[str, Any]]
) -> tuple[Properties, dict[str, Any]]:
    """Return the first labelled fields that the document fills, and with what. None is from the lines of a table."""
    if not usual.extras:
        return {}, {}
    sold = fold(" ".join(str(row["description"]) for row in rows))
    labelled = islice(labelled_fields(sheet, known), _MOST_TRIED)
    tried = {name: part for name, part in labelled if fold(name.replace("_", " ")) not in sold}
    filled = fill_sheet(sheet, {"type": "object", "properties": tried})
    answers = {name: value for name, value in filled.items() if value is not None}
    kept = [
        name for name, value in answers.items() if not (isinstance(value, str) and is_text_of_form(value))
    ]
    kept = kept[: usual.extras]
    return {name: tried[name] for name in kept}, {name: filled[name] for name in kept}


def _array(properties: Properties, description: str) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": closed(properties)}


def _main_table(sheet: Sheet) -> Properties:
    """Return the columns of the largest table that has a caption over every column."""
    tables = sorted(find_headed(sheet), key=lambda one: -len(one.heads) * len(one.body))
    return next((columns for one in tables if (columns := typed_columns(one))), {})
