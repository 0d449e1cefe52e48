"""Finds ruled tables: by level and upright lines that meet, or by lines between rows whose cells are text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from docagent.domain.documents.text import Page
from docagent.reading.layout.columns import columns_of, covered_columns
from docagent.reading.layout.lines import Draft, DraftLine
from docagent.reading.layout.regions import Interval
from docagent.reading.layout.rows import Placed, is_value, line_height, rows_of

_NEAR = 3.0
"""In points: lines this near to one another are one line, or meet."""
_OVERHANG = 12.0
"""A line that reaches this far beyond the last line across it ends at a side of the table that is not ruled."""
_LEAST_CELLS = 4
_MOST_PLACES = 10_000
_HEADING_GAP = 8.0
"""In points: headings stand so near above the first line of a table that has none above them."""
_ACROSS = 0.05
"""The share of the words that may stand across a line."""
_WHOLE_CELLS = 0.55
"""Of the places of the grid, the share of cells: forms have few large cells on a grid of many lines."""
_LEAST_FILLED = 0.4
_LONG_CELL = 60
_STACKED = 3
"""So many lines of figures in a cell, or of anything in all cells of a row, are rows without lines between them."""


@dataclass(slots=True)
class _Line:
    """A line at a place, from a start to an end: across for level lines, down for upright ones."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class RuledGrid:
    """The cells of a ruled table, in rows from the top down, and the left and right edge of each column."""

    rows: list[DraftLine]
    columns: list[Interval]
    words: list[Placed] = field(default_factory=list)


def ruled_grids(page: Page, words: list[Placed]) -> list[RuledGrid]:
    """Return the page's ruled tables. Lines that do not make clear cells of a table are left out."""
    level, upright = _lines_of(page)
    found = [_grid(across, down, words) for across, down in _meeting(level, upright)]
    grids = [grid for grid in found if grid is not None]
    taken = {id(word) for grid in grids for word in grid.words}
    for lines in _ladders(level):
        grid = _ladder(lines, [word for word in words if id(word) not in taken])
        if grid is not None:
            grids.append(grid)
            taken |= {id(word) for word in grid.words}
    return grids


def _ladders(level: list[_Line]) -> list[list[_Line]]:
    """Return the groups of lines below one another that begin and end at the same places, from the top down."""
    groups: list[list[_Line]] = []
    for line in sorted(level, key=lambda line: line.at):
        for group in groups:
            if abs(group[0].start - line.start) <= _NEAR and abs(group[0].end - line.end) <= _NEAR:
                group.append(line)
                break
        else:
            groups.append([line])
    return [group for group in groups if len(group) > _LEAST_CELLS]


def _ladder(lines: list[_Line], words: list[Placed]) -> RuledGrid | None:
    """Return the table whose rows have lines between them, if cells of several lines of text make that worthwhile."""
    within = [
        word for word in words if lines[0].start - _NEAR < word.left and word.right < lines[0].end + _NEAR
    ]
    down = [line.at for line in lines]
    heading = rows_of([word for word in within if 0 < down[0] - word.bottom < _HEADING_GAP])
    if len(heading) == 1 and len(heading[0].pieces) > 1:
        down.insert(0, heading[0].top - _NEAR)
    inside = [word for word in within if down[0] < (word.top + word.bottom) / 2 < down[-1]]
    rows = rows_of(inside)
    if sum(len(row.pieces) > 1 for row in rows) < 2:
        return None
    columns = columns_of(rows, line_height(inside))
    gutters = [(left + right) / 2 for (_, left), (right, _) in pairwise(columns)]
    across = [lines[0].start - _NEAR, *gutters, lines[0].end + _NEAR]
    places = [(row, column) for row in range(len(down) - 1) for column in range(len(columns))]
    cells = [_Cell(range(row, row + 1), range(column, column + 1)) for row, column in places]
    _fill(cells, inside, across, down)
    heights = [len(rows_of(cell.words)) for cell in cells if cell.words]
    names = [len(rows_of(cell.words)) for cell in cells if cell.words and cell.columns.start == 0]
    wraps = max(heights) > 1 and max(names, default=0) <= _STACKED
    crossing = any(len(covered_columns(piece, columns)) > 1 for row in rows for piece in row.pieces)
    if len(columns) < 2 or not wraps or crossing or not _is_table(cells, inside, across):
        return None
    return RuledGrid(*_compact(cells, across), inside)


