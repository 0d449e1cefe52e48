"""Reads the rows of a table, such as line items, by the words of its heading and the columns below."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from docagent.builtin_model.choosing import as_json
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import Field, Schema, field_of
from docagent.builtin_model.labels import Label, labels_in
from docagent.builtin_model.reading import Value, is_label, read_values
from docagent.builtin_model.sheet import Segment, Sheet
from docagent.jsonschema import resolved, types_of

_FIGURES = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.DATE})
_ENDS = frozenset({"total", "net", "tax", "payable", "gross", "balance", "due", "payment"})
_WEAKEST_HEADING = 0.35
_FEWEST_NAMED = 0.4
"""The share of a list's fields that a heading must name to be meant."""
# Steps and distances are in line heights.
_HEADING_STEP = 1.6
_WIDEST_STEP = 5.0
_CONTINUES = 0.7
_NEAR = 4.0
_PRODUCT = ("quantity", "unit_price", "line_amount")
_MOSTLY = 0.6
_REMARK = re.compile(r"[^\W\d]\s?:\s*[-+]?[$\u20ac\u00a3]?\s?\d+[.,]\d{2}")
_LOT_NUMBER = re.compile(r"[^\W\d][^\d:]{2,20}[\s.:]+[A-Z]{1,3}-?\d{3,}")
"""What a line says of one piece and not of the article: `Batch YB3599`."""
_ARTICLE_NUMBER = re.compile(r"\d{8,14}")


@dataclass(frozen=True)
class _Column:
    """A heading and its position. A column without a field only separates the others."""

    left: float
    right: float
    field: Field | None = None


@dataclass(frozen=True)
class _Heading:
    """The heads of a table's columns, and how well they answer to the fields of a list."""

    score: float
    last_row: int
    columns: list[_Column]


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
    asked = {path: _row_fields(schema, root) for path, schema in lists.items()}
    found = {path: heading for path, fields in asked.items() if (heading := _best_heading(sheet, fields))}
    filled: dict[Path, list[dict[str, Any]]] = {}
    for path, heading in found.items():
        rivals = [one for other, one in found.items() if other != path and one.last_row == heading.last_row]
        if all(heading.score > rival.score for rival in rivals):
            items = _multiplied(sheet, heading, asked[path]) or _items(
                sheet, heading.last_row, heading.columns
            )
            filled[path] = [_as_row(item, asked[path]) for item in items]
    return filled


def _row_fields(schema: Schema, root: Schema) -> list[Field]:
    parts = {name: resolved(part, root) for name, part in (schema.get("properties") or {}).items()}
    return [
        field_of(name, part, in_row=True)
        for name, part in parts.items()
        if not types_of(part) & {"object", "array"}
    ]


def _multiplied(sheet: Sheet, heading: _Heading, fields: list[Field]) -> list[_Item] | None:
    """Try columns without a known heading as the missing one: quantity times price shows whether that is right."""
    last_row, columns = heading.last_row, heading.columns
    names = {asked.key: asked.name for asked in fields if asked.key in _PRODUCT}
    missing = [
        asked for asked in fields if asked.key in _PRODUCT and all(one.field is not asked for one in columns)
    ]
    if len(names) != len(_PRODUCT) or len(missing) != 1:
        return None
    for number, column in enumerate(columns):
        if column.field is None:
            tried = [*columns[:number], replace(column, field=missing[0]), *columns[number + 1 :]]
            items = list(_items(sheet, last_row, tried))
            if items and sum(_is_product(item, names) for item in items) >= _MOSTLY * len(items):
                return items
    return None


def _is_product(item: _Item, names: dict[str, str]) -> bool:
    values = [item.values.get(names[key]) for key in _PRODUCT]
    numbers = [value.value for value in values if value is not None and isinstance(value.value, Decimal)]
    return len(numbers) == len(_PRODUCT) and abs(numbers[0] * numbers[1] - numbers[2]) <= Decimal("0.02")


def _best_heading(sheet: Sheet, fields: list[Field]) -> _Heading | None:
    """Return the heading that names the most fields. It must name two, and enough of all that are asked for."""
    best: _Heading | None = None
    needed = max(2, math.ceil(_FEWEST_NAMED * len(fields)))
    for number in _likely_rows(sheet, fields, needed):
        rows = _heading_rows(sheet, number)
        matches = _matches([segment for row in rows for segment in row], fields)
        if len(matches) >= needed:
            score = sum(label.strength for _, label in matches)
            if best is None or score > best.score + 0.01:
                last_row = max(label.segment.row for _, label in matches)
                best = _Heading(score, last_row, _columns(rows, matches))
    return _with_dates(sheet, best, fields) if best else None


