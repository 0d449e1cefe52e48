"""Finds to whom a letter is written: the first line between its date and its salutation."""

from __future__ import annotations

import re

from docagent.builtin_model.sheet import Sheet

_HEAD_ROWS = 40
_SALUTATION = re.compile(
    r"(?i)(?:dear|ladies and gentlemen|gentlemen|sehr geehrte|madame|monsieur|estimad|egregi|gentile|caro|exmo|geachte"
    r"|szanown|vážen|bästa|hej)\b"
)
_LONGEST_BLOCK = 10


def addressee_of(sheet: Sheet) -> str | None:
    """Return the first line of the letter's address, or None if the document is no letter."""
    rows = [" ".join(segment.text for segment in row) for row in sheet.rows[:_HEAD_ROWS]]
    greeting = next((place for place, text in enumerate(rows) if _SALUTATION.match(text)), None)
    if greeting is None:
        return None
    for place in range(greeting - 1, max(greeting - _LONGEST_BLOCK, 0) - 1, -1):
        if any(segment.dates for segment in sheet.rows[place]):
            return rows[place + 1].strip(" ,") if place + 1 < greeting else None
    return None
