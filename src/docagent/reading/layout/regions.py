"""Finds where on a page a table may be: consecutive rows with a river of white space running through them."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from docagent.reading.layout.rows import Piece, Row

Interval = tuple[float, float]

_RIVER = 0.4
"""The width of the narrowest river, in line heights."""
_ROW_GAP = 2.2
"""Rows farther apart than this many line heights belong to different regions."""
_TITLE_GAP = 0.6
"""A row that crosses every river may be part of a region only if it is this close to its neighbours."""
_WIDE_GAP = 1.3
"""A gap that is so much wider than the usual one may part what stands above a table from the table."""
_CLEARLY_WIDER = 0.35
_IN_LINE = 0.4
"""In line heights."""
_ROWS_COMPARED = 3
_FAR = 1e9


def regions_of(rows: list[Row], height: float) -> list[list[Row]]:
    """Return runs of rows that share a river. Each run has at least two rows of several pieces."""
    return [part for run in _Grouping(height).group(rows) for part in _parted(run, height)]


def _parted(run: list[Row], height: float) -> list[list[Row]]:
    """Part a run where a wide gap lies between rows without columns in common: a letterhead, a table, its totals."""
    gaps = [below.top - above.bottom for above, below in pairwise(run)]
    wide = max(_WIDE_GAP * median(gaps), median(gaps) + _CLEARLY_WIDER * height)
    parts = [run[:1]]
    for place, gap in enumerate(gaps, 1):
        if gap > wide and not _goes_on(parts[-1], run[place:], height):
            parts.append([])
        parts[-1].append(run[place])
    return [part for part in parts if sum(len(row.pieces) > 1 for row in part) > 1]


def _goes_on(above: list[Row], below: list[Row], height: float) -> bool:
    """Return whether most pieces of the next full row stand in line with pieces of the rows above."""
    rows = [row for row in above if len(row.pieces) > 1][-_ROWS_COMPARED:]
    following = next((row for row in below if len(row.pieces) > 1), None)
    if following is None or not rows:
        return True
    known = [piece for row in rows for piece in row.pieces]
    aligned = sum(any(_in_line(piece, other, height) for other in known) for piece in following.pieces)
    return 2 * aligned > len(following.pieces)


def _in_line(one: Piece, other: Piece, height: float) -> bool:
    """Return whether two pieces begin, end, or have their middle at one place."""
    left, right = abs(one.left - other.left), abs(one.right - other.right)
    middle = abs(one.left + one.right - other.left - other.right) / 2
    return min(left, right, middle) <= _IN_LINE * height


def free_space(row: Row) -> list[Interval]:
    """Return the intervals that the row's pieces leave empty. The outer two reach far beyond the page."""
    spaces = []
    reach = -_FAR
    for piece in row.pieces:
        if piece.left > reach:
            spaces.append((reach, piece.left))
        reach = max(reach, piece.right)
    spaces.append((reach, _FAR))
    return spaces


class _Grouping:
    def __init__(self, height: float) -> None:
        self._height = height
        self._found: list[list[Row]] = []
        self._start([])

    def _start(self, rows: list[Row]) -> None:
        self._block = rows
        self._waiting: list[Row] = []
        self._titles = 0
        self._space = free_space(rows[0]) if rows else []
        self._left, self._right = (rows[0].left, rows[0].right) if rows else (_FAR, -_FAR)

    def group(self, rows: list[Row]) -> list[list[Row]]:
        for row in rows:
            if self._block and row.top - self._last.bottom > _ROW_GAP * self._height:
                self._finish()
            if len(row.pieces) > 1:
                self._several(row)
            elif self._block:
                self._single(row)
        self._finish()
        return self._found

    @property
    def _last(self) -> Row:
        return (self._waiting or self._block)[-1]

    def _several(self, row: Row) -> None:
        if self._block:
            space = _intersection(self._space, free_space(row), _RIVER * self._height)
            left, right = min(self._left, row.left), max(self._right, row.right)
            near_title = not self._titles or row.top - self._last.bottom <= _TITLE_GAP * self._height
            if near_title and any(start > left and end < right for start, end in space):
                self._block += [*self._waiting, row]
                self._waiting, self._titles, self._space = [], 0, space
                self._left, self._right = left, right
                return
            self._finish()
        self._start([row])

    def _single(self, row: Row) -> None:
        narrowed = _intersection(self._space, free_space(row), _RIVER * self._height)
        if len(narrowed) == len(self._space):
            self._space = narrowed
        else:
            self._titles += 1
            if self._titles > 1 or row.top - self._last.bottom > _TITLE_GAP * self._height:
                self._finish()
                return
        self._waiting.append(row)

    def _finish(self) -> None:
        if self._block and not self._titles:
            self._block += self._trailing()
        if sum(len(row.pieces) > 1 for row in self._block) > 1:
            self._found.append(self._block)
        self._start([])

    def _trailing(self) -> list[Row]:
        """Return the single-piece rows right below the last full row, which may be the last lines of a tall cell."""
        trailing: list[Row] = []
        above = self._block[-1]
        for row in self._waiting:
            if row.top - above.bottom > _TITLE_GAP * self._height:
                break
            trailing.append(row)
            above = row
        return trailing


def _intersection(first: list[Interval], second: list[Interval], narrowest: float) -> list[Interval]:
    shared = []
    for one_start, one_end in first:
        for other_start, other_end in second:
            start, end = max(one_start, other_start), min(one_end, other_end)
            if end - start >= narrowest:
                shared.append((start, end))
    return shared