def _with_dates(sheet: Sheet, heading: _Heading, fields: list[Field]) -> _Heading:
    """Find the column of a date whose heading is not known: the one in which the first row below has a date."""
    missing = [
        asked
        for asked in fields
        if asked.kind is Kind.DATE and all(column.field is not asked for column in heading.columns)
    ]
    below = sheet.rows[heading.last_row + 1 : heading.last_row + 2]
    dated = [segment for row in below for segment in row if segment.dates]
    if len(missing) != 1 or len(dated) != 1:
        return heading
    columns = [
        replace(column, field=missing[0])
        if column.field is None and column.left < dated[0].right and column.right > dated[0].left
        else column
        for column in heading.columns
    ]
    return replace(heading, columns=columns)


def _likely_rows(sheet: Sheet, fields: list[Field], needed: int) -> list[int]:
    """Return the rows that, with the two rows below, contain words of enough fields."""
    named: dict[int, set[str]] = {}
    for asked in fields:
        words = {meaning for meanings in asked.labels for meaning in meanings}
        for segment in sheet.with_meanings(words):
            for number in range(max(segment.row - 2, 0), segment.row + 1):
                named.setdefault(number, set()).add(asked.name)
    return sorted(number for number, names in named.items() if len(names) >= needed)


def _heading_rows(sheet: Sheet, number: int) -> list[list[Segment]]:
    """Return the row and the rows right below it without figures, as headings may have several lines."""
    rows = [sheet.rows[number]]
    for row in sheet.rows[number + 1 : number + 3]:
        above = rows[-1][0]
        close = row[0].page == above.page and row[0].top - above.bottom < _HEADING_STEP * sheet.height
        if not close or any(segment.amounts or segment.dates for segment in row):
            break
        rows.append(row)
    return rows


def _matches(segments: list[Segment], fields: list[Field]) -> list[tuple[Field, Label]]:
    """Return the heading that names each field best. A heading names only one field."""
    if any(segment.amounts or segment.dates or len(segment.atoms) > 9 for segment in segments):
        return []
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


def _same_words(label: Label, other: Label) -> bool:
    return label.segment is other.segment and label.start < other.end and other.start < label.end


def _columns(rows: list[list[Segment]], matches: list[tuple[Field, Label]]) -> list[_Column]:
    columns = []
    for asked, label in matches:
        segment = label.segment
        following = [
            left for start, left in zip(segment.starts, segment.lefts, strict=True) if start > label.end
        ]
        right = min(following) - 1 if following else segment.right
        columns.append(_Column(segment.left_at(label.start), right, asked))
    matched_rows = {label.segment.row for _, label in matches}
    others = [segment for row in rows for segment in row if segment.row in matched_rows]
    named = tuple(columns)
    columns += [
        _Column(one.left, one.right) for one in others if not any(_overlap(one, column) for column in named)
    ]
    return sorted(columns, key=lambda column: column.left)


def _overlap(segment: Segment, column: _Column) -> bool:
    """Return whether the heading stands over or under another one, as two lines of one heading do."""
    shared = min(segment.right, column.right) - max(segment.left, column.left)
    return shared > 0.5 * min(segment.right - segment.left, column.right - column.left)


def _items(sheet: Sheet, last_row: int, columns: list[_Column]) -> Iterator[_Item]:
    """Gather the rows below the heading into items. A row with figures begins an item; other rows continue it."""
    enough = min(2, sum(column.field is not None and column.field.kind in _FIGURES for column in columns))
    item: _Item | None = None
    dated = _is_dated(sheet, last_row)
    for row, new_page in _body(sheet, last_row, dated=dated):
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


def _is_dated(sheet: Sheet, last_row: int) -> bool:
    """Return whether the rows of the table begin with a date: then each date begins a row."""
    below = sheet.rows[last_row + 1 : last_row + 2]
    return any(row[0].dates for row in below)


