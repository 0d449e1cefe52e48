"""Rows of a table: line items and the like, by the words of the heading and the columns under it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.offline.choosing import as_json
from docagent.domain.offline.concepts import Kind
from docagent.domain.offline.fields import Field, Schema, field_of, resolved, types_of
from docagent.domain.offline.labels import Label, labels_in
from docagent.domain.offline.reading import Value, read_values
from docagent.domain.offline.sheet import Segment, Sheet

_FIGURES = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.DATE})
_ENDS = frozenset({"total", "net", "tax", "payable", "gross", "balance", "due", "payment"})
_WEAKEST_HEADING = 0.35
_HEADING_STEP = 1.6
_WIDEST_STEP = 5.0
_CONTINUES = 0.7
_NEAR = 4.0
"""Steps and distances are in line heights."""


@dataclass(frozen=True)
class _Column:
    """A heading and where it stands; without a field it only keeps others apart."""

    left: float
    right: float
    field: Field | None = None


@dataclass
class _Item:
    values: dict[str, Value] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)
    bottom: float = 0.0
    page: int = 0


def fill_rows(sheet: Sheet, schema: Schema, root: Schema) -> list[dict[str, Any]]:
    """The rows of the table whose heading names the most of the fields; none without such a heading."""
    fields = []
    for name, part in (schema.get("properties") or {}).items():
        inner = resolved(part, root)
        if not types_of(inner) & {"object", "array"}:
            fields.append(field_of(name, inner, in_row=True))
    heading = _best_heading(sheet, fields)
    if heading is None:
        return []
    return [_as_row(item, fields) for item in _items(sheet, *heading)]


def _best_heading(sheet: Sheet, fields: list[Field]) -> tuple[int, list[_Column]] | None:
    best: tuple[float, int, list[_Column]] | None = None
    needed = min(2, len(fields))
    for number in _likely_rows(sheet, fields, needed):
        rows = _heading_rows(sheet, number)
        matches = _matches([segment for row in rows for segment in row], fields)
        if needed and len(matches) >= needed:
            score = sum(label.strength for _, label in matches)
            if best is None or score > best[0] + 0.01:
                best = score, max(label.segment.row for _, label in matches), _columns(rows, matches)
    return (best[1], best[2]) if best else None


def _likely_rows(sheet: Sheet, fields: list[Field], needed: int) -> list[int]:
    """The rows that have, together with the two below, words of enough fields."""
    named: dict[int, set[str]] = {}
    for asked in fields:
        words = {meaning for meanings in asked.labels for meaning in meanings}
        for segment in sheet.with_meanings(words):
            for number in range(max(segment.row - 2, 0), segment.row + 1):
                named.setdefault(number, set()).add(asked.name)
    return sorted(number for number, names in named.items() if len(names) >= needed > 0)


def _heading_rows(sheet: Sheet, number: int) -> list[list[Segment]]:
    """The row and the rows right below it that hold no figures: headings may have several lines."""
    rows = [sheet.rows[number]]
    for row in sheet.rows[number + 1 : number + 3]:
        above = rows[-1][0]
        close = row[0].page == above.page and row[0].top - above.bottom < _HEADING_STEP * sheet.height
        if not close or any(segment.amounts or segment.dates for segment in row):
            break
        rows.append(row)
    return rows


def _matches(segments: list[Segment], fields: list[Field]) -> list[tuple[Field, Label]]:
    """For each field the heading that names it best; one heading names one field."""
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
    for row in rows:
        for segment in row:
            if segment.row in matched_rows and not any(label.segment is segment for _, label in matches):
                columns.append(_Column(segment.left, segment.right))
    return sorted(columns, key=lambda column: column.left)


def _items(sheet: Sheet, last_row: int, columns: list[_Column]) -> Iterator[_Item]:
    """The rows below the heading, until the totals begin or the table is left; over pages as well."""
    enough = min(2, sum(column.field is not None and column.field.kind in _FIGURES for column in columns))
    item: _Item | None = None
    left_page = -1
    previous = sheet.rows[last_row][0]
    for row in sheet.rows[last_row + 1 :]:
        new_page = row[0].page != previous.page
        if row[0].page == left_page:
            continue
        if not new_page and row[0].top - previous.bottom > _WIDEST_STEP * sheet.height:
            left_page = row[0].page
            continue
        ending = _ending(row)
        if ending == "end" and (item is not None or not new_page):
            break
        if ending:
            previous = row[0]
            continue
        values, texts = _cells(sheet, row, columns)
        figures = list(values) if enough else list(texts)
        starts = len(figures) >= max(enough, 1) and (
            item is None or any(name in item.values or not enough for name in figures)
        )
        if new_page and len(figures) < 2:
            continue
        previous = row[0]
        if starts:
            if item is not None:
                yield item
            item = _Item(bottom=row[0].bottom, page=row[0].page)
        if item is None or (not starts and not _goes_on(item, row)):
            continue
        item.values = {**values, **item.values}
        for name, text in texts.items():
            item.texts.setdefault(name, []).append(text)
        item.bottom = max(segment.bottom for segment in row)
    if item is not None:
        yield item


def _ending(row: list[Segment]) -> str:
    """Whether a row holds totals: `end` closes the table, `part` is a subtotal inside it."""
    for segment in row:
        atoms = segment.atoms
        if not atoms or not atoms[0].is_known:
            continue
        if atoms[0].meaning == "subtotal":
            return "part"
        named = segment.text[: atoms[-1].end]
        is_price = any(atom.meaning == "price" for atom in atoms)
        if (
            atoms[0].meaning in _ENDS
            and not is_price
            and len(atoms) <= 6
            and any(one.amounts for one in row)
            and "%" not in named[:4]
        ):
            return "end"
        if {"total"} & {atom.meaning for atom in atoms[:3]} and segment is row[0]:
            return "end"
    return ""


def _goes_on(item: _Item, row: list[Segment]) -> bool:
    """True for the next line of the same item: close below it, and no remark with a figure of its own."""
    first = row[0]
    remark = any(":" in segment.text and segment.amounts for segment in row)
    return first.page == item.page and first.top - item.bottom < _CONTINUES * first.height and not remark


def _cells(
    sheet: Sheet, row: list[Segment], columns: list[_Column]
) -> tuple[dict[str, Value], dict[str, str]]:
    """What a row says for each field: figures, and texts."""
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
    """The parts of a segment by column: a whole segment mostly, word by word when it lies under several."""
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
