"""Tells whether a grid of words is a table, or a letterhead, a list or a form that only looks like one."""

from __future__ import annotations

import re
from collections.abc import Callable

from docagent.reading.layout.lines import Draft, DraftLine

_LIST_MARKER = re.compile(
    r"[\u2022\u25aa\u25cf\u25e6\u2023\u00b7\u2013*o-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{1,4})[.)]{1,2}|\d{1,2}(?:\.\d{1,2})+\.?"
)
_FILLED = 0.35
_FILLED_WITH_TEXT = 0.65
_LONGEST_CELL = 80
_SINGLE_LETTERS = 0.25


def is_table(grid: list[DraftLine], column_count: int) -> bool:
    """Judge a grid. Columns of figures suggest a table; without them, more rows and columns are needed."""
    cells = [cell for line in grid for cell in line.values()]
    columns = [[line[index] for line in grid if index in line] for index in range(column_count)]
    if len(grid) < 2 or len(cells) < _FILLED * len(grid) * column_count or _is_form(cells, columns):
        return False
    if _share(columns[0], _is_list_marker) >= 0.8 and column_count == 2:
        return False
    if any(len(cell.words) > _LONGEST_CELL for cell in cells) or _is_upright_text(cells):
        return False
    full_rows = sum(len(line) > 1 for line in grid)
    if any(_has_figures(column) for column in columns[1:]):
        return full_rows >= (2 if column_count > 2 else 3)
    if column_count == 2:
        labels_and_amounts = (
            _share(columns[1][1:], _has_digit) >= 0.6 and _share(columns[0], _has_digit) <= 0.3
        )
        return full_rows >= max(4, 0.8 * len(grid)) and labels_and_amounts
    return full_rows >= 3 and len(cells) >= _FILLED_WITH_TEXT * len(grid) * column_count and not _wordy(cells)


def _has_figures(column: list[Draft]) -> bool:
    body = column[1:] if len(column) > 1 and not column[0].numeric else column
    return bool(body) and 2 * sum(cell.numeric for cell in body) >= len(body)


def _is_form(cells: list[Draft], columns: list[list[Draft]]) -> bool:
    """Return whether the grid is labels with colons, each with its value beside it."""
    labels = sum(cell.text.endswith(":") for cell in cells)
    return labels >= 2 and (
        3 * labels >= len(cells)
        or any(_share(column, lambda cell: cell.text.endswith(":")) >= 0.5 for column in columns)
    )


def _is_list_marker(cell: Draft) -> bool:
    text = cell.text
    return _LIST_MARKER.fullmatch(text) is not None or (len(text) < 3 and not any(map(str.isalnum, text)))


def _is_upright_text(cells: list[Draft]) -> bool:
    """Return whether the words are mostly single letters, as text that runs up a chart's axis comes out."""
    words = [placed.word.text for cell in cells for placed in cell.words]
    return sum(len(text) == 1 and text.isalpha() for text in words) > _SINGLE_LETTERS * len(words)


def _has_digit(cell: Draft) -> bool:
    return len(cell.words) <= 8 and any(character.isdigit() for character in cell.text)


def _wordy(cells: list[Draft]) -> bool:
    """Return whether most cells hold long texts, which means prose set in columns."""
    return sum(len(cell.words) > 25 for cell in cells) > 0.5 * len(cells)


def _share(cells: list[Draft], test: Callable[[Draft], bool]) -> float:
    return sum(map(test, cells)) / len(cells) if cells else 0.0
