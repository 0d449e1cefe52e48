"""Finds the row of the document that each item of a list comes from: in order, and a row of its own for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.locating import Option

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
        rank_of = self._rank
        anywhere = max(before, key=before.__getitem__)
        above = sorted(before, key=rank_of.__getitem__)
        reached: dict[int, tuple[float, int | None]] = {}
        nearest, nearest_line = float("-inf"), None
        highest, highest_line = float("-inf"), None
        taken = 0
        for line in sorted(item, key=rank_of.__getitem__):
            rank = rank_of[line]
            while taken < len(above) and rank_of[above[taken]] < rank:
                earlier = above[taken]
                score = before[earlier]
                if score + _STEP * rank_of[earlier] > nearest:
                    nearest, nearest_line = score + _STEP * rank_of[earlier], earlier
                if score > highest:
                    highest, highest_line = score, earlier
                taken += 1
            best, came_from = nearest - _STEP * rank, nearest_line
            if highest - _JUMP > best:
                best, came_from = highest - _JUMP, highest_line
            back = before[anywhere] - (_SHARED if anywhere == line else _BACK)
            if back > best:
                best, came_from = back, anywhere
            if line in before and before[line] - _SHARED > best:
                best, came_from = before[line] - _SHARED, line
            reached[line] = (best + item[line], came_from)
        return reached


def _row(index: DocumentIndex, line: range) -> Row:
    boxes = [index.boxes[number] for number in line]
    middles = sorted((box[1] + box[3]) / 2 for box in boxes)
    heights = sorted(box[3] - box[1] for box in boxes)
    return Row(index.page_of[line.start], middles[len(middles) // 2], max(heights[len(heights) // 2], 1.0))
