"""Finds the sums and products in a result's numbers: what comes out is hardly misread."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import permutations
from typing import Any

from docagent.domain.extraction.windows import MergeReport, reconcile
from docagent.domain.field_path import ROOT, FieldPath

_MOST_NUMBERS = 12
"""Of one object: among more, sums come out by chance."""
_CENT = Decimal("0.01")


def sums_of(data: Any) -> dict[FieldPath, bool]:
    """Return which numbers come out, by path; `lines.amount` means the whole column of a table.

    Numbers that are part of no sum are left out. False is said only of columns and totals that differ.
    """
    found: dict[FieldPath, bool] = {}
    report = MergeReport()
    if isinstance(data, dict):
        reconcile(data, report)
    for one in report.reconciliations:
        found[one.rows_path] = found.get(one.rows_path, False) or one.agrees
        found[one.total_path] = found.get(one.total_path, False) or one.agrees
    for path, numbers in _objects(data, ROOT):
        for name in _come_out(numbers):
            found[path / name] = True
    return found


def _come_out(numbers: dict[str, Decimal]) -> set[str]:
    """Return the names of numbers of which two make a third: net and tax, or quantity and price."""
    names: set[str] = set()
    if not 3 <= len(numbers) <= _MOST_NUMBERS:
        return names
    for one, other, third in permutations(numbers, 3):
        if one > other:
            continue
        left, right, made = numbers[one], numbers[other], numbers[third]
        product = left != 1 and right != 1 and abs(left * right - made) < _CENT
        if left + right == made or product:
            names |= {one, other, third}
    return names


def _objects(node: Any, path: FieldPath) -> Iterator[tuple[FieldPath, dict[str, Decimal]]]:
    """Yield every object's numbers that are not 0."""
    if isinstance(node, dict):
        numbers = {name: number for name, value in node.items() if (number := _number(value))}
        yield path, numbers
        for name, value in node.items():
            yield from _objects(value, path / name)
    elif isinstance(node, list):
        for position, value in enumerate(node):
            yield from _objects(value, path / position)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
