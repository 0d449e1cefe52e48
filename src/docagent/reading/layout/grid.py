"""Finds the rows of a table once its columns are known: which lines belong to one row."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from docagent.reading.layout.headings import (
    heading_joins,
    heading_length,
    span_heading_rows,
    spread_headings,
)
from docagent.reading.layout.lines import Draft, DraftLine, line_of, put
from docagent.reading.layout.regions import Interval
from docagent.reading.layout.rows import Row

_TIGHT = 0.6
"""Lines of one cell are closer together than this many line heights."""
_CLEAR_STEP = 0.15
"""To be told apart, the gaps within cells and those between rows must differ by this many line heights."""
_SPACE = 0.25
_GOING_ON = ("(", "\u2022")
_SMALL_WORDS = "of and or the in for to by with a"
_OPEN_ENDINGS = ("-", ",", "/", "&", "(", *(f" {word}" for word in _SMALL_WORDS.split()))


def grid_of(rows: list[Row], columns: list[Interval], height: float) -> list[DraftLine]:
    """Return the table's rows from the top down. Lines of one cell are joined."""
    lines = [line_of(row, columns, height) for row in rows]
    gaps = [below.top - above.bottom for above, below in pairwise(rows)]
    heading = heading_length(lines)
    spread_headings(lines[: heading + 1], columns, height)
    joins = heading_joins(lines[:heading], gaps, height)
    joins += _body_joins(lines[heading:], gaps[heading:], columns, height)
    grid: list[DraftLine] = []
    for index, line in enumerate(lines):
        if index and joins[index - 1]:
            for cell in line.values():
                put(grid[-1], cell)
        else:
            grid.append(line)
    span_heading_rows(grid[: heading - sum(joins[:heading])])
    return grid


def _body_joins(
    lines: list[DraftLine], gaps: list[float], columns: list[Interval], height: float
) -> list[bool]:
    """Return, for each pair of neighbouring lines, whether they belong to one row."""
    pairs = list(pairwise(lines))
    clashes = [_clash(above, below, columns, height) for above, below in pairs]
    threshold = _tight_gap(gaps, height)
    if threshold is not None:
        tight = [gap <= threshold for gap in gaps]
        if 4 * sum(near and clash for near, clash in zip(tight, clashes, strict=True)) <= sum(tight):
            return [near and not clash for near, clash in zip(tight, clashes, strict=True)]
    usual = max(_TIGHT * height, 1.1 * median(gaps)) if gaps else 0.0
    return [
        not clash
        and (
            (gap <= _TIGHT * height and _continues(above, below))
            or (gap <= usual and _describes(above, below))
        )
        for gap, clash, (above, below) in zip(gaps, clashes, pairs, strict=True)
    ]


def _tight_gap(gaps: list[float], height: float) -> float | None:
    """Return the gap above which lines are different rows, or None if the gaps do not form two clear groups."""
    ordered = sorted(gaps)
    steps = [(after - before, index) for index, (before, after) in enumerate(pairwise(ordered))]
    step, index = max(steps, default=(0.0, 0))
    if step < _CLEAR_STEP * height or ordered[index] > _TIGHT * height:
        return None
    return ordered[index] + step / 2


def _clash(above: DraftLine, below: DraftLine, columns: list[Interval], height: float) -> bool:
    """Return whether the lines cannot be one row: figures stand above figures, or no cell needed to wrap."""
    shared = [(cell, below[column]) for column, cell in above.items() if column in below]
    if any(upper.numeric and lower.numeric for upper, lower in shared):
        return True
    return len(shared) > 1 and not (
        any(_wraps(upper, lower, columns, height) for upper, lower in shared)
        and any(_goes_on(upper, lower) for upper, lower in shared)
    )


def _wraps(upper: Draft, lower: Draft, columns: list[Interval], height: float) -> bool:
    """Return whether the next word would not have fitted on the line above."""
    left, right = columns[upper.columns.start][0], columns[upper.columns[-1]][1]
    next_word = lower.words[0]
    needed = upper.right - upper.left + _SPACE * height + next_word.right - next_word.left
    return needed > 0.95 * (right - left)


def _continues(above: DraftLine, below: DraftLine) -> bool:
    """Return whether the lower line continues cells of the upper one, judged by the words alone."""
    if any(cell.numeric for cell in below.values()):
        return set(above) == {0} and 0 in below and _goes_on(above[0], below[0])
    return all(column in above and _goes_on(above[column], cell) for column, cell in below.items())


def _describes(above: DraftLine, below: DraftLine) -> bool:
    """Return whether the lower line is only more text in one later column, as below an invoice's items."""
    return len(below) == 1 and 0 not in below and set(below) <= set(above)


def _goes_on(above: Draft, below: Draft) -> bool:
    first = below.text.lstrip("\"'")[:1]
    return first.islower() or first in _GOING_ON or above.text.lower().endswith(_OPEN_ENDINGS)
