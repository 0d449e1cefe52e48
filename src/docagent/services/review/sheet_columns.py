"""The columns of a sheet, from the schema that its prompt asks for, and what is checked in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any

from docagent import builtin_model
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.review import failed_sums
from docagent.domain.extraction.sheets import Column, ColumnKind, Remarks, SheetResult
from docagent.domain.field_path import ROOT, FieldPath
from docagent.jsonschema import field_schema, resolved, types_of
from docagent.store.engine.database import OrgTx
from docagent.store.review import sheets

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
    raise InvalidInput(f"{unfold} is not a table of this sheet. Its tables: {lists}.")


def columns_of_data(examples: Sequence[dict[str, Any]]) -> list[Column]:
    """Columns for results that no schema describes: a name that any of them has."""
    names = dict.fromkeys(name for data in examples for name in data)
    return [
        Column(FieldPath((name,)), in_words(name), _kind_of_values([data.get(name) for data in examples]))
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
    items = field_schema(schema, (*column.path, 0))
    for inner in _fields(items, schema, column.path):
        yield replace(inner, within=column.path, unfolds=False)


def _title(field: dict[str, Any], name: str) -> str:
    title = field.get("title")
    return title if isinstance(title, str) and title else in_words(str(name))


_FOR_PROGRAMS = re.compile(r"[a-z][A-Za-z\d_-]*")


def in_words(name: str) -> str:
    """Write a name that programs use as people do: "Invoice number". One that people wrote stays as it is."""
    if not _FOR_PROGRAMS.fullmatch(name):
        return name
    parts = re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ").split()
    text = " ".join(parts).lower()
    return text[:1].upper() + text[1:]


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


_NUMBERS = (
    "invoice_number",
    "receipt_number",
    "credit_note_number",
    "delivery_note_number",
    "quote_number",
    "order_number",
    "contract_number",
    "document_number",
)
"""What tells papers of one issuer apart, surest first."""
_ISSUERS = ("supplier", "first_party")
_OF_THE_PAST = frozenset({"invoice_date", "order_date", "birth_date", "signature_date"})
_TYPES = {
    ColumnKind.TEXT: {"type": "string"},
    ColumnKind.DATE: {"type": "string", "format": "date"},
    ColumnKind.NUMBER: {"type": "number"},
    ColumnKind.YES_NO: {"type": "boolean"},
    ColumnKind.LIST: {"type": "array"},
}


@dataclass(frozen=True, slots=True)
class SheetChecks:
    """The columns of a sheet that can be checked: for papers twice, rows that miss their total, dates to come."""

    number: Column | None
    issuer: Column | None
    past: Sequence[Column]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> SheetChecks:
        asked = by_concept(columns)
        return cls(
            number=next((asked[key] for key in _NUMBERS if key in asked), None),
            issuer=next((asked[key] for key in _ISSUERS if key in asked), None),
            past=[asked[key] for key in _OF_THE_PAST if key in asked],
        )

    def remarks(
        self, results: Sequence[SheetResult], twice: Mapping[tuple[str, str], int], today: date
    ) -> Mapping[str, Remarks]:
        """For each result by its id, what does not add up, by the path of the value."""
        return {result.id: dict(self._of_one(result, twice, today)) for result in results}

    async def twice(
        self, tx: OrgTx, prompt_id: str, results: Sequence[SheetResult] | None = None
    ) -> Mapping[tuple[str, str], int]:
        """Numbers that several documents have: those of these results, or all of the sheet in one pass over it."""
        if self.number is None:
            return {}
        if results is None:
            return await sheets.repeated(tx, prompt_id, self.number, self.issuer)
        numbers = {_text(result, self.number) for result in results} - {""}
        if not numbers:
            return {}
        return await sheets.repeated(tx, prompt_id, self.number, self.issuer, sorted(numbers))

    def _of_one(
        self, result: SheetResult, twice: Mapping[tuple[str, str], int], today: date
    ) -> Iterator[tuple[FieldPath, str]]:
        if self.number is not None:
            count = twice.get((_text(result, self.number), _text(result, self.issuer)), 1)
            if count > 1:
                same = " of the same issuer" if self.issuer else ""
                yield self.number.path, f"{count} documents{same} have this number."
        for column in self.past:
            value = column.path.get(result.data)
            if isinstance(value, str) and value[:10] > today.isoformat() and _is_date(value):
                yield column.path, "This date is yet to come."
        for problem in failed_sums(result.data):
            yield problem.path, problem.message


def _text(result: SheetResult, column: Column | None) -> str:
    value = column.path.get(result.data) if column is not None else None
    return str(value) if isinstance(value, str | int | float) else ""


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def by_concept(columns: Sequence[Column]) -> dict[str, Column]:
    """The first column that asks for each thing that papers have in common."""
    return {_concept(column.path, column.kind): column for column in reversed(columns) if not column.within}


@lru_cache(maxsize=2000)
def _concept(path: FieldPath, kind: ColumnKind) -> str:
    return builtin_model.field_of(path.name, _TYPES[kind], tuple(map(str, path.parent))).key
