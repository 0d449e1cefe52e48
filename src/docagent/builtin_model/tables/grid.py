"""The columns of a table by their heads, and the rows below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.labels import Label
from docagent.builtin_model.page.sheet import Segment, Sheet, text_of

FIGURES = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.DATE})
_ENDS = frozenset({"total", "net", "tax", "payable", "gross", "balance", "due", "payment"})
# Steps and distances are in line heights.
_HEADING_STEP = 1.6
_WIDEST_STEP = 5.0
_NEAR = 4.0
_REMARK = re.compile(r"[^\W\d]\s?:\s*[-+]?[$\u20ac\u00a3]?\s?\d+[.,]\d{2}")
_LONGEST_HEAD = 9
_FEWEST_CELLS = 3


@dataclass(frozen=True)
class Column:
    """A heading and its position. A column without a field only separates the others."""

    left: float
    right: float
    field: Field | None = None


def heading_rows(sheet: Sheet, number: int) -> list[list[Segment]]:
    """Return the row and the rows right below it without figures, as headings may have several lines."""
    rows = [sheet.rows[number]]
    for row in sheet.rows[number + 1 : number + 3]:
        above = rows[-1][0]
        close = row[0].page == above.page and row[0].top - above.bottom < _HEADING_STEP * sheet.height
        if not close or has_figures(row):
            break
        rows.append(row)
    return rows


def has_figures(row: Sequence[Segment]) -> bool:
    return any(segment.amounts or segment.dates for segment in row)


def may_head(segments: Sequence[Segment]) -> bool:
    """Return whether the segments can be heads of columns: a few words each, and no figures."""
    return not has_figures(segments) and all(len(segment.atoms) <= _LONGEST_HEAD for segment in segments)


def columns_of(rows: list[list[Segment]], matches: Sequence[tuple[Field, Label]]) -> list[Column]:
    """Return the columns that labels name, and between them those of heads that nobody knows."""
    columns = []
    for asked, label in matches:
        segment = label.segment
        following = [
            left for start, left in zip(segment.starts, segment.lefts, strict=True) if start > label.end
        ]
        right = min(following) - 1 if following else segment.right
        columns.append(Column(segment.left_at(label.start), right, asked))
    matched_rows = {label.segment.row for _, label in matches} or {rows[0][0].row}
    others = [segment for row in rows for segment in row if segment.row in matched_rows]
    named = tuple(columns)
    columns += [
        Column(one.left, one.right) for one in others if not any(_overlap(one, column) for column in named)
    ]
    return sorted(columns, key=lambda column: column.left)


def over_cells(columns: list[Column], rows: Sequence[list[Segment]]) -> list[Column]:
    """Return the columns where their cells stand, if most rows have a cell for each: heads may be centred above them.

    The number of a line may be part of the first cell.
    """
    rows = [row for row in rows if len(row) > 1 and has_figures(row)]
    whole = [parts for row in rows if len(parts := _parts(row, len(columns))) == len(columns)]
    if 2 * len(whole) <= len(rows):
        return columns
    spans = [
        (min(left for left, _ in cells), max(right for _, right in cells))
        for cells in zip(*whole, strict=True)
    ]
    if any(right > left for (_, right), (left, _) in pairwise(spans)):
        return columns
    return [
        replace(column, left=left, right=right) for column, (left, right) in zip(columns, spans, strict=True)
    ]


def _parts(row: list[Segment], count: int) -> list[tuple[float, float]]:
    first = row[0]
    spans = [(one.left, one.right) for one in row]
    if (
        len(row) == count - 1
        and len(first.starts) > 1
        and first.text[: first.starts[1]].strip(" .)").isdigit()
    ):
        spans[:1] = [(first.left, first.lefts[1] - 1), (first.lefts[1], first.right)]
    return spans


def _overlap(segment: Segment, column: Column) -> bool:
    """Return whether the heading stands over or under another one, as two lines of one heading do."""
    shared = min(segment.right, column.right) - max(segment.left, column.left)
    return shared > 0.5 * min(segment.right - segment.left, column.right - column.left)


def body(sheet: Sheet, last_row: int) -> Iterator[tuple[list[Segment], bool]]:
    """Yield the table's rows, and whether each is on a page that the table has not yet been found on.

    The totals end the table: a row such as `Payment to Meier` with as many cells as the first is none. What is carried
    forward ends it for the page, if the next page repeats the heading. So does a wide gap.
    """
    previous = sheet.rows[last_row][0]
    head = text_of(sheet.rows[last_row])
    left_page = -1
    first: Sequence[Segment] = ()
    for row in sheet.rows[last_row + 1 :]:
        new_page = row[0].page != previous.page
        if not new_page and row[0].top - previous.bottom > _WIDEST_STEP * sheet.height:
            left_page = row[0].page
        if row[0].page == left_page:
            continue
        is_whole = bool(first) and len(row) >= max(len(first), _FEWEST_CELLS)
        ending = "" if is_whole else _ending(row)
        repeated = bool(first) and text_of(row) == head
        if ending == "end" and (first or not new_page):
            if not _is_repeated(sheet, row, head):
                return
            left_page = row[0].page
            continue
        if not ending and not repeated and not _is_remark(row):
            first = first or (row if _figure_count(row) else ())
            yield row, new_page
        if not new_page or repeated or _figure_count(row) > 1:
            previous = row[0]


def _is_repeated(sheet: Sheet, row: Sequence[Segment], head: str) -> bool:
    """Return whether the next page has the table's heading again."""
    page = row[0].page + 1
    return any(text_of(later) == head for later in sheet.rows[row[0].row + 1 :] if later[0].page == page)


def _figure_count(row: list[Segment]) -> int:
    return sum(len(segment.amounts) for segment in row)


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


def _is_remark(row: list[Segment]) -> bool:
    """Return whether the row has a labelled figure of its own, such as `List price: 4.00`."""
    return any(_REMARK.search(segment.text) for segment in row)


def cells_of(row: Sequence[Segment], columns: Sequence[Column], height: float) -> dict[int, str]:
    """Return the texts of a row by the number of their column."""
    words: dict[int, list[str]] = {}
    for segment in row:
        for column, text in _shares(segment, columns, height):
            words.setdefault(column, []).append(text)
    return {column: " ".join(parts) for column, parts in words.items()}


def _shares(segment: Segment, columns: Sequence[Column], height: float) -> Iterator[tuple[int, str]]:
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
        and column.field.kind not in FIGURES
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


def _by_word(segment: Segment, columns: Sequence[Column], under: list[int]) -> Iterator[tuple[int, str]]:
    ends = [*segment.lefts[1:], segment.right]
    for start, left, right in zip(segment.starts, segment.lefts, ends, strict=True):
        word = segment.text[start:].split(" ", 1)[0]
        middle = (left + right) / 2
        nearest = min(
            under, key=lambda number: max(columns[number].left - middle, middle - columns[number].right, 0)
        )
        yield nearest, word
