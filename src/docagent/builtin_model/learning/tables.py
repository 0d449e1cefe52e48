"""Remembers where the columns of a table stood, and reads the rows of the next one under the same heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

from docagent.builtin_model.asked.fields import Field, Schema
from docagent.builtin_model.learning.layouts import letters
from docagent.builtin_model.learning.memory import Head, Table
from docagent.builtin_model.learning.reading_words import LONGEST_LABEL, Words, parts_of, plain_words
from docagent.builtin_model.learning.sameness import is_same
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.tables.grid import Column
from docagent.builtin_model.tables.items import row_fields
from docagent.builtin_model.tables.table_items import items_below
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import resolved

_ROWS_TO_HEADS = 8
_ROWS_TO_END = 8
_ENOUGH_HEADS = 0.6
_ENOUGH_READ = 0.8
"""The share of a table's cells that its memory must read again to be kept."""
_SAME_COLUMN = 0.05
"""How far from the sides of its column a cell may begin and end, as a fraction of the page's width."""


@dataclass(frozen=True, slots=True)
class _Cell:
    page: int
    row: int
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class _HeadWord:
    text: str
    left: float
    right: float


def tables_of(schema: Schema) -> dict[str, list[Field]]:
    """Return the schema's lists of rows, by the text of their paths, with the fields of a row."""
    found = {}
    for path, part in parts_of(schema).items():
        items = resolved(part.get("items") or {}, schema)
        if items.get("properties"):
            found[str(path)] = row_fields(items, schema)
    return found


# --- remembering --------------------------------------------------------------------------------------------------


def remember_table(
    words: Words, numbers: Mapping[int, int], fields: Sequence[Field], rows: Sequence[Any], grounding: Any
) -> Table | None:
    """Return how the rows are found; None if they are not found again so."""
    sheet = words.sheet
    cells = _cells(sheet, numbers, fields, rows, grounding)
    if not cells:
        return None
    page = min(cell.page for column in cells.values() for cell in column)
    first = min(cell.row for column in cells.values() for cell in column)
    last = max(cell.row for column in cells.values() for cell in column)
    heads = _heads(sheet, page, first, cells)
    table = Table(heads, _end(sheet, first, last))
    read = read_rows(words, table, fields)
    return table if _share_read(fields, rows, read) >= _ENOUGH_READ else None


def _cells(
    sheet: Sheet, numbers: Mapping[int, int], fields: Sequence[Field], rows: Sequence[Any], grounding: Any
) -> dict[str, list[_Cell]]:
    """Return the places of each column's cells, without those that stand elsewhere than the others."""
    found: dict[str, list[_Cell]] = {}
    for field in fields:
        placed = [_cell(sheet, numbers, FieldPath((n, field.name)).get(grounding)) for n in range(len(rows))]
        cells = [cell for cell in placed if cell is not None]
        if cells:
            left, right = median(cell.left for cell in cells), median(cell.right for cell in cells)
            near = [
                cell
                for cell in cells
                if min(abs(cell.left - left), abs(cell.right - right))
                < _SAME_COLUMN * sheet.page_sizes[cell.page][0]
            ]
            found[field.name] = near or cells
    return found


def _cell(sheet: Sheet, numbers: Mapping[int, int], place: Any) -> _Cell | None:
    if not isinstance(place, Mapping) or not place.get("words"):
        return None
    first = place["words"][0]
    page = numbers.get(first["page"])
    if page is None:
        return None
    width, height = sheet.page_sizes[page]
    line = [word["box"] for word in place["words"] if abs(word["box"][1] - first["box"][1]) * height < 4]
    down = (first["box"][1] + first["box"][3]) / 2 * height
    for row in sheet.rows:
        if row[0].page == page and min(one.top for one in row) <= down <= max(one.bottom for one in row):
            left, right = min(box[0] for box in line), max(box[2] for box in line)
            return _Cell(page, row[0].row, left * width, right * width)
    return None


def _heads(sheet: Sheet, page: int, first: int, cells: Mapping[str, list[_Cell]]) -> tuple[Head, ...]:
    """Return the columns with the words of the row above them that has the most of these."""
    width = max(sheet.page_sizes[page][0], 1.0)
    extents = {
        name: (min(cell.left for cell in column), max(cell.right for cell in column))
        for name, column in cells.items()
    }
    best: dict[str, list[_HeadWord]] = {}
    for row in reversed(sheet.rows[max(0, first - _ROWS_TO_HEADS) : first]):
        labels = _labels(row, extents) if row[0].page == page else {}
        if len(labels) > len(best):
            best = labels
    return tuple(
        Head(
            name,
            " ".join(word.text for word in best.get(name, ())),
            best[name][0].left / width if name in best else left / width,
            left / width,
            right / width,
        )
        for name, (left, right) in sorted(extents.items(), key=lambda one: one[1])
    )


