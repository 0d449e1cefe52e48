"""Dates as they are printed, in several languages, and the order of day and month a document uses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from docagent.builtin_model.letters import plain

_MONTH_NAMES = (
    "january januar jan janvier janv enero ene gennaio gen januari styczen stycznia",
    "february februar feb fevrier fevr fev febrero febbraio februari luty lutego",
    "march marz maerz mar mrz mars marzo maart mrt marzec marca",
    "april apr avril avr abril abr aprile kwiecien kwietnia",
    "may mai mayo maggio mag mei maj maja",
    "june juni jun juin junio giugno giu czerwiec czerwca",
    "july juli jul juillet juil julio luglio lug lipiec lipca",
    "august aug aout agosto ago augustus sierpien sierpnia",
    "september sept sep septembre septiembre settembre set wrzesien wrzesnia",
    "october oktober oct okt octobre octubre ottobre ott pazdziernik pazdziernika",
    "november nov novembre noviembre listopad listopada",
    "december dezember dec dez decembre diciembre dic dicembre grudzien grudnia",
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = r"(?<![\d/.-])(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d/]|[-.]\d)"
_SLASHES = r"(?<![\d/.,])(?P<a>\d{1,2})\s?(?P<s>[/t])\s?(?P<b>\d{1,2})\s?[/t]\s?(?P<y>\d{4}|\d{2})(?![\d/])"
_DOTS = r"(?<![\d/.,-])(?P<a>\d{1,2})(?P<s>[.-]) ?(?P<b>\d{1,2})(?P=s) ?(?P<y>\d{4}|\d{2})(?![\d/]|\.\d|-\d{1,2}(?!\d))"
_DAY_NAMED_MONTH = (
    rf"(?<![\d/.,-])(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[\s./-]{{0,2}}(?:de\s|of\s)?(?P<n>{_NAME})\b\.?,?"
    r"[\s./-]{0,2}(?:de\s|del\s)?(?P<y>\d{4}|'?\d{2})(?![\d:])"
)
_NAMED_MONTH_DAY = (
    rf"\b(?P<n>{_NAME})\.?[\s-]{{0,2}}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?,\s?|[\s/-]{{1,2}})"
    r"(?P<y>\d{4}|(?:(?<=/)|')\d{2})(?![\d:])"
)
_PATTERNS = tuple(re.compile(text) for text in (_ISO, _SLASHES, _DOTS, _DAY_NAMED_MONTH, _NAMED_MONTH_DAY))
_NUMERIC = _PATTERNS[1:3]
_AMERICAN = re.compile(r"\b[A-Z]{2},? \d{5}(?:-\d{4})?\b|\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b")
_OLDEST_SHORT_YEAR = 60


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text, at the characters `start` to `end`."""

    start: int
    end: int
    value: date


def prefers_day_first(text: str) -> bool:
    """Whether `3/4/20` means the third of April in this document."""
    day_first = month_first = 0
    for found in (match for pattern in _NUMERIC for match in pattern.finditer(text)):
        first, second = int(found["a"]), int(found["b"])
        day_first += 12 < first <= 31 and second <= 12
        month_first += 12 < second <= 31 and first <= 12
    if day_first != month_first:
        return day_first > month_first
    return _AMERICAN.search(text) is None


def find_dates(text: str, *, day_first: bool) -> list[FoundDate]:
    """Every date in the text, from left to right, none overlapping another."""
    searched = plain(text)
    if len(searched) != len(text):
        searched = text.casefold()
    taken: list[FoundDate] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(searched):
            value = _value(match.groupdict(), day_first)
            overlaps = any(match.start() < other.end and other.start < match.end() for other in taken)
            if value is not None and not overlaps:
                taken.append(FoundDate(match.start(), match.end(), value))
    return sorted(taken, key=lambda found: found.start)


def _value(parts: dict[str, str | None], day_first: bool) -> date | None:
    year_text = (parts.get("y") or "").lstrip("'")
    year = int(year_text)
    if len(year_text) == 2:
        year += 1900 if year >= _OLDEST_SHORT_YEAR else 2000
    name = parts.get("n")
    if name is not None:
        return _date(year, _MONTHS[name], int(parts["d"] or 0))
    if parts.get("m") is not None:
        return _date(year, int(parts["m"] or 0), int(parts["d"] or 0))
    first, second = int(parts["a"] or 0), int(parts["b"] or 0)
    day, month = (first, second) if day_first else (second, first)
    if parts.get("s") == ".":
        day, month = first, second
    return _date(year, month, day) or _date(year, day, month)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
