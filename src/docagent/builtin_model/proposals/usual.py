"""What documents of a kind carry: the fields that a schema for them has, as `usual.toml` says."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docagent.words import listed

Properties = dict[str, dict[str, Any]]
_FILE = Path(__file__).with_name("usual.toml")
_MOST_EXTRAS = 24


@dataclass(frozen=True)
class Usual:
    """The fields of a kind of document."""

    kind: str
    core: Properties
    """Fields that every schema of the kind has, even if this document leaves one of them empty."""
    found: Properties
    """Fields that a schema has only if the document fills them."""
    columns: Properties
    """What every row of the main table has."""
    columns_found: Properties
    rows: str = ""
    """What the list of the main table is called; empty if documents of this kind have none worth reading."""
    rows_are_core: bool = False
    extras: int = 8
    """How many other labelled values a schema may have."""


def text(description: str) -> dict[str, Any]:
    return {"type": ["string", "null"], "description": description}


def number(description: str) -> dict[str, Any]:
    return {"type": ["number", "null"], "description": description}


def day(description: str) -> dict[str, Any]:
    return text(f"{description}, as YYYY-MM-DD") | {"format": "date"}


def amount(description: str) -> dict[str, Any]:
    return number(f"{description}, as a plain number")


def closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object schema as the strict rule demands."""
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_TYPES = {"text": text, "number": number, "date": day, "amount": amount}


def usual_for(kind: str | None) -> Usual:
    """Return what documents of a kind usually carry: of an unknown kind a title, a date, a number, and any labels."""
    known = _usual().get(kind or "")
    if known is not None:
        return known
    other = _properties(_content()["other"])
    return Usual(kind or "document", {}, other, *_columns(""), extras=_MOST_EXTRAS)


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def _usual() -> dict[str, Usual]:
    found: dict[str, Usual] = {}
    for kind, entry in _content()["kinds"].items():
        fields = _properties(_content()["fields"] | entry.get("fields", {}))
        columns, columns_found = _columns(entry.get("rows", ""))
        usual = Usual(
            kind,
            core={name: fields[name] for name in listed(entry["core"])},
            found={name: fields[name] for name in listed(entry["found"])},
            columns=columns,
            columns_found=columns_found,
            **{key: entry[key] for key in ("rows", "rows_are_core", "extras") if key in entry},
        )
        found |= dict.fromkeys((kind, *listed(entry.get("also", kind))), usual)
    return found


def _columns(rows: str) -> tuple[Properties, Properties]:
    columns = _content()["columns"]
    return _properties(columns.get(rows, columns["line_items"])), _properties(columns["found"])


def _properties(fields: Mapping[str, str]) -> Properties:
    """Return fields that are written as their types and descriptions."""
    written = {name: field.split(": ", 1) for name, field in fields.items()}
    return {name: _TYPES[kind](description) for name, (kind, description) in written.items()}
