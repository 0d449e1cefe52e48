"""Finds tables: from ruled lines where these make cells, and else from the positions of words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docagent.domain.documents.text import Box, Page, Word
from docagent.reading.layout.columns import columns_of, parted_at_narrow_rivers
from docagent.reading.layout.evidence import is_table
from docagent.reading.layout.grid import grid_of
from docagent.reading.layout.lines import Draft, DraftLine
from docagent.reading.layout.prose import prose_gutter
from docagent.reading.layout.regions import Interval, regions_of
from docagent.reading.layout.rows import Placed, Row, line_height, place_words, rows_of
from docagent.reading.layout.ruled import ruled_grids

_DEEPEST_SPLIT = 4
_HEADING_GAP = 0.8
_CAPTION = re.compile(r"(?:table|tab\.|figure|fig\.|chart|exhibit)\s+\S*\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. Rows and columns count from 0; an empty cell has no words and no width."""

    text: str
    box: Box
    words: tuple[Word, ...]
    row: int
    column: int
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. A place that a spanning cell covers has no cell of its own."""

    box: Box
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def column_count(self) -> int:
        return max(cell.column + cell.column_span for row in self.rows for cell in row)


def find_tables(page: Page) -> tuple[Table, ...]:
    """Return the page's tables, from the top down."""
    words = place_words(page)
    ruled = ruled_grids(page, words)
    taken = {id(word) for grid in ruled for word in grid.words}
    tables = [_table(grid.rows, grid.columns, page) for grid in ruled]
    tables += _tables_among([word for word in words if id(word) not in taken], page, 0)
    return tuple(sorted(tables, key=lambda table: (table.box.top, table.box.left)))


def _tables_among(words: list[Placed], page: Page, depth: int) -> list[Table]:
    height = line_height(words)
    rows = rows_of(words)
    regions = regions_of(rows, height)
    loose = _rows_above(regions, rows)
    tables: list[Table] = []
    for part, above in zip(regions, loose, strict=True):
        region = parted_at_narrow_rivers(part, height)
        columns = columns_of(region, height)
        if len(columns) < 2:
            continue
        gutter = prose_gutter(region, columns, height)
        if gutter is None:
            grid = grid_of(_headings(above, region[0], columns, height) + region, columns, height)
            if is_table(grid, len(columns)):
                tables.append(_table(grid, columns, page))
        elif depth < _DEEPEST_SPLIT:
            inside = [word for row in region for word in row.words]
            for side in (True, False):
                half = [word for word in inside if (word.left + word.right < 2 * gutter) is side]
                tables += _tables_among(half, page, depth + 1)
    return tables


def _rows_above(regions: list[list[Row]], rows: list[Row]) -> list[list[Row]]:
    """Return, for each region, the rows between it and the region before."""
    taken = {id(row): number for number, region in enumerate(regions) for row in region}
    loose: list[list[Row]] = [[] for _ in regions]
    waiting: list[Row] = []
    for row in rows:
        if id(row) not in taken:
            waiting.append(row)
        elif waiting:
            if row is regions[taken[id(row)]][0]:
                loose[taken[id(row)]] = waiting
            waiting = []
    return loose


def _headings(above: list[Row], first: Row, columns: list[Interval], height: float) -> list[Row]:
    """Return the rows right above a region that stand over its later columns, as headings over several columns do."""
    found: list[Row] = []
    below = first
    for row in reversed(above):
        over_columns = row.left >= columns[1][0] - 0.5 * height and row.right <= columns[-1][1] + height
        near = below.top - row.bottom <= _HEADING_GAP * height
        if not near or not over_columns or _CAPTION.match(row.pieces[0].text):
            break
        found.insert(0, row)
        below = row
    return found


def _table(grid: list[DraftLine], columns: list[Interval], page: Page) -> Table:
    rows: list[tuple[Cell, ...]] = []
    covered: set[tuple[int, int]] = set()
    table_box = _bounds([word for line in grid for cell in line.values() for word in cell.words])
    for row_number, line in enumerate(grid):
        row_box = _bounds([word for cell in line.values() for word in cell.words]) if line else table_box
        cells = []
        for column, (left, right) in enumerate(columns):
            if (row_number, column) in covered:
                continue
            draft = line.get(column)
            if draft is None:
                empty = Box(left / page.width, row_box.top, right / page.width, row_box.bottom)
                cells.append(Cell("", empty, (), row_number, column))
                continue
            cells.append(_cell(draft, row_number))
            covered |= {
                (row_number + down, across) for down in range(draft.row_span) for across in draft.columns
            }
        rows.append(tuple(cells))
    return Table(table_box, tuple(rows))


def _cell(draft: Draft, row_number: int) -> Cell:
    return Cell(
        text=draft.text,
        box=_bounds(draft.words),
        words=tuple(placed.word for placed in draft.words),
        row=row_number,
        column=draft.columns.start,
        row_span=draft.row_span,
        column_span=len(draft.columns),
    )


def _bounds(words: list[Placed]) -> Box:
    box = words[0].word.box
    for placed in words[1:]:
        box = box.union(placed.word.box)
    return box