def _labels(row: Sequence[Segment], extents: Mapping[str, tuple[float, float]]) -> dict[str, list[_HeadWord]]:
    """Return the words of a row by the column that each stands over, at most one piece of text for a column."""
    found: dict[str, list[_HeadWord]] = {}
    for segment in row:
        words = [word for word in _words_of(segment) if word.text]
        for name, (left, right) in extents.items():
            over = [word for word in words if word.left < right and word.right > left]
            if over and name not in found:
                found[name] = over[:LONGEST_LABEL]
    return found


def _words_of(segment: Segment) -> Iterator[_HeadWord]:
    ends = [*segment.lefts[1:], segment.right]
    for text, left, end in zip(segment.text.split(), segment.lefts, ends, strict=False):
        yield _HeadWord(letters(text), left, max(left, end - 1))


def _end(sheet: Sheet, first: int, last: int) -> str:
    """Return the words that begin the first row below the table that has an amount, if no row inside begins so.

    Under a single row nobody can tell its own second line from what ends the table.
    """
    page = sheet.rows[last][0].page
    inside = {_beginning(row) for row in sheet.rows[first : last + 1]}
    for row in sheet.rows[last + 1 : last + 1 + _ROWS_TO_END] if last > first else ():
        said = _beginning(row)
        if row[0].page == page and said and said not in inside and any(one.amounts for one in row):
            return said
    return ""


def _beginning(row: Sequence[Segment]) -> str:
    return " ".join(plain_words(row[0].text)[:LONGEST_LABEL])


def _share_read(fields: Sequence[Field], rows: Sequence[Any], read: Sequence[Mapping[str, Any]]) -> float:
    wanted = right = 0
    for number, row in enumerate(rows):
        for field in fields:
            value = FieldPath((field.name,)).get(row)
            if value not in (None, ""):
                wanted += 1
                right += number < len(read) and is_same(value, read[number].get(field.name))
    return right / wanted if wanted and len(read) == len(rows) else 0.0


# --- recalling ----------------------------------------------------------------------------------------------------


def read_rows(words: Words, table: Table, fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Return the rows under the heads that a table's memory knows; none where they do not stand."""
    sheet = words.sheet
    by_name = {field.name: field for field in fields}
    heads = [head for head in table.heads if head.name in by_name]
    labelled = [head for head in heads if head.label]
    if not labelled:
        return []
    found = _heading(sheet, labelled)
    if found is None:
        return []
    number, places = found
    width = sheet.page_sizes[sheet.rows[number][0].page][0]
    shift = median(place.left - head.label_left * width for head, place in places)
    labels = {head.name: place for head, place in places}
    columns = []
    for head in heads:
        left, right = head.left * width + shift, head.right * width + shift
        label = labels.get(head.name)
        if label is not None:
            left, right = min(left, label.left), max(right, label.right)
        columns.append(Column(left, right, by_name[head.name]))
    # Heads that no field is in keep their cells out of the other columns.
    others = [
        Column(one.left, one.right)
        for one in sheet.rows[number]
        if not any(one.left < column.right and one.right > column.left for column in columns)
    ]
    columns = _apart(sorted([*columns, *others], key=lambda one: one.left))
    below = sheet.rows[number + 1 :] if table.end else []
    end = next((row[0].row for row in below if _beginning(row) == table.end), None)
    items = items_below(replace(sheet, rows=sheet.rows[:end]), number, columns)
    return [item.as_row(fields) for item in items]


def _heading(sheet: Sheet, heads: Sequence[Head]) -> tuple[int, list[tuple[Head, _HeadWord]]] | None:
    """Return the row that has the most of the heads, with the place of each."""
    needed = max(1, round(_ENOUGH_HEADS * len(heads)))
    best: tuple[int, list[tuple[Head, _HeadWord]]] | None = None
    wanted = {head.label.split()[0] for head in heads}
    for number, row in enumerate(sheet.rows):
        said = [word for segment in row for word in _words_of(segment) if word.text]
        if wanted.isdisjoint(word.text for word in said):
            continue
        places = [(head, place) for head in heads if (place := _run(said, head.label.split())) is not None]
        if len(places) >= needed and (best is None or len(places) > len(best[1])):
            best = number, places
    return best


def _run(said: Sequence[_HeadWord], label: Sequence[str]) -> _HeadWord | None:
    """Return where a label stands in a row of words."""
    for start in range(len(said) - len(label) + 1):
        run = said[start : start + len(label)]
        if [word.text for word in run] == list(label):
            return _HeadWord(" ".join(label), run[0].left, run[-1].right)
    return None


def _apart(columns: Sequence[Column]) -> list[Column]:
    """Return the columns, with those that reach into one another cut in the middle."""
    apart = list(columns)
    for place, (one, other) in enumerate(pairwise(columns)):
        if one.right > other.left:
            middle = (max(one.left, other.left) + min(one.right, other.right)) / 2
            apart[place] = replace(apart[place], right=middle)
            apart[place + 1] = replace(apart[place + 1], left=middle)
    return apart
