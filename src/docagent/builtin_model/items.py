"""Reads the rows of a table, such as line items, by the words of its heading and the columns below."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from docagent.builtin_model import till_rows
from docagent.builtin_model.choosing import as_json
from docagent.builtin_model.concepts import BY_KEY, Kind
from docagent.builtin_model.fields import Field, Schema, field_of
from docagent.builtin_model.grid import (
    FIGURES,
    Column,
    body,
    cells_of,
    columns_of,
    has_figures,
    heading_rows,
    is_dated,
    may_head,
)
from docagent.builtin_model.labels import Label, labels_in
from docagent.builtin_model.reading import Value, is_sentence, read_values
from docagent.builtin_model.roles import roles_of
from docagent.builtin_model.sheet import Segment, Sheet
from docagent.jsonschema import resolved, types_of

_WEAKEST_HEADING = 0.35
_FEWEST_NAMED = 0.4
"""The share of a list's fields that a heading must name, or its cells tell, to be meant."""
_CONTINUES = 0.7
"""In line heights."""
_BY_CELLS = 0.5
_SURE = 0.9
_PRODUCT = frozenset({"quantity", "unit_price", "line_amount"})
_TRADE = ("quantity", "unit_price", "line_amount", "item_name", "item_code", "tax_rate", "row_weight")
_BOOKINGS = ("row_date", "booking_text", "row_debit", "row_credit", "row_balance")
_ROWS_TO_TELL = 60
_LONGEST_HEAD = 32
_MOST_HEADINGS = 200
_NARROW = 3
"""A table with fewer columns may be a receipt, whose names have counts before them."""
_LOT_NUMBER = re.compile(r"[^\W\d][^\d:]{2,20}[\s.:]+[A-Z]{1,3}-?\d{3,}")
"""What a line says of one piece and not of the article: `Batch YB3599`."""
_ARTICLE_NUMBER = re.compile(r"\d{8,14}")


@dataclass(frozen=True)
class _Heading:
    """The heads of a table's columns, and how well they answer to the fields of a list."""

    score: float
    last_row: int
    columns: list[Column]


@dataclass
class _Item:
    values: dict[str, Value]
    texts: dict[str, list[str]]
    page: int
    bottom: float

    def add(self, values: dict[str, Value], texts: dict[str, str], bottom: float) -> None:
        """Add another line to the item."""
        self.values = {**values, **self.values}
        for name, text in texts.items():
            if not _ARTICLE_NUMBER.fullmatch(text) and not _LOT_NUMBER.fullmatch(text):
                self.texts.setdefault(name, []).append(text)
        self.bottom = bottom


Path = tuple[str, ...]


def fill_tables(sheet: Sheet, lists: Mapping[Path, Schema], root: Schema) -> dict[Path, list[dict[str, Any]]]:
    """Return the rows of each list. A table belongs to the one list that its heading answers best; where it answers
    several alike, it cannot tell which is meant, and none gets it.
    """
    asked = {path: row_fields(schema, root) for path, schema in lists.items()}
    found = {path: heading for path, fields in asked.items() if (heading := _best_heading(sheet, fields))}
    filled: dict[Path, list[dict[str, Any]]] = {}
    for path, heading in found.items():
        rivals = [one for other, one in found.items() if other != path and one.last_row == heading.last_row]
        if all(heading.score > rival.score for rival in rivals):
            filled[path] = rows_under(sheet, heading.last_row, heading.columns, asked[path])
    narrow = [path for path in asked if path not in found or len(found[path].columns) <= _NARROW]
    from_till = _from_till(sheet, {path: asked[path] for path in narrow})
    longer = {
        path: rows
        for path, rows in from_till.items()
        if _is_better(rows, filled.get(path, []), found.get(path))
    }
    return filled | longer


def _is_better(rows: Sequence[object], before: Sequence[object], heading: _Heading | None) -> bool:
    """Return whether the rows of a receipt say more than a small table that was found before them."""
    return heading is None or len(heading.columns) < _NARROW or len(rows) > len(before)


def _from_till(sheet: Sheet, asked: Mapping[Path, list[Field]]) -> dict[Path, list[dict[str, Any]]]:
    """Return the rows of a receipt for the one list that asks for what such rows say."""
    wanting = [
        path
        for path, fields in asked.items()
        if sum(one.key in till_rows.KEYS for one in fields) >= _needed(fields)
    ]
    items = till_rows.till_items(sheet) if len(wanting) == 1 else []
    if not items:
        return {}
    rows = []
    for item in items:
        found = [(one, item.value(one.key)) for one in asked[wanting[0]]]
        rows.append({one.name: as_json(*value, one) if value else None for one, value in found})
    return {wanting[0]: rows}


def _needed(fields: Sequence[Field]) -> int:
    """Return how many of a list's fields a table must have to be meant."""
    return max(2, math.ceil(_FEWEST_NAMED * len(fields)))


