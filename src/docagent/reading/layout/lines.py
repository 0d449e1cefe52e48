"""Puts the pieces of visual rows into columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docagent.reading.layout.columns import covered_columns
from docagent.reading.layout.regions import Interval
from docagent.reading.layout.rows import Piece, Placed, Row, is_value

_CUT_GAP = 0.4
_CUT_SPACES = 1.6
"""A piece is cut into two cells where the gap has this many line heights, and this many usual spaces."""


@dataclass(slots=True)
class Draft:
    """A cell under construction: its words in reading order, and the columns it covers."""

    words: list[Placed]
    columns: range
    row_span: int = 1

    @property
    def text(self) -> str:
        return " ".join(placed.word.text for placed in self.words)

    @property
    def numeric(self) -> bool:
        return is_value(self.words)

    @property
    def left(self) -> float:
        return min(placed.left for placed in self.words)

    @property
    def right(self) -> float:
        return max(placed.right for placed in self.words)


DraftLine = dict[int, Draft]
"""The cells of one visual row, by the first column of each."""


def line_of(row: Row, columns: list[Interval], height: float) -> DraftLine:
    """Return the row's pieces as cells with the columns they cover, cutting pieces that hold several cells."""
    line: DraftLine = {}
    for piece in row.pieces:
        for part in _parted(piece, columns, max(_CUT_GAP, _CUT_SPACES * row.space) * height):
            put(line, Draft(list(part.words), covered_columns(part, columns)))
    return line


def put(line: DraftLine, cell: Draft) -> None:
    """Add a cell to the line, or its words to the cell that already has that place."""
    taken = next(
        (
            other
            for other in line.values()
            if other.columns.start < cell.columns.stop and cell.columns.start < other.columns.stop
        ),
        None,
    )
    if taken is None:
        line[cell.columns.start] = cell
    else:
        taken.words += cell.words


def _parted(piece: Piece, columns: list[Interval], narrowest_gap: float) -> list[Piece]:
    """Cut the piece at rivers where its words are clearly two cells that stand close together."""
    covered = covered_columns(piece, columns)
    if len(covered) == 1 or len(piece.words) == 1:
        return [piece]
    gaps = [(before.right, after.left) for before, after in pairwise(piece.words)]
    usual = median(end - start for start, end in gaps) if len(gaps) > 2 else 0.0
    wide = max(1.35 * usual, narrowest_gap)
    cuts = [0]
    for column in covered[:-1]:
        river_start, river_end = columns[column][1], columns[column + 1][0]
        for index, (start, end) in enumerate(gaps):
            both_numbers = piece.words[index].numeric and piece.words[index + 1].numeric
            if min(end, river_end) > max(start, river_start) and (both_numbers or end - start > wide):
                cuts.append(index + 1)
    return [
        Piece(piece.words[start:end]) for start, end in pairwise([*cuts, len(piece.words)]) if end > start
    ]
