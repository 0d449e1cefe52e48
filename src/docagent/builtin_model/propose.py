"""Proposes a schema for documents like this one: the fields of its kind, and a few that it labels itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from docagent.builtin_model.extras import labelled_fields, typed_columns
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.profiles import ITEM, ITEM_FOUND, Profile, Properties, profile_of, text
from docagent.builtin_model.sheet import Sheet, sheet_of
from docagent.builtin_model.sorts import sort_of
from docagent.domain.text import Page
from docagent.layout import Table, find_tables
from docagent.printed import fold

_MOST_COLUMNS = 12
_MOST_TRIED = 40


@dataclass(frozen=True)
class Proposal:
    """A schema's fields. Those of the `core` belong to every document of the kind; an unknown kind has none."""

    kind: str
    properties: Properties
    core: frozenset[str]


def propose_schema(pages: Sequence[Page]) -> dict[str, Any]:
    """Return a strict `response_format`: every field is required and described, and no others are allowed."""
    proposed = proposal_for(sheet_of(pages), pages)
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "_".join(re.findall(r"[a-z0-9]+", fold(proposed.kind))),
            "schema": _object(proposed.properties),
            "strict": True,
        },
    }


def proposal_for(sheet: Sheet, pages: Sequence[Page]) -> Proposal:
    profile = profile_of(sort_of(sheet))
    asked = {**profile.core, **profile.found}
    rows = _array({**ITEM, **ITEM_FOUND}, "")
    found = fill_sheet(sheet, {"type": "object", "properties": {**asked, "line_items": rows}})
    properties = {
        name: part for name, part in asked.items() if name in profile.core or found[name] is not None
    }
    core = set(profile.core)
    properties |= _extras(sheet, profile, properties, found["line_items"])
    if profile.rows == "line_items" and (found["line_items"] or profile.rows_are_core):
        used = {
            name: part
            for name, part in ITEM_FOUND.items()
            if any(row[name] is not None for row in found["line_items"])
        }
        properties["line_items"] = _array(
            {**ITEM, **used}, "Every row of the table of goods and services, in order, without the totals"
        )
        core |= {"line_items"} if profile.rows_are_core else set()
    elif profile.rows == "rows" and (columns := _main_table(pages)):
        properties["rows"] = _array(columns, "Every row of the main table, in order")
    if not properties:
        properties = {"title": text("Title of the document")}
    return Proposal(profile.kind, properties, frozenset(core))


def _extras(sheet: Sheet, profile: Profile, known: Properties, rows: list[dict[str, Any]]) -> Properties:
    """Return the first labelled fields that the document also fills, none of them from the lines of a table."""
    if not profile.extras:
        return {}
    sold = fold(" ".join(str(row["description"]) for row in rows))
    labelled = islice(labelled_fields(sheet, known, sure=bool(profile.core)), _MOST_TRIED)
    tried = {name: part for name, part in labelled if fold(name.replace("_", " ")) not in sold}
    filled = fill_sheet(sheet, {"type": "object", "properties": tried})
    kept = [name for name in tried if filled[name] is not None]
    return {name: tried[name] for name in kept[: profile.extras]}


def _object(properties: Properties) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(properties: Properties, description: str) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": _object(properties)}


def _main_table(pages: Sequence[Page]) -> Properties:
    """Return the columns of the largest table that has a heading in every column."""
    tables = [table for page in pages for table in find_tables(page)]
    for table in sorted(tables, key=lambda one: -len(one.rows)):
        columns = _headed_columns(table)
        if len(columns) > 1 and len(table.rows) > 2:
            return columns
    return {}


def _headed_columns(table: Table) -> Properties:
    heading, *body = table.rows
    if len(heading) > _MOST_COLUMNS:
        return {}
    cells = [[row[place].text for row in body if place < len(row)] for place in range(len(heading))]
    return typed_columns((cell.text, column) for cell, column in zip(heading, cells, strict=True))
