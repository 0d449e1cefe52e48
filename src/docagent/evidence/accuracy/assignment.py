"""The best way to pair the rows of two tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

MOST_ROWS = 120
"""Beyond so many, pairing would take long: rows are then paired in their order."""


def best_pairs(worth: Sequence[Sequence[float]], rows: int, columns: int) -> list[tuple[int, int]]:
    """Return pairs of row and column with the greatest sum of worth; each is paired at most once. 0 is no pair."""
    if max(rows, columns) > MOST_ROWS:
        return [(number, number) for number in range(min(rows, columns))]
    size = max(rows, columns)
    cost = [
        [-worth[row][column] if row < rows and column < columns else 0.0 for column in range(size)]
        for row in range(size)
    ]
    return [
        (row, column)
        for column, row in enumerate(_cheapest_rows(cost))
        if row < rows and column < columns and worth[row][column] > 0
    ]


def _cheapest_rows(cost: Sequence[Sequence[float]]) -> list[int]:
    """Return the row of each column in the cheapest assignment (Kuhn and Munkres, with potentials).

    Rows and columns are counted from 1 inside: 0 is the column from which a row begins its search.
    """
    size = len(cost)
    of_rows, of_columns = [0.0] * (size + 1), [0.0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0], column = row, 0
        slack, came_from = [inf] * (size + 1), [0] * (size + 1)
        open_columns = set(range(1, size + 1))
        reached = [0]
        while row_of[column]:
            at = row_of[column]
            for other in open_columns:
                reduced = cost[at - 1][other - 1] - of_rows[at] - of_columns[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
            column = min(open_columns, key=slack.__getitem__)
            step = slack[column]
            for used in reached:
                of_rows[row_of[used]] += step
                of_columns[used] -= step
            for other in open_columns:
                slack[other] -= step
            open_columns.discard(column)
            reached.append(column)
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    return [row - 1 for row in row_of[1:]]
