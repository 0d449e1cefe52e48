"""Finds the lines of a table by arithmetic alone: quantity times price, less a printed percentage, is the amount.

Three columns in which this holds are voted for by all lines that have it. Dates and percentages are no factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from docagent.builtin_model.page.meant import counted_in
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.reading.printed import find_numbers

CENT = Decimal("0.02")
_ROUNDED = Decimal("0.005")
_HARDLY_ANYTHING = Decimal("0.002")
_ALIGNED = 1.0
"""In line heights."""
_MOST_FIGURES = 12
_MOST_TRIPLES = 600
_LEAST_SUM = 100
"""A whole number below it is a product too often by chance."""
_HARDLY = 0.25
"""What a line counts that is a product of anything: once nothing is itself."""
_ENOUGH = 1.25


@dataclass(frozen=True)
class Figure:
    """A printed number, where it stands, and the characters of its segment that are its own."""

    value: Decimal
    left: float
    right: float
    segment: Segment
    start: int
    end: int


@dataclass(frozen=True)
class ProductLine:
    """A line with two factors, in the order printed, and their product."""

    row: int
    figures: tuple[Figure, Figure, Figure]
    telling: bool


def holds(quantity: Decimal, price: Decimal, amount: Decimal, rates: Sequence[Decimal] = ()) -> bool:
    """Return whether quantity times price is the amount, as it is or less a percentage.

    Prices may be rounded, and what is given back has a sign that its factors need not have.
    """
    product, amount = abs(quantity * price), abs(amount)
    allowed = max(CENT, min(abs(quantity) * _ROUNDED, amount * _HARDLY_ANYTHING))
    return abs(product - amount) <= allowed or any(
        0 < rate < 100 and abs(product * (1 - rate / 100) - amount) <= allowed for rate in rates
    )


def rates_in(row: Sequence[Segment]) -> list[Decimal]:
    return [one.value for segment in row for one in find_numbers(segment.text, segment.style) if one.percent]


def product_lines(sheet: Sheet) -> list[ProductLine]:
    """Return the lines of the one table whose columns multiply in the most lines; none if too few tell."""
    found = [line for row in sheet.rows for line in _lines_of(row)][:_MOST_TRIPLES]
    best: tuple[float, list[ProductLine]] = (0.0, [])
    for seed in found:
        alike: dict[int, ProductLine] = {}
        for line in found:
            if _aligned(seed, line, _ALIGNED * sheet.height):
                alike.setdefault(line.row, line)
        votes = sum(1 if line.telling else _HARDLY for line in alike.values())
        if votes > best[0]:
            best = votes, list(alike.values())
    votes, lines = best
    return lines if votes >= _ENOUGH or (votes >= 1 and _stands_elsewhere(sheet, lines)) else []


def _stands_elsewhere(sheet: Sheet, lines: Sequence[ProductLine]) -> bool:
    total = sum((line.figures[2].value for line in lines), Decimal(0))
    rows = {line.row for line in lines}
    return any(
        one.value == total for row in sheet.rows if row[0].row not in rows for s in row for one in s.amounts
    )


def _lines_of(row: Sequence[Segment]) -> Iterator[ProductLine]:
    """Yield the triples of a row in which the last is the product of the others."""
    figures = [figure for segment in row for figure in _figures(segment)][:_MOST_FIGURES]
    if len(figures) < 3:
        return
    rates = rates_in(row)
    for one, other, amount in combinations(figures, 3):
        if _may_be_sum(amount) and holds(one.value, other.value, amount.value, rates):
            telling = not {one.value, other.value} & {0, 1} and amount.value != 0
            yield ProductLine(row[0].row, (one, other, amount), telling)


def _figures(segment: Segment) -> Iterator[Figure]:
    numbers = [(one.value, one.start, one.end) for one in segment.amounts]
    for start in segment.starts:
        word = segment.text[start:].split(" ", 1)[0]
        counted = counted_in(word, segment.style)
        numbers += [(counted.value, start, start + len(word))] if counted else []
    for value, start, end in sorted(numbers, key=lambda one: one[1]):
        after = [left for first, left in zip(segment.starts, segment.lefts, strict=True) if first >= end]
        left, right = segment.left_at(start), min(after) - 0.3 * segment.height if after else segment.right
        yield Figure(value, left, max(left, right), segment, start, end)


def _may_be_sum(figure: Figure) -> bool:
    decimals = -int(figure.value.as_tuple().exponent)
    return decimals == 2 or abs(figure.value) >= _LEAST_SUM


def _aligned(one: ProductLine, other: ProductLine, allowed: float) -> bool:
    return all(
        min(abs(a.left - b.left), abs(a.right - b.right), abs(a.left + a.right - b.left - b.right) / 2)
        <= allowed
        for a, b in zip(one.figures, other.figures, strict=True)
    )


Span = tuple[float, float]


def spans_of(lines: Sequence[ProductLine], sheet: Sheet) -> list[Span]:
    """Return where the columns of the lines are: those of the three figures, and of what stands between them."""
    figures = [_union([line.figures[place] for line in lines]) for place in range(3)]
    others: list[Span] = []
    for line in lines:
        others += [
            span
            for segment in sheet.rows[line.row]
            for span in _around(segment, [one for one in line.figures if one.segment is segment])
        ]
    merged: list[list[float]] = []
    for left, right in sorted(
        span for span in others if not any(_overlap(span, figure) for figure in figures)
    ):
        if merged and left < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], right)
            merged[-1][2] += 1
        else:
            merged.append([left, right, 1])
    usual = [(left, right) for left, right, count in merged if 2 * count >= len(lines)]
    return sorted([*figures, *usual])


def _around(segment: Segment, figures: Sequence[Figure]) -> Iterator[Span]:
    """Yield the parts of a segment that are none of the figures."""
    ends = [*segment.lefts[1:], segment.right]
    words = zip(segment.starts, segment.lefts, ends, strict=True)
    part: list[Span] = []
    for start, left, right in words:
        if any(figure.start <= start < figure.end for figure in figures):
            if part:
                yield part[0][0], part[-1][1]
            part = []
        else:
            part.append((left, right))
    if part:
        yield part[0][0], part[-1][1]


def _union(figures: Sequence[Figure]) -> Span:
    return min(figure.left for figure in figures), max(figure.right for figure in figures)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