def rows_under(
    sheet: Sheet, heading: int, columns: list[Column], fields: list[Field]
) -> list[dict[str, Any]]:
    """Return the rows below a heading whose columns are known."""
    return [_as_row(item, fields) for item in _items(sheet, heading, columns)]


def row_fields(schema: Schema, root: Schema) -> list[Field]:
    parts = {name: resolved(part, root) for name, part in (schema.get("properties") or {}).items()}
    return [
        field_of(name, part, in_row=True)
        for name, part in parts.items()
        if not types_of(part) & {"object", "array"}
    ]


def _best_heading(sheet: Sheet, fields: list[Field]) -> _Heading | None:
    """Return the heading that names the most fields, or whose cells tell them. It must be two of them, and enough of
    all that are asked for.
    """
    best: _Heading | None = None
    needed = _needed(fields)
    named = _likely_rows(sheet, fields, needed)
    for number in sorted({*named, *_rows_above_figures(sheet)}):
        heading = _heading_at(sheet, number, fields, needed)
        if heading is not None and (best is None or heading.score > best.score + 0.01):
            best = heading
    return best


def _heading_at(sheet: Sheet, number: int, fields: list[Field], needed: int) -> _Heading | None:
    rows = heading_rows(sheet, number)
    segments = [segment for row in rows for segment in row]
    if not may_head(segments):
        return None
    matches = _matches(segments, fields)
    keys = {_role(asked) for asked in fields}
    others = [
        (one, label) for one, label in _matches(segments, _unasked(keys)) if not _is_taken(label, matches)
    ]
    columns = columns_of(rows, [*matches, *others])
    last_row = max((label.segment.row for _, label in matches), default=number)
    columns, by_cells = _told_by_cells(sheet, last_row, columns, fields, matches)
    if len(matches) + by_cells < needed:
        return None
    return _Heading(sum(label.strength for _, label in matches) + _BY_CELLS * by_cells, last_row, columns)


def _told_by_cells(
    sheet: Sheet,
    last_row: int,
    columns: list[Column],
    fields: list[Field],
    matches: Sequence[tuple[Field, Label]],
) -> tuple[list[Column], int]:
    """Return the columns with the fields that their cells stand for, and how many of these no head named."""
    rows = list(islice(body(sheet, last_row, dated=is_dated(sheet, last_row)), _ROWS_TO_TELL))
    lines = [cells_of(row, columns, sheet.height) for row, _ in rows if has_figures(row)]
    lines = [line for line in lines if len(line) > 1]
    inside = {row[0].row for row, _ in rows}
    outside = [
        amount.value
        for segment in sheet.segments
        if segment.row not in inside
        for amount in segment.amounts
        if amount.looks_like_money
    ]
    heads = {number: _role(column.field) for number, column in enumerate(columns) if column.field is not None}
    roles = roles_of(lines, len(columns), sheet.style, heads, outside)
    strengths = {asked.name: label.strength for asked, label in matches}
    told = list(columns)
    by_cells = 0
    for asked in [*fields, *_unasked({_role(asked) for asked in fields})]:
        place = roles.get(_role(asked))
        now = next((number for number, column in enumerate(told) if column.field is asked), None)
        if place is None or now == place:
            continue
        holder = told[place].field
        sure_by_cells = _role(asked) in _PRODUCT and roles.keys() >= _PRODUCT
        sure_by_cells |= _role(asked) == "item_code" and now is not None and now == roles.get("item_name")
        if not sure_by_cells and (now is not None or (holder is not None and holder.name in strengths)):
            continue
        if now is not None:
            told[now] = replace(told[now], field=None)
        if (
            holder is not None
            and holder.name in strengths
            and strengths[holder.name] >= _SURE
            and not sure_by_cells
        ):
            continue
        told[place] = replace(told[place], field=asked)
        by_cells += asked in fields and asked.name not in strengths
    return told, by_cells


def _role(asked: Field) -> str:
    """Return the key under which cells tell a field's column."""
    if asked.kind is Kind.DATE:
        return "row_date"
    return "item_name" if asked.key == "booking_text" else asked.key


@cache
def _of_family(keys: tuple[str, ...]) -> tuple[Field, ...]:
    kinds = {Kind.AMOUNT: "number", Kind.NUMBER: "number", Kind.PERCENT: "number"}
    fields = []
    for key in keys:
        concept = BY_KEY[key]
        schema = {"type": kinds.get(concept.kind, "string")}
        fields.append(
            Field(f"\0{key}", schema, concept.kind, frozenset(), concept, concept.labels, concept.harmless)
        )
    return tuple(fields)


