"""Reads to whom a letter is written."""

from __future__ import annotations

from docagent.builtin_model.page.sheet import Sheet, text_of
from docagent.words import any_of

_HEAD_ROWS = 40
_LONGEST_BLOCK = 10


def addressee_of(sheet: Sheet) -> str | None:
    """Return the first line of the letter's address, or None if the document is no letter."""
    greeting = _greeting(sheet)
    if greeting is None:
        return None
    for place in range(greeting - 1, max(greeting - _LONGEST_BLOCK, 0) - 1, -1):
        if any(segment.dates for segment in sheet.rows[place]):
            return text_of(sheet.rows[place + 1]).strip(" ,") if place + 1 < greeting else None
    return None


def _greeting(sheet: Sheet) -> int | None:
    greetings = any_of("letters", "greetings")
    rows = enumerate(sheet.rows[:_HEAD_ROWS])
    return next((place for place, row in rows if greetings.match(text_of(row))), None)
