"""Reads the rows of a table that a person points at: which column is which field, and what each cell says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.pointed import Pointed, read_pointed, words_in
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.jsonschema import resolved, types_of
from docagent.reading.layout import Table, find_tables, place_words, rows_of
from docagent.reading.printed import Style, atoms_of, find_dates, find_numbers, squeezed

PointedRow = dict[str, Pointed]
"""What a row says, by the name of the field."""
_MOSTLY = 0.6
_WEAKEST_HEADING = 0.35
_NAMED_SO = 1.0
_NOTHING = frozenset({"-", "\u2013", "\u2014", "n/a", "n.a.", "./."})


@dataclass(slots=True)
class _Grid:
    """Rows of cells by the number of their column, and what stands above the columns."""

    rows: list[dict[int, list[Word]]] = field(default_factory=list)
    headings: dict[int, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[int]:
        return sorted({column for row in self.rows for column in row})

    def cells(self, column: int) -> list[list[Word]]:
        return [row[column] for row in self.rows if column in row]


def read_rows(page: Page, box: Box, item: Schema, root: Schema, style: Style) -> list[PointedRow]:
    """Return the rows inside the box. A column belongs to the field that its heading names, else by its order."""
    parts = {name: resolved(part, root) for name, part in (item.get("properties") or {}).items()}
    fields = [
        field_of(name, part, in_row=True)
        for name, part in parts.items()
        if not types_of(part) & {"object", "array"}
    ]
    grid = _grid_of(page, box)
    meant = _fields_of(grid, fields, style)
    rows = [
        {
            asked.name: read_pointed(row[column], asked.name, asked.schema, style, stores_iso=True)
            for column, asked in meant.items()
            if column in row and _text(row[column]).lower() not in _NOTHING
        }
        for row in grid.rows
    ]
    return [row for row in rows if row]


def _grid_of(page: Page, box: Box) -> _Grid:
    lines = words_in(page, box)
    inside = {id(word) for line in lines for word in line.words}
    for table in (*find_tables(page), *find_tables(_only(page, lines))):
        there = sum(id(word) in inside for row in table.rows for cell in row for word in cell.words)
        if inside and there >= _MOSTLY * len(inside):
            return _from_table(table, inside)
    return _from_words(_only(page, lines))


def _only(page: Page, lines: Sequence[Line]) -> Page:
    return Page(page.number, page.width, page.height, tuple(lines), ruling=page.ruling)


def _from_table(table: Table, inside: set[int]) -> _Grid:
    grid = _Grid()
    is_above = True
    for row in table.rows:
        words = [word for cell in row for word in cell.words]
        is_above = is_above and not _has_figures(words)
        if is_above:
            for cell in row:
                for column in range(cell.column, cell.column + cell.column_span):
                    grid.headings[column] = f"{grid.headings.get(column, '')} {cell.text}".strip()
            continue
        chosen = {cell.column: [word for word in cell.words if id(word) in inside] for cell in row}
        chosen = {column: kept for column, kept in chosen.items() if kept}
        if 2 * sum(map(len, chosen.values())) > len(words):
            grid.rows.append(chosen)
    return grid if grid.rows else _without_figures(table, inside)


def _without_figures(table: Table, inside: set[int]) -> _Grid:
    """Read a table of texts, whose first row is its heading."""
    first, *rows = table.rows
    grid = _Grid(headings={cell.column: cell.text for cell in first})
    for row in rows:
        chosen = {cell.column: [word for word in cell.words if id(word) in inside] for cell in row}
        grid.rows.append({column: words for column, words in chosen.items() if words})
    grid.rows = [row for row in grid.rows if row]
    return grid


def _from_words(page: Page) -> _Grid:
    """Read rows that are too few or too loose to be found as a table: what stands above each other is a column."""
    rows = rows_of(place_words(page)) if page.lines else []
    columns: list[tuple[float, float]] = []
    for left, right in sorted((piece.left, piece.right) for row in rows for piece in row.pieces):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    grid = _Grid()
    for row in rows:
        cells: dict[int, list[Word]] = {}
        for piece in row.pieces:
            column = next(number for number, (_, right) in enumerate(columns) if piece.left < right)
            cells.setdefault(column, []).extend(placed.word for placed in piece.words)
        if (
            not grid.rows
            and len(rows) > 1
            and not _has_figures([w for words in cells.values() for w in words])
        ):
            grid.headings = {column: _text(words) for column, words in cells.items()}
        else:
            grid.rows.append(cells)
    return grid


def _has_figures(words: Sequence[Word]) -> bool:
    return bool(find_numbers(_text(words)) or find_dates(_text(words)))


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _fields_of(grid: _Grid, fields: Sequence[Field], style: Style) -> dict[int, Field]:
    """Return the field of each column that has one."""
    scored = [
        (_agreement(heading, asked), column, place)
        for column, heading in grid.headings.items()
        for place, asked in enumerate(fields)
    ]
    meant: dict[int, Field] = {}
    for strength, column, place in sorted(scored, key=lambda one: (-one[0], one[1], one[2])):
        is_free = column not in meant and all(fields[place] is not other for other in meant.values())
        if strength >= _WEAKEST_HEADING and is_free:
            meant[column] = fields[place]
    return {**meant, **_by_order(grid, fields, meant, style)}


def _agreement(heading: str, asked: Field) -> float:
    """Return how surely a heading names a field."""
    named = {squeezed(name) for name in (asked.name, str(asked.schema.get("title") or "")) if name}
    if squeezed(heading) in named:
        return _NAMED_SO
    meanings = {atom.meaning for atom in atoms_of(heading)}
    said = [weight for label, weight in asked.labels.items() if label <= meanings]
    return max(said, default=0.0) / max(1.0, 1 + 0.1 * (len(meanings) - 1))


def _by_order(
    grid: _Grid, fields: Sequence[Field], meant: Mapping[int, Field], style: Style
) -> dict[int, Field]:
    """Give the columns that are left to the fields that are left, in their order, where cells fit their types.

    A heading that names no field is another column's, unless no heading names any.
    """
    columns = [one for one in grid.columns if one not in meant and (not meant or not grid.headings.get(one))]
    left = [one for one in fields if all(one is not other for other in meant.values())]
    given: dict[int, Field] = {}
    for column in columns:
        fitting = next((one for one in left if _fits(grid.cells(column), one, style)), None)
        if fitting is not None:
            given[column] = fitting
            left = (
                left[left.index(fitting) + 1 :] if not meant else [one for one in left if one is not fitting]
            )
    return given


def _fits(cells: Sequence[Sequence[Word]], asked: Field, style: Style) -> bool:
    read = [read_pointed(words, asked.name, asked.schema, style, stores_iso=True) for words in cells]
    return sum(one.remark is None for one in read) >= _MOSTLY * len(read)