def _body(sheet: Sheet, last_row: int, *, dated: bool) -> Iterator[tuple[list[Segment], bool]]:
    """Yield the table's rows, and whether each is on a page that the table has not yet been found on.

    The totals end the table, unless its rows are dated and this one is too: `Payment to` is then what was booked.
    A wide gap ends it for the rest of the page.
    """
    previous = sheet.rows[last_row][0]
    heading = {
        meaning
        for row in sheet.rows[max(last_row - 2, 0) : last_row + 1]
        for one in row
        for meaning in one.meanings
    }
    left_page = -1
    begun = False
    for row in sheet.rows[last_row + 1 :]:
        new_page = row[0].page != previous.page
        if not new_page and row[0].top - previous.bottom > _WIDEST_STEP * sheet.height:
            left_page = row[0].page
        if row[0].page == left_page:
            continue
        ending = "" if dated and row[0].dates else _ending(row)
        is_heading = begun and _is_heading(row)
        repeated = is_heading and {meaning for one in row for meaning in one.meanings} <= heading
        if (ending == "end" and (begun or not new_page)) or (is_heading and not repeated and not new_page):
            return
        if not ending and not is_heading and not _is_remark(row):
            begun = begun or _figure_count(row) > 0
            yield row, new_page
        if not new_page or repeated or _figure_count(row) > 1:
            previous = row[0]


def _is_heading(row: list[Segment]) -> bool:
    """Return whether a row is mostly labels: the heading of another table, or of this one on the next page."""
    labels = sum(is_label(segment.text) for segment in row)
    return len(row) > 2 and labels > len(row) / 2 and not any(segment.amounts for segment in row)


def _figure_count(row: list[Segment]) -> int:
    return sum(len(segment.amounts) for segment in row)


def _foot(row: list[Segment]) -> float:
    return max(segment.bottom for segment in row)


def _ending(row: list[Segment]) -> str:
    """Return `end` if a row of totals closes the table, `part` for a subtotal inside it, else nothing."""
    has_amounts = any(amount.looks_like_money for segment in row for amount in segment.amounts)
    for segment in row:
        meanings = [atom.meaning for atom in segment.atoms]
        if not meanings:
            continue
        if meanings[0] == "subtotal":
            return "part"
        names_total = meanings[0] in _ENDS and len(meanings) <= 6 and "price" not in meanings and has_amounts
        if names_total or (segment is row[0] and "total" in meanings[:3] and segment.atoms[0].is_known):
            return "end"
    return ""


def _goes_on(item: _Item, row: list[Segment]) -> bool:
    """Return whether the row is close enough below the item to be its next line."""
    first = row[0]
    return first.page == item.page and first.top - item.bottom < _CONTINUES * first.height


def _is_remark(row: list[Segment]) -> bool:
    """Return whether the row has a labelled figure of its own, such as `List price: 4.00`."""
    return any(_REMARK.search(segment.text) for segment in row)


def _cells(
    sheet: Sheet, row: list[Segment], columns: list[_Column]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Return what a row says for each field: first the figures, then the texts."""
    words: dict[int, list[str]] = {}
    for segment in row:
        for column, text in _shares(segment, columns, sheet.height):
            words.setdefault(column, []).append(text)
    values: dict[str, Value] = {}
    texts: dict[str, str] = {}
    for number, parts in words.items():
        asked = columns[number].field
        text = " ".join(parts)
        if asked is None:
            continue
        if asked.kind in _FIGURES:
            kind = Kind.NUMBER if asked.kind is Kind.PERCENT and "%" not in text else asked.kind
            value = next(read_values(kind, text, sheet.style), None)
            if value is not None:
                values[asked.name] = value
        else:
            texts[asked.name] = text
    return values, texts


def _shares(segment: Segment, columns: list[_Column], height: float) -> Iterator[tuple[int, str]]:
    """Yield the parts of a segment by column: mostly the whole segment, or single words if it lies under several."""
    under = [
        number
        for number, column in enumerate(columns)
        if segment.left < column.right and segment.right > column.left
    ]
    starts_text = [
        number
        for number, column in enumerate(columns)
        if column.field is not None
        and column.field.kind not in _FIGURES
        and abs(column.left - segment.left) < height
        and not segment.amounts
    ]
    if starts_text:
        yield starts_text[0], segment.text
    elif len(under) == 1:
        yield under[0], segment.text
    elif not under:
        distances = [
            min(
                abs(column.left - segment.right),
                abs(column.right - segment.left),
                abs(column.right - segment.right),
            )
            for column in columns
        ]
        nearest = min(range(len(columns)), key=lambda number: distances[number])
        if distances[nearest] <= _NEAR * height:
            yield nearest, segment.text
    else:
        yield from _by_word(segment, columns, under)


def _by_word(segment: Segment, columns: list[_Column], under: list[int]) -> Iterator[tuple[int, str]]:
    ends = [*segment.lefts[1:], segment.right]
    for start, left, right in zip(segment.starts, segment.lefts, ends, strict=True):
        word = segment.text[start:].split(" ", 1)[0]
        middle = (left + right) / 2
        nearest = min(
            under, key=lambda number: max(columns[number].left - middle, middle - columns[number].right, 0)
        )
        yield nearest, word


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
