"""Gathers the cells that the network finds into rows: cells of one row have vectors that are near to each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from docagent.domain.documents.text import Page
from docagent.reader_model.questions import Question, Row, Span
from docagent.reader_model.seen import Window, windows_of
from docagent.reader_model.spans import chances_of_several, span_at

_REACH = 4.0
"""The square of the distance up to which cells stand in one row, as the network was taught."""
_LIKELY = 0.5
Vector = NDArray[np.float32]


@dataclass
class _Gathered:
    """A row in the making."""

    cells: Row = field(default_factory=dict)
    vectors: list[Vector] = field(default_factory=list)

    def distance(self, vector: Vector) -> float:
        return float(np.square(np.mean(self.vectors, axis=0) - vector).sum())

    @property
    def first(self) -> int:
        return min(span.first for span in self.cells.values())


def rows_of(pages: Sequence[Page], columns: Sequence[Question]) -> list[Row]:
    """Return the rows in the order of reading."""
    rows: list[_Gathered] = []
    by_word: dict[int, _Gathered] = {}
    for window in windows_of(pages, columns):
        cells = [(number, span) for number in range(len(columns)) for span in _cells(window, number)]
        for row in _gathered(cells, window):
            known = next((by_word[span.first] for span in row.cells.values() if span.first in by_word), None)
            if known is None:
                rows.append(row)
            else:
                known.cells = {**row.cells, **known.cells}
            by_word |= {span.first: known or row for span in row.cells.values()}
    return [row.cells for row in sorted(rows, key=lambda row: row.first)]


def _cells(window: Window, question: int) -> Iterator[Span]:
    chances = chances_of_several(window, question)
    for start in map(int, np.flatnonzero(chances > _LIKELY)):
        yield span_at(window, question, start, float(chances[start]))


def _gathered(cells: Iterable[tuple[int, Span]], window: Window) -> list[_Gathered]:
    """Put each cell into the nearest row that has none of its column yet, or let it begin a row."""
    rows: list[_Gathered] = []
    for column, span in sorted(cells, key=lambda cell: (cell[1].first, -cell[1].chance)):
        vector = window.scores.rows[span.first - window.start]
        near = [(row.distance(vector), number) for number, row in enumerate(rows) if column not in row.cells]
        distance, number = min(near, default=(_REACH, 0))
        if distance >= _REACH:
            rows.append(_Gathered())
            number = -1
        rows[number].cells[column] = span
        rows[number].vectors.append(vector)
    return rows
