"""Learns a document's style from its own dates, numbers and signs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docagent.reading.printed.dates import PrintedDate, find_numeric_dates
from docagent.reading.printed.style import Style

_COMMA_DECIMALS = re.compile(r"\d,\d{2}(?!\d)")
_POINT_DECIMALS = re.compile(r"\d\.\d{2}(?![\d.])")
_CLEAR_POINT = re.compile(r"(?<![\d.,])\d+\.\d{1,2}(?!\d|[.,]\d)|\d,\d{3}\.\d")
_CLEAR_COMMA = re.compile(r"(?<![\d.,])\d+,\d{1,2}(?!\d|[.,]\d)|\d\.\d{3},\d")
_ENOUGH = 3
_DISSENT = 20
"""One of so many numbers may be written the other way, and the style still counts as clear."""
_AMERICAN = re.compile(r"\b[A-Z]{2},? \d{5}(?:-\d{4})?\b|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b")
"""An American postal code behind a state, or an American telephone number."""


def told_style(dates: Iterable[PrintedDate], numbers: str) -> Style:
    """Return the style that a document surely has: its clear dates agree, and so do the clear numbers in `numbers`."""
    day_first, month_first = _orders(dates)
    order = None if bool(day_first) is bool(month_first) else bool(day_first)
    point, comma = len(_CLEAR_POINT.findall(numbers)), len(_CLEAR_COMMA.findall(numbers))
    decimal_comma = None
    if point >= _ENOUGH and comma <= point // _DISSENT:
        decimal_comma = False
    elif comma >= _ENOUGH and point <= comma // _DISSENT:
        decimal_comma = True
    return Style(order, decimal_comma)


def likely_style(text: str) -> Style:
    """Return the likeliest style of a document. What the document does not tell is guessed."""
    day_first, month_first = _orders(found for found in find_numeric_dates(text) if found.certain)
    comma = len(_COMMA_DECIMALS.findall(text)) > len(_POINT_DECIMALS.findall(text))
    american = not comma and _AMERICAN.search(text) is not None
    order = day_first > month_first if day_first != month_first else not american
    return Style(order, comma)


def _orders(dates: Iterable[PrintedDate]) -> tuple[int, int]:
    """Count the dates that can only begin with the day, and those that can only begin with the month."""
    told = [found.tells_order for found in dates]
    return told.count(True), told.count(False)
