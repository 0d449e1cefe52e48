"""Judges a receipt's total by its other figures: cash less change, and sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.values.candidates import Candidate

_PAID_LESS_CHANGE = 0.35
_SEEN_AGAIN = 0.04
_MOST_SEEN = 3


def weigh_totals(sheet: Sheet, totals: list[Candidate]) -> list[Candidate]:
    """Give candidates more weight if they equal cash less change, or if the same amount appears elsewhere."""
    amounts = [
        amount.value for segment in sheet.segments for amount in segment.amounts if amount.decimals == 2
    ]
    paid = list(_amounts_beside(sheet, "cash"))
    change = list(_amounts_beside(sheet, "change"))
    differences = {given - back for given in paid for back in change}
    known = any(one.value in differences for one in totals)
    weighed = []
    for one in totals:
        more = (_PAID_LESS_CHANGE if one.value in differences else -_PAID_LESS_CHANGE) if known else 0.0
        more += _SEEN_AGAIN * min(sum(amount == one.value for amount in amounts) - 1, _MOST_SEEN)
        weighed.append(replace(one, score=one.score * (1 + more)))
    return sorted(weighed, key=lambda one: -one.score)


def _amounts_beside(sheet: Sheet, meaning: str) -> Iterator[Decimal]:
    for row in sheet.rows:
        if any(meaning in segment.meanings for segment in row):
            yield from (amount.value for segment in row for amount in segment.amounts)
