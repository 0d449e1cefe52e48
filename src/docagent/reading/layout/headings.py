"""Finds the heading rows of a table: how many there are, and which headings span several columns."""

from __future__ import annotations

import re
from itertools import pairwise

from docagent.reading.layout.lines import Draft, DraftLine, put
from docagent.reading.layout.regions import Interval

_TIGHT = 0.6
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_OFF_CENTRE = 0.6


def heading_length(lines: list[DraftLine]) -> int:
    """Count the lines above the first one that has figures in most of its cells after the first column."""
    for index, line in enumerate(lines):
        values = [cell for column, cell in line.items() if column > 0]
        if (
            values
            and len(line) > 1
            and 2 * sum(cell.numeric for cell in values) >= len(values)
            and not all(_YEAR.fullmatch(cell.text) for cell in values)
        ):
            return _without_section_names(lines, index)
    return 1


def _without_section_names(lines: list[DraftLine], length: int) -> int:
    """Leave out section names, which stand alone in the first column between the headings and the figures."""
    while length > 1 and set(lines[length - 1]) == {0} and not lines[length - 1][0].text[:1].islower():
        length -= 1
    return length


def spread_headings(lines: list[DraftLine], columns: list[Interval], height: float) -> None:
    """Let a heading span the columns that it is centred over, if the line below names each of them."""
    for index, above in enumerate(lines):
        named = {
            column for below in lines[index + 1 :] for column, cell in below.items() if len(cell.columns) == 1
        }
        if len(above) >= len(named):
            continue
        for cell in sorted(above.values(), key=lambda draft: draft.columns.start):
            group = _group_below(cell, above, named, columns, height)
            others = {column for other in above.values() if other is not cell for column in other.columns}
            if group is not None and others.isdisjoint(group):
                del above[cell.columns.start]
                cell.columns = group
                above[group.start] = cell


def _group_below(
    cell: Draft, line: DraftLine, named: set[int], columns: list[Interval], height: float
) -> range | None:
    """Return the largest run of named columns that the heading is centred over."""
    centre = (cell.left + cell.right) / 2
    others = [(other.left + other.right) / 2 for other in line.values() if other is not cell]
    start = max(((centre + other) / 2 for other in others if other < centre), default=float("-inf"))
    end = min(((centre + other) / 2 for other in others if other > centre), default=float("inf"))
    reach = [
        index
        for index, (left, right) in enumerate(columns)
        if index in named and start <= (left + right) / 2 <= end
    ]
    groups = [
        range(first, last + 1)
        for first in reach
        for last in reach
        if last > first and all(column in named for column in range(first, last + 1))
    ]
    centred = [
        group
        for group in groups
        if columns[group.start][0] <= cell.left
        and cell.right <= columns[group[-1]][1]
        and abs((columns[group.start][0] + columns[group[-1]][1]) / 2 - centre) <= _OFF_CENTRE * height
    ]
    return max(centred, key=len, default=None)


def heading_joins(lines: list[DraftLine], gaps: list[float], height: float) -> list[bool]:
    """Return, for each heading line, whether the line below belongs to the same row.

    It does not if a heading in one line spans several columns that the other line names.
    """
    joins = []
    row: list[Draft] = []
    for index, (above, below) in enumerate(pairwise(lines)):
        row += above.values()
        nested = any(
            len(one.columns) != len(other.columns) and set(one.columns) & set(other.columns)
            for one in row
            for other in below.values()
        )
        joins.append(gaps[index] < _TIGHT * height and not nested)
        if not joins[-1]:
            row = []
    return [*joins, False] if lines else []


def span_heading_rows(heading: list[DraftLine]) -> None:
    """Let the headings beside one that spans several columns take both rows."""
    held: set[int] = set()
    for above, below in pairwise(heading):
        over_several = _wide_columns(above)
        if not over_several & set(below):
            held = set()
            continue
        free = (set(above) | set(below)) - over_several - _wide_columns(below) - held
        for column in free:
            if column in below:
                put(above, below.pop(column))
            above[column].row_span = 2
        held = free


def _wide_columns(line: DraftLine) -> set[int]:
    return {column for cell in line.values() if len(cell.columns) > 1 for column in cell.columns}
