"""Tells tables from prose in columns, which looks like a table if one only measures."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from docagent.reading.layout.columns import covered_columns
from docagent.reading.layout.regions import Interval
from docagent.reading.layout.rows import Placed, Row, is_value

_FEWEST_LINES = 4
_WORDS_A_LINE = 3.7
_FILL = 0.66
_FIGURES = 0.2
_NARROWEST = 9.0
_OFF_THE_LINE = 0.12
_MISALIGNED_ROWS = 0.3


@dataclass(frozen=True, slots=True)
class _Column:
    """The words of one column, row by row. A justified line may come in several pieces."""

    lines: dict[int, list[Placed]]
    width: float

    def is_prose(self, height: float) -> bool:
        lines = self.lines.values()
        return (
            len(lines) >= _FEWEST_LINES
            and self.width >= _NARROWEST * height
            and fmean(len(words) for words in lines) >= _WORDS_A_LINE
            and fmean(max(word.right for word in words) - words[0].left for words in lines)
            >= _FILL * self.width
            and sum(is_value(words) for words in lines) <= _FIGURES * len(lines)
        )

    def has_figures(self) -> bool:
        return 2 * sum(is_value(words) for words in self.lines.values()) > len(self.lines)


def prose_gutter(rows: list[Row], columns: list[Interval], height: float) -> float | None:
    """Return where to cut prose beside prose, or prose beside lines at other heights. None if there is neither."""
    parts = [_Column({}, right - left) for left, right in columns]
    for number, row in enumerate(rows):
        for piece in row.pieces:
            covered = covered_columns(piece, columns)
            if len(covered) == 1:
                parts[covered.start].lines.setdefault(number, []).extend(piece.words)
    prose = [part.is_prose(height) for part in parts]
    if not any(prose):
        return None
    for index in range(len(columns) - 1):
        beside_prose = prose[index] or prose[index + 1]
        labels_of_figures = prose[index] and parts[index + 1].has_figures()
        if all(prose) or (
            beside_prose and not labels_of_figures and _misaligned(parts[index], parts[index + 1], height)
        ):
            return (columns[index][1] + columns[index + 1][0]) / 2
    return None


def _misaligned(left: _Column, right: _Column, height: float) -> bool:
    """Return whether the lines of the two columns stand at different heights."""
    offsets = [
        abs(_middle(words) - _middle(right.lines[number]))
        for number, words in left.lines.items()
        if number in right.lines
    ]
    off = sum(offset > _OFF_THE_LINE * height for offset in offsets)
    return bool(offsets) and off >= _MISALIGNED_ROWS * len(offsets)


def _middle(words: list[Placed]) -> float:
    return fmean((word.top + word.bottom) / 2 for word in words)