def _unasked(keys: set[str]) -> list[Field]:
    """Return what tables of the same kind have beside the fields that are asked for."""
    family = _BOOKINGS if keys & {"row_debit", "row_credit", "row_balance", "row_date"} else _TRADE
    return [one for one in _of_family(family) if _role(one) not in keys]


def _rows_above_figures(sheet: Sheet) -> Iterator[int]:
    """Yield the rows that can head a table: several heads, and figures in several columns below."""
    likely = (
        number
        for number, row in enumerate(sheet.rows)
        if len(row) > 2 and _are_heads(row) and any(map(_has_columns, sheet.rows[number + 1 : number + 3]))
    )
    return islice(likely, _MOST_HEADINGS)


def _are_heads(row: list[Segment]) -> bool:
    return may_head(row) and all(len(one.text) <= _LONGEST_HEAD and not is_sentence(one.text) for one in row)


def _has_columns(row: list[Segment]) -> bool:
    return len(row) > 1 and has_figures(row)


def _likely_rows(sheet: Sheet, fields: list[Field], needed: int) -> list[int]:
    """Return the rows that, with the two rows below, contain words of enough fields."""
    named: dict[int, set[str]] = {}
    for asked in fields:
        words = {meaning for meanings in asked.labels for meaning in meanings}
        for segment in sheet.with_meanings(words):
            for number in range(max(segment.row - 2, 0), segment.row + 1):
                named.setdefault(number, set()).add(asked.name)
    return sorted(number for number, names in named.items() if len(names) >= needed)


def _matches(segments: list[Segment], fields: Sequence[Field]) -> list[tuple[Field, Label]]:
    """Return the heading that names each field best. A heading names only one field."""
    options = [
        (asked, label)
        for asked in fields
        for segment in segments
        for label in labels_in(segment, asked, heading=True)
        if label.strength >= _WEAKEST_HEADING
    ]
    options.sort(key=lambda option: -option[1].strength)
    matches: list[tuple[Field, Label]] = []
    for asked, label in options:
        if not any(asked is other or _same_words(label, taken) for other, taken in matches):
            matches.append((asked, label))
    return matches


def _is_taken(label: Label, matches: Sequence[tuple[Field, Label]]) -> bool:
    """Return whether the label stands in a head that names a field, unless it begins that head: `Qty Code`."""
    heads = [taken for _, taken in matches if taken.segment is label.segment]
    return any(not (label.end <= head.start and "quantity" in label.meanings) for head in heads)


def _same_words(label: Label, other: Label) -> bool:
    return label.segment is other.segment and label.start < other.end and other.start < label.end


def _items(sheet: Sheet, last_row: int, columns: list[Column]) -> Iterator[_Item]:
    """Gather the rows below the heading into items. A row with figures begins an item; other rows continue it."""
    enough = min(2, sum(column.field is not None and column.field.kind in FIGURES for column in columns))
    item: _Item | None = None
    dated = is_dated(sheet, last_row)
    for row, new_page in body(sheet, last_row, dated=dated):
        values, texts = _cells(sheet, row, columns)
        figures = list(values) if enough else list(texts)
        if new_page and len(figures) < 2:
            continue
        again = item is None or not enough or any(name in item.values for name in figures)
        if (again and len(figures) >= max(enough, 1)) or (dated and row[0].dates and (values or texts)):
            if item is not None:
                yield item
            item = _Item(values, {name: [text] for name, text in texts.items()}, row[0].page, _foot(row))
        elif item is not None and _goes_on(item, row):
            item.add(values, texts, _foot(row))
    if item is not None:
        yield item


def _foot(row: list[Segment]) -> float:
    return max(segment.bottom for segment in row)


def _goes_on(item: _Item, row: list[Segment]) -> bool:
    """Return whether the row is close enough below the item to be its next line."""
    first = row[0]
    return first.page == item.page and first.top - item.bottom < _CONTINUES * first.height


def _cells(
    sheet: Sheet, row: list[Segment], columns: list[Column]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Return what a row says for each field: first the figures, then the texts."""
    values: dict[str, Value] = {}
    texts: dict[str, str] = {}
    for number, text in cells_of(row, columns, sheet.height).items():
        asked = columns[number].field
        if asked is None:
            continue
        if asked.kind in FIGURES:
            kind = Kind.NUMBER if asked.kind is Kind.PERCENT and "%" not in text else asked.kind
            value = next(read_values(kind, text, sheet.style), None)
            if value is not None:
                values[asked.name] = value
        else:
            texts[asked.name] = text
    return values, texts


def _as_row(item: _Item, fields: list[Field]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for asked in fields:
        row[asked.name] = None
        value = item.values.get(asked.name)
        if value is not None:
            row[asked.name] = as_json(value.value, value.text, asked)
        elif asked.name in item.texts:
            text = " ".join(item.texts[asked.name]).strip(" :,;")
            row[asked.name] = as_json(text, text, asked) or None
    return row
