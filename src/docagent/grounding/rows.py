"""Finds the row of the document that each item of a list comes from: in order, and a row of its own for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from docagent.grounding.index import DocumentIndex
from docagent.grounding.locating import Option

_SAME_ROW = 0.6
_ROW_BELOW = 2.4
_ROW_ABOVE = 1.4
_CLOSE_TO_ROW = 0.6
"""In line heights: how far from its row a word may stand. The words of wrapped cells stand further away."""
_STEP = 0.03
_JUMP = 0.6
_BACK = 0.7
_SHARED = 0.9
_MOST_OPTIONS = 400


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the document that an item stands on."""

    page: int
    middle: float
    height: float


class RowFinder:
    """Finds the rows of items. It knows the lines of each page from top to bottom, and which are near each other."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._rows = [_row(index, line) for line in index.lines]
        order = sorted(
            range(len(self._rows)), key=lambda line: (self._rows[line].page, self._rows[line].middle)
        )
        self._rank = {line: rank for rank, line in enumerate(order)}
        self._order = order
        self._bands: dict[int, list[tuple[int, float]]] = {}

    def rows_of(self, items: Sequence[Sequence[Sequence[Option]]]) -> list[Row | None]:
        """Return for each item the row that contains most of its values. An item is the options of each value."""
        lines = self._in_order([self._scores(item) for item in items])
        return [None if line is None else self._rows[line] for line in lines]

    def _scores(self, item: Sequence[Sequence[Option]]) -> dict[int, float]:
        """Return how much of the item each line contains. Values with few places count more."""
        total: dict[int, float] = {}
        for options in item:
            if not options:
                continue
            weight = 1.0 / (1.0 + log2(len(options)) / 2)
            best: dict[int, float] = {}
            for option in options[:_MOST_OPTIONS]:
                for line, nearness in self._band(self._index.line_of[option.words[0]]):
                    worth = weight * nearness * (0.4 + 0.6 * min(1.0, option.score))
                    if worth > best.get(line, 0.0):
                        best[line] = worth
            for line, worth in best.items():
                total[line] = total.get(line, 0.0) + worth
        return total

    def _band(self, line: int) -> list[tuple[int, float]]:
        """Return the lines for which a value on this line counts, and how much it counts."""
        known = self._bands.get(line)
        if known is not None:
            return known
        row, rank = self._rows[line], self._rank[line]
        band = [(line, 1.0)]
        for step in (-1, 1):
            place = rank + step
            while 0 <= place < len(self._order):
                other = self._rows[self._order[place]]
                away = (row.middle - other.middle) / max(row.height, other.height)
                if other.page != row.page or not -_ROW_ABOVE <= away <= _ROW_BELOW:
                    break
                band.append((self._order[place], 0.98 if abs(away) <= _SAME_ROW else _CLOSE_TO_ROW))
                place += step
        self._bands[line] = band
        return band

    def _in_order(self, items: list[dict[int, float]]) -> list[int | None]:
        """Choose a line for each item, so that the sum of scores is highest. Going back or sharing a row costs."""
        ways: list[dict[int, tuple[float, int | None]]] = []
        for item in items:
            before = {line: score for line, (score, _) in ways[-1].items()} if ways else {}
            ways.append(
                self._extended(item, before)
                if item
                else {line: (score, line) for line, score in before.items()}
            )
        chosen: list[int | None] = [None] * len(items)
        line = max(ways[-1], key=lambda each: ways[-1][each][0], default=None) if ways else None
        for number in range(len(items) - 1, -1, -1):
            if line is None or line not in ways[number]:
                break
            chosen[number] = line if items[number] else None
            line = ways[number][line][1]
        return chosen

    def _extended(
        self, item: dict[int, float], before: dict[int, float]
    ) -> dict[int, tuple[float, int | None]]:
        if not before:
            return {line: (score, None) for line, score in item.items()}
        anywhere = max(before, key=lambda line: before[line])
        above = sorted(before, key=lambda line: self._rank[line])
        reached: dict[int, tuple[float, int | None]] = {}
        best: tuple[float, int | None] = (float("-inf"), None)
        best_plain: tuple[float, int | None] = (float("-inf"), None)
        taken = 0
        for line in sorted(item, key=lambda each: self._rank[each]):
            rank = self._rank[line]
            while taken < len(above) and self._rank[above[taken]] < rank:
                earlier = above[taken]
                best = max(
                    best, (before[earlier] + _STEP * self._rank[earlier], earlier), key=lambda way: way[0]
                )
                best_plain = max(best_plain, (before[earlier], earlier), key=lambda way: way[0])
                taken += 1
            ways = [
                (best[0] - _STEP * rank, best[1]),
                (best_plain[0] - _JUMP, best_plain[1]),
                (before[anywhere] - (_SHARED if anywhere == line else _BACK), anywhere),
            ]
            if line in before:
                ways.append((before[line] - _SHARED, line))
            score, earlier_line = max(ways, key=lambda way: way[0])
            reached[line] = (score + item[line], earlier_line)
        return reached


def _row(index: DocumentIndex, line: range) -> Row:
    boxes = [index.boxes[number] for number in line]
    middles = sorted((box[1] + box[3]) / 2 for box in boxes)
    heights = sorted(box[3] - box[1] for box in boxes)
    return Row(index.page_of[line.start], middles[len(middles) // 2], max(heights[len(heights) // 2], 1.0))
