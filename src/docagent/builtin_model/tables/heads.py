"""Finds the heads of a list's table, and tells by the cells below them what its columns hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from docagent.builtin_model.asked.concepts import Kind, concepts
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.labels import Label, labels_in
from docagent.builtin_model.page.reading import is_sentence
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.tables import left_over
from docagent.builtin_model.tables.by_product import product_lines, spans_of
from docagent.builtin_model.tables.grid import (
    Column,
    body,
    cells_of,
    columns_of,
    has_figures,
    heading_rows,
    may_head,
    over_cells,
)
from docagent.builtin_model.tables.roles import roles_of

_WEAKEST_HEADING = 0.35
_FEWEST_NAMED = 0.4
"""The share of a list's fields that a heading must name, or its cells tell, to be meant."""
_BY_CELLS = 0.5
PRODUCT = frozenset({"quantity", "unit_price", "line_amount"})
_TRADE = ("quantity", "unit_price", "line_amount", "item_name", "item_code", "tax_rate", "row_weight")
_BOOKINGS = ("row_date", "booking_text", "row_debit", "row_credit", "row_balance")
_ROWS_TO_TELL = 60
_LONGEST_HEAD = 32
_MOST_HEADINGS = 200


Match = tuple[Field, Label]


@dataclass(frozen=True)
class Heading:
    """The heads of a table's columns, and how well they answer to the fields of a list."""

    score: float
    last_row: int
    columns: list[Column]


def needed_of(fields: Sequence[Field]) -> int:
    """Return how many of a list's fields a table must have to be meant."""
    return max(2, math.ceil(_FEWEST_NAMED * len(fields)))


def best_heading(sheet: Sheet, fields: list[Field]) -> Heading | None:
    """Return the heading that names the most fields, or whose cells tell them. It must be two of them, and enough of
    all that are asked for.
    """
    best: Heading | None = None
    needed = needed_of(fields)
    named = _likely_rows(sheet, fields, needed)
    for number in sorted({*named, *_rows_above_figures(sheet)}):
        heading = _heading_at(sheet, number, fields, needed)
        if heading is not None and (best is None or heading.score > best.score + 0.01):
            best = heading
    return best


def _heading_at(sheet: Sheet, number: int, fields: list[Field], needed: int) -> Heading | None:
    rows = heading_rows(sheet, number)
    segments = [segment for row in rows for segment in row]
    if not may_head(segments):
        return None
    matches, others = _named(segments, fields)
    columns = columns_of(rows, [*matches, *others])
    last_row = max((label.segment.row for _, label in matches), default=number)
    below = body(sheet, last_row)
    rows_below = [row for row, _ in islice(below, _ROWS_TO_TELL)]
    columns = over_cells(columns, rows_below)
    columns, by_cells = _told_by_cells(sheet, rows_below, columns, fields, matches)
    matches = [match for match in matches if any(column.field is match[0] for column in columns)]
    told = sum(column.field in fields for column in columns)
    if len(matches) + by_cells < (1 if told == len(fields) else needed):
        return None
    return Heading(sum(label.strength for _, label in matches) + _BY_CELLS * by_cells, last_row, columns)


def heading_by_product(sheet: Sheet, fields: list[Field]) -> Heading | None:
    """Return the columns of the lines that multiply, wherever their heads stand, and what heads above say of them."""
    lines = product_lines(sheet)
    if not lines:
        return None
    first = min(line.row for line in lines)
    above = next(
        (number for number in range(first - 1, max(first - 4, -1), -1) if _are_heads(sheet.rows[number])),
        None,
    )
    if above is None and first == 0:
        return None
    last_row = first - 1 if above is None else above
    spans = spans_of(lines, sheet)
    segments = sheet.rows[above] if above is not None else []
    matches, others = _named(segments, fields)
    columns = [Column(left, right) for left, right in spans]
    for asked, label in (*matches, *others):
        place = _column_under(label, segments, spans)
        if columns[place].field is None:
            columns[place] = replace(columns[place], field=asked)
    rows = [sheet.rows[line.row] for line in lines]
    columns, _ = _told_by_cells(sheet, rows, columns, fields, matches)
    told = sum(column.field in fields for column in columns)
    return Heading(told, last_row, columns) if told >= needed_of(fields) else None


