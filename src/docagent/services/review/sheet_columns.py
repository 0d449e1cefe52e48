"""The columns of a sheet, from the schema that its prompt asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.sheets import Column, ColumnKind
from docagent.domain.field_path import ROOT, FieldPath
from docagent.jsonschema import resolved, types_of

MOST_COLUMNS = 200
MOST_LEVELS = 8


def columns_of(schema: dict[str, Any], unfold: str | None) -> list[Column]:
    """A column for each field; objects become columns of their fields. Raises InvalidInput for what is no list."""
    columns = list(_fields(schema, schema, ROOT))
    if unfold is None:
        return columns[:MOST_COLUMNS]
    for place, column in enumerate(columns):
        if column.unfolds and column.path.is_written(unfold):
            inside = _items(schema, column)
            return [*columns[:place], *inside, *columns[place + 1 :]][:MOST_COLUMNS]
    lists = ", ".join(str(column.path) for column in columns if column.unfolds) or "none"
    raise InvalidInput(f"{unfold} is no table of this sheet. What can be unfolded: {lists}.")


def columns_of_data(examples: Sequence[dict[str, Any]]) -> list[Column]:
    """Columns for results that no schema describes: a name that any of them has."""
    names = dict.fromkeys(name for data in examples for name in data)
    return [
        Column(FieldPath((name,)), name, _kind_of_values([data.get(name) for data in examples]))
        for name in names
    ]


def _fields(schema: dict[str, Any], root: dict[str, Any], above: FieldPath) -> Iterator[Column]:
    for name, below in (resolved(schema, root).get("properties") or {}).items():
        field = resolved(below, root)
        path = above / str(name)
        if "object" in types_of(field) and field.get("properties") and len(path) < MOST_LEVELS:
            yield from _fields(field, root, path)
            continue
        kind = _kind(field)
        has_rows = kind is ColumnKind.LIST and bool(resolved(field.get("items"), root).get("properties"))
        yield Column(path, _title(field, name), kind, unfolds=has_rows)


def _items(schema: dict[str, Any], column: Column) -> Iterator[Column]:
    """The columns of a list's items."""
    field = schema
    for step in column.path:
        field = resolved((resolved(field, schema).get("properties") or {}).get(step), schema)
    for inner in _fields(resolved(field.get("items"), schema), schema, column.path):
        yield replace(inner, within=column.path, unfolds=False)


def _title(field: dict[str, Any], name: str) -> str:
    title = field.get("title")
    return title if isinstance(title, str) and title else str(name)


def _kind(field: dict[str, Any]) -> ColumnKind:
    types = types_of(field)
    if types & {"array", "object"}:
        return ColumnKind.LIST
    if types & {"number", "integer"}:
        return ColumnKind.NUMBER
    if "boolean" in types:
        return ColumnKind.YES_NO
    return ColumnKind.DATE if field.get("format") == "date" else ColumnKind.TEXT


def _kind_of_values(values: Sequence[Any]) -> ColumnKind:
    given = [value for value in values if value is not None]
    if any(isinstance(value, dict | list) for value in given):
        return ColumnKind.LIST
    if given and all(isinstance(value, bool) for value in given):
        return ColumnKind.YES_NO
    if given and all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        return ColumnKind.NUMBER
    return ColumnKind.TEXT