def _lines_of(page: Page) -> tuple[list[_Line], list[_Line]]:
    level: list[_Line] = []
    upright: list[_Line] = []
    for drawn in page.ruling:
        left, right = drawn.left * page.width, drawn.right * page.width
        top, bottom = drawn.top * page.height, drawn.bottom * page.height
        if right - left >= bottom - top:
            level.append(_Line((top + bottom) / 2, left, right))
        else:
            upright.append(_Line((left + right) / 2, top, bottom))
    return _joined(level), _joined(upright)


def _joined(lines: list[_Line]) -> list[_Line]:
    """Join lines that lie on one another or follow one another."""
    joined: list[_Line] = []
    for row in _clusters(lines):
        place = sum(line.at for line in row) / len(row)
        current: _Line | None = None
        for line in sorted(row, key=lambda line: line.start):
            if current is not None and line.start <= current.end + _NEAR:
                current.end = max(current.end, line.end)
            else:
                current = _Line(place, line.start, line.end)
                joined.append(current)
    return joined


def _clusters(lines: list[_Line]) -> list[list[_Line]]:
    rows: list[list[_Line]] = []
    for line in sorted(lines, key=lambda line: line.at):
        if rows and line.at - rows[-1][-1].at <= _NEAR:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _meeting(level: list[_Line], upright: list[_Line]) -> list[tuple[list[_Line], list[_Line]]]:
    """Return the groups of lines that hang together."""
    group = list(range(len(level) + len(upright)))

    def root(number: int) -> int:
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    for number, across in enumerate(level):
        for other, down in enumerate(upright, start=len(level)):
            if (
                across.start - _NEAR <= down.at <= across.end + _NEAR
                and down.start - _NEAR <= across.at <= down.end + _NEAR
            ):
                group[root(other)] = root(number)
    groups: dict[int, tuple[list[_Line], list[_Line]]] = {}
    for number, line in enumerate([*level, *upright]):
        groups.setdefault(root(number), ([], []))[number >= len(level)].append(line)
    return [found for found in groups.values() if len(found[0]) > 1 and found[1]]


def _grid(level: list[_Line], upright: list[_Line], words: list[Placed]) -> RuledGrid | None:
    across = _edges(upright, level)
    down = _edges(level, upright)
    if len(across) < 3 or len(down) < 3 or len(across) * len(down) > _MOST_PLACES:
        return None
    cells = _cells(down, across, level, upright)
    if cells is None or len(cells) < max(_LEAST_CELLS, _WHOLE_CELLS * (len(across) - 1) * (len(down) - 1)):
        return None
    inside = [
        word
        for word in words
        if across[0] < (word.left + word.right) / 2 < across[-1]
        and down[0] < (word.top + word.bottom) / 2 < down[-1]
    ]
    _fill(cells, inside, across, down)
    return RuledGrid(*_compact(cells, across), inside) if _is_table(cells, inside, across) else None


def _edges(lines: list[_Line], crossing: list[_Line]) -> list[float]:
    """Return where the lines are, with the ends of those across them where a table's side is not ruled."""
    places = [row[0].at for row in _clusters(lines)]
    first, last = min(line.start for line in crossing), max(line.end for line in crossing)
    if first < places[0] - _OVERHANG:
        places.insert(0, first)
    if last > places[-1] + _OVERHANG:
        places.append(last)
    return places


@dataclass(slots=True)
class _Cell:
    rows: range
    columns: range
    words: list[Placed] = field(default_factory=list)


def _cells(
    down: list[float], across: list[float], level: list[_Line], upright: list[_Line]
) -> list[_Cell] | None:
    """Return the cells: places of the grid with no line between them are one. None if one is not a rectangle."""
    height, width = len(down) - 1, len(across) - 1
    walls = [[line for line in upright if abs(line.at - at) <= _NEAR] for at in across]
    floors = [[line for line in level if abs(line.at - at) <= _NEAR] for at in down]
    cells: dict[tuple[int, int], _Cell] = {}
    found: list[_Cell] = []
    for row in range(height):
        for column in range(width):
            if (row, column) in cells:
                continue
            right = column + 1
            while right < width and not _has_line(walls[right], down[row], down[row + 1]):
                right += 1
            bottom = row + 1
            while bottom < height and not _has_line(floors[bottom], across[column], across[column + 1]):
                bottom += 1
            cell = _Cell(range(row, bottom), range(column, right))
            for place in ((r, c) for r in cell.rows for c in cell.columns):
                if place in cells:
                    return None
                cells[place] = cell
            found.append(cell)
    return found