def _column_under(label: Label, heads: Sequence[Segment], spans: Sequence[tuple[float, float]]) -> int:
    """Return the column of a head: by its number where each column has one, else the nearest."""
    if len(heads) == len(spans):
        return next(number for number, head in enumerate(heads) if head is label.segment)
    left, right = label.segment.left_at(label.start), label.segment.right
    return min(
        range(len(spans)), key=lambda number: max(spans[number][0] - right, left - spans[number][1], 0)
    )


def _told_by_cells(
    sheet: Sheet,
    rows: Sequence[list[Segment]],
    columns: list[Column],
    fields: list[Field],
    matches: Sequence[Match],
) -> tuple[list[Column], int]:
    """Return the columns with the fields that their cells stand for, and how many of these no head named."""
    lines = [cells_of(row, columns, sheet.height) for row in rows if has_figures(row)]
    fullest = max(map(len, lines), default=0)
    lines = [line for line in lines if len(line) > max(1, fullest / 2)]
    for number in left_over.contradicted([column.field for column in columns], lines, sheet.style):
        columns[number] = replace(columns[number], field=None)
    heads = {
        number: role_of(column.field) for number, column in enumerate(columns) if column.field is not None
    }
    roles = roles_of(lines, len(columns), sheet.style, heads)
    named = {asked.name for asked, _ in matches}
    told = list(columns)
    by_cells = 0
    for asked in [*fields, *_unasked({role_of(asked) for asked in fields})]:
        place = roles.get(role_of(asked))
        now = next((number for number, column in enumerate(told) if column.field is asked), None)
        if place is None or now == place:
            continue
        holder = told[place].field
        sure_by_cells = role_of(asked) in PRODUCT and roles.keys() >= PRODUCT
        sure_by_cells |= role_of(asked) == "item_code" and now is not None and now == roles.get("item_name")
        if not sure_by_cells and (now is not None or (holder is not None and holder.name in named)):
            continue
        if now is not None:
            told[now] = replace(told[now], field=None)
        told[place] = replace(told[place], field=asked)
        by_cells += asked in fields and asked.name not in named
    free = [
        number
        for number, (column, before) in enumerate(zip(told, columns, strict=True))
        if column.field not in fields and (column.field is None or column.field is not before.field)
    ]
    for place, asked in left_over.assigned([c.field for c in told], free, fields, lines, sheet.style).items():
        told[place] = replace(told[place], field=asked)
    return told, by_cells


def role_of(asked: Field) -> str:
    """Return the key under which cells tell a field's column."""
    if asked.kind is Kind.DATE:
        return "row_date"
    return "item_name" if asked.key == "booking_text" else asked.key


@cache
def _of_family(keys: tuple[str, ...]) -> tuple[Field, ...]:
    kinds = {Kind.AMOUNT: "number", Kind.NUMBER: "number", Kind.PERCENT: "number"}
    fields = []
    for key in keys:
        concept = concepts()[key]
        schema = {"type": kinds.get(concept.kind, "string")}
        fields.append(
            Field(f"\0{key}", schema, concept.kind, frozenset(), concept, concept.labels, concept.harmless)
        )
    return tuple(fields)


def _unasked(keys: set[str]) -> list[Field]:
    """Return what tables of the same kind have beside the fields that are asked for."""
    family = _BOOKINGS if keys & {"row_debit", "row_credit", "row_balance", "row_date"} else _TRADE
    return [one for one in _of_family(family) if role_of(one) not in keys]


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


def _named(segments: list[Segment], fields: Sequence[Field]) -> tuple[list[Match], list[Match]]:
    """Return the heads that name fields, and those that name what such tables have beside them."""
    matches = _matches(segments, fields)
    others = _matches(segments, _unasked({role_of(asked) for asked in fields}))
    return matches, [(one, label) for one, label in others if not _is_taken(label, matches)]


def _matches(segments: list[Segment], fields: Sequence[Field]) -> list[Match]:
    """Return the heading that names each field best. A heading names only one field."""
    options = [
        (asked, label)
        for asked in fields
        for segment in segments
        for label in labels_in(segment, asked, heading=True)
        if label.strength >= _WEAKEST_HEADING
    ]
    options.sort(key=lambda option: -option[1].strength)
    matches: list[Match] = []
    for asked, label in options:
        if not any(asked is other or label.overlaps(taken) for other, taken in matches):
            matches.append((asked, label))
    return matches


def _is_taken(label: Label, matches: Sequence[Match]) -> bool:
    """Return whether the label stands in a head that names a field, unless it begins that head: `Qty Code`."""
    heads = [taken for _, taken in matches if taken.segment is label.segment]
    return any(not (label.end <= head.start and "quantity" in label.meanings) for head in heads)
