"""The one meaning of dates and numbers in a document's style; the reader of printed values keeps them all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from docagent.reading.printed import PrintedNumber, Style, find_dates, find_numbers, parse_number

_COUNTED = re.compile(r"(?P<count>\d{1,4}(?:[.,]\d{1,3})?)[^\W\d_]{1,5}\.?")
_REMEMBERED = 4096
"""Every field asks the same segments."""


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text, at the characters `start` to `end`."""

    start: int
    end: int
    value: date


@lru_cache(maxsize=_REMEMBERED)
def dates_in(text: str, style: Style) -> tuple[FoundDate, ...]:
    """Every whole date that can be nothing else."""
    return tuple(
        FoundDate(found.start, found.end, found.day)
        for found in find_dates(text, style)
        if found.certain and found.day is not None
    )


@lru_cache(maxsize=_REMEMBERED)
def numbers_in(text: str, style: Style) -> tuple[PrintedNumber, ...]:
    """Every number that is no percentage and no part of a date."""
    numbers = [found for found in find_numbers(text, style) if not found.percent]
    dates = dates_in(text, style) if numbers else ()
    return tuple(
        number
        for number in numbers
        if not any(number.start < day.end and day.start < number.end for day in dates)
    )


def counted_in(text: str, style: Style) -> PrintedNumber | None:
    """Return the number of a word that is a count and its unit in one piece, such as `10pcs`."""
    match = _COUNTED.fullmatch(text)
    return parse_number(match["count"], style) if match else None
