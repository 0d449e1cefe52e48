"""Tells what kind of document it is, by the words of its headings."""

from __future__ import annotations

import re
from functools import cache

from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.reading.printed import fold
from docagent.words import words

TRADE = frozenset(
    {"invoice", "proforma invoice", "credit note", "receipt", "order", "purchase order", "order confirmation"}
    | {"quote", "contract", "delivery note", "reminder"}
)
_HEAD_ROWS = 40
_LONGEST_HEADING = 9
_WEAKEST = 1.0
_LONGEST_TRADE = 30
"""In pages."""
_NO_TRADE = frozenset({"report", "resume", "minutes"})


def document_kind(sheet: Sheet) -> str | None:
    """Return the kind that the headings name most clearly, or None."""
    scores: dict[str, float] = {}
    for row in sheet.rows[:_HEAD_ROWS]:
        for segment in row:
            if segment.page == 0:
                for kind, weight in _named(segment, sheet):
                    scores[kind] = scores.get(kind, 0.0) + weight
    ranked = sorted(scores, key=lambda kind: -scores[kind])
    return ranked[0] if ranked and scores[ranked[0]] >= _WEAKEST else None


def may_be_trade(sheet: Sheet) -> bool:
    """Return whether the document can be a paper of trade: no book, and none that calls itself a report or resume."""
    return len(sheet.page_sizes) <= _LONGEST_TRADE and document_kind(sheet) not in _NO_TRADE


def names_kind(segment: Segment, sheet: Sheet) -> bool:
    """Return whether the segment is a heading that says what kind of document it is."""
    return bool(_named(segment, sheet))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {kind: _pattern([fold(name) for name in names]) for kind, names in words("kinds").items()}


def _pattern(names: list[str]) -> re.Pattern[str]:
    spellings = {*names, *(name.replace(" ", "") for name in names)}
    longest_first = sorted(map(re.escape, spellings), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")


def _named(segment: Segment, sheet: Sheet) -> list[tuple[str, float]]:
    parts, text = segment.text.split(), fold(segment.text)
    if len(parts) > _LONGEST_HEADING:
        return []
    found = [
        (match.start(), -len(match[0]), kind)
        for kind, regex in _patterns().items()
        if (match := regex.search(text))
    ]
    if not found:
        return []
    names_itself = found[0][0] == 0 and any(map(str.isdigit, text))
    weight = 1.0 if len(parts) <= 3 or names_itself else 0.6
    weight += 1.5 if segment.height > 1.3 * sheet.height else 0.0
    weight += 1.0 if segment.text.isupper() and len(parts) <= 3 else 0.0
    weight += 0.5 if segment.row < 6 else 0.0
    return [(min(found, key=lambda one: (one[1], one[0]))[2], weight)]