def _has_line(lines: list[_Line], start: float, end: float) -> bool:
    middle = (start + end) / 2
    return any(line.start <= middle <= line.end for line in lines)


def _fill(cells: list[_Cell], words: Iterable[Placed], across: list[float], down: list[float]) -> None:
    by_place = {(row, column): cell for cell in cells for row in cell.rows for column in cell.columns}
    for word in words:
        row = bisect_right(down, (word.top + word.bottom) / 2) - 1
        column = bisect_right(across, (word.left + word.right) / 2) - 1
        by_place[row, column].words.append(word)


def _is_table(cells: list[_Cell], inside: list[Placed], across: list[float]) -> bool:
    filled = [cell for cell in cells if cell.words]
    if len(filled) < max(_LEAST_CELLS, _LEAST_FILLED * len(cells)):
        return False
    rows, columns = {cell.rows.start for cell in filled}, {cell.columns.start for cell in filled}
    if len(rows) < 2 or len(columns) < 2:
        return False
    astride = sum(
        word.left < across[cell.columns.start] - _NEAR or word.right > across[cell.columns.stop] + _NEAR
        for cell in filled
        for word in cell.words
    )
    long = sum(len(cell.words) > _LONG_CELL for cell in filled)
    return astride <= _ACROSS * len(inside) and 2 * long <= len(filled) and not _has_unruled_rows(filled)


def _has_unruled_rows(filled: list[_Cell]) -> bool:
    """Return whether a row holds several rows of the table: lines of figures, or as many lines in each cell."""
    counts: dict[int, list[int]] = {}
    for cell in filled:
        rows = rows_of(cell.words)
        if sum(is_value(row.words) for row in rows) >= _STACKED:
            return True
        if len(cell.rows) == 1:
            counts.setdefault(cell.rows.start, []).append(len(rows))
    return any(len(each) > 1 and min(each) == max(each) >= _STACKED for each in counts.values())


def _compact(cells: list[_Cell], across: list[float]) -> tuple[list[DraftLine], list[Interval]]:
    """Return the cells without rows and columns in which nothing begins."""
    filled = [cell for cell in cells if cell.words]
    rows = sorted({cell.rows.start for cell in filled})
    columns = sorted({cell.columns.start for cell in filled})
    ends = [*columns[1:], len(across) - 1]
    edges = [(across[start], across[end]) for start, end in zip(columns, ends, strict=True)]
    lines: list[DraftLine] = [{} for _ in rows]
    for cell in filled:
        down, over = _kept(cell.rows, rows), _kept(cell.columns, columns)
        for part in _parted(cell.words, over, edges):
            lines[down.start][part.columns.start] = Draft(part.words, part.columns, len(down))
    return lines, edges


def _parted(words: list[Placed], over: range, edges: list[Interval]) -> list[Draft]:
    """Part a cell over several columns that holds several headings side by side, with no lines between them."""
    rows = rows_of(words)
    pieces = rows[0].pieces
    whole = [Draft([word for row in rows for word in row.words], over)]
    if len(rows) > 1 or not 1 < len(pieces) <= len(over):
        return whole
    nearest = [
        min(
            range(len(pieces)),
            key=lambda number: abs(pieces[number].left + pieces[number].right - sum(edges[column])),
        )
        for column in over
    ]
    if sorted(set(nearest)) != list(range(len(pieces))):
        return whole
    starts = [over.start + nearest.index(number) for number in range(len(pieces))]
    return [
        Draft(piece.words, range(start, end))
        for piece, (start, end) in zip(pieces, pairwise([*starts, over.stop]), strict=True)
    ]


def _kept(places: range, kept: list[int]) -> range:
    """Return which of the kept places a cell covers."""
    numbers = [number for number, place in enumerate(kept) if place in places]
    return range(numbers[0], numbers[-1] + 1)
