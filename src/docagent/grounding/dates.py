"""Dates as they are printed: any order of day, month and year, month names of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from docagent.grounding.normal import fold

Day = tuple[int, int, int]
"""Year, month, day; the day is 0 when only a month is named."""

_MONTH_NAMES = """
    1 january jan janvier janv januar jänner enero ene gennaio gen januari janeiro styczeń stycznia sty leden ledna
    2 february feb février févr fév februar febrero febbraio februari fevereiro fev luty lutego lut únor února
    3 march mar mars märz mrz marzo maart mrt março marzec marca březen března
    4 april apr avril avr abril abr aprile kwiecień kwietnia kwi duben dubna
    5 may mai mayo maggio mag mei maio maj maja květen května
    6 june jun juin juni junio giugno giu junho czerwiec czerwca cze červen června
    7 july jul juillet juil juli julio luglio lug julho lipiec lipca lip červenec července
    8 august aug août aou agosto ago augustus sierpień sierpnia sie srpen srpna augusti
    9 september sep sept septembre septiembre settembre set setembro wrzesień września wrz září
    10 october oct octobre oktober okt octubre ottobre ott outubro out październik października paź říjen října
    11 november nov novembre noviembre novembro listopad listopada lis listopadu
    12 december dec décembre déc dezember dez diciembre dic dicembre desember dezembro grudzień grudnia gru prosinec
"""
_MONTHS = {
    fold(name): int(number)
    for number, *names in (line.split() for line in _MONTH_NAMES.strip().splitlines())
    for name in names
}
_NAME = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_ORDINAL = r"(?:st|nd|rd|th|er|\.|º|ª)?"
_YEAR = r"(?:'|\u2019)?(?P<year>\d{4}|\d{2})"
_GAP = r"[\s,./-]{0,3}"
_FORMS = tuple(
    re.compile(form, re.VERBOSE | re.IGNORECASE)
    for form in (
        r"(?<![\d])(?P<year>\d{4})\s?(?P<mark>[-/.])\s?(?P<month>\d{1,2})\s?(?P=mark)\s?(?P<day>\d{1,2})(?!\d)",
        r"(?<![\d.,])(?P<first>\d{1,2})\s?(?P<mark>[-/.])\s?(?P<second>\d{1,2})\s?(?P=mark)\s?(?P<year>\d{4}|\d{2})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){_ORDINAL}\s?(?:de\s|of\s|-|/|\.)?\s?(?P<name>{_NAME})\.?{_GAP}(?:de\s|del\s)?{_YEAR}(?!\d)",
        rf"(?<![^\W\d_])(?P<name>{_NAME})\.?{_GAP}(?P<day>\d{{1,2}}){_ORDINAL}(?:\s|,|-|/){{1,3}}{_YEAR}(?!\d)",
        rf"(?<!\d)(?P<year>\d{{4}}){_GAP}(?P<name>{_NAME})\.?{_GAP}(?P<day>\d{{1,2}})(?!\d)",
        r"(?<!\d)(?P<year>\d{4})\s?[\u5e74\ub144]\s?(?P<month>\d{1,2})\s?[\u6708\uc6d4]\s?(?P<day>\d{1,2})\s?[\u65e5\uc77c]",
        r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        r"(?<![\d.,/-])(?P<first>\d{1,2})\s(?P<second>\d{1,2})\s(?P<year>(?:19|20)\d{2})(?![\d.,/-])",
    )
)
_MONTH_FORMS = tuple(
    re.compile(form, re.VERBOSE | re.IGNORECASE)
    for form in (
        rf"(?<![^\W\d_])(?P<name>{_NAME})\.?{_GAP}(?:de\s)?(?P<year>(?:19|20)\d{{2}})(?!\d)",
        r"(?<![\d/.-])(?P<month>0?[1-9]|1[0-2])\s?[/.-]\s?(?P<year>(?:19|20)\d{2})(?![\d/.-])",
        r"(?<![\d/.-])(?P<year>(?:19|20)\d{2})-(?P<month>0[1-9]|1[0-2])(?![\d/.-])",
        r"(?<!\d)(?P<year>\d{4})\s?\u5e74\s?(?P<month>\d{1,2})\s?\u6708",
    )
)
_TIME = re.compile(
    r"[T\s](\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2}|[ap]\.?m\.?)?$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_DAYS_OF_MONTH = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Order(Enum):
    """Which of two small numbers is the day."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Printed:
    """A date in a text: what it may mean, whether day and month could be exchanged, and where it stands."""

    days: tuple[Day, ...]
    start: int
    end: int
    first_number: int = 0
    second_number: int = 0
    """Both numbers when their order is not told by the form; otherwise 0."""

    def read_as(self, order: Order) -> tuple[Day, ...]:
        """The meanings that a document's usual order leaves."""
        if order is Order.UNKNOWN or not self.first_number:
            return self.days
        day, month = (
            (self.first_number, self.second_number)
            if order is Order.DAY_FIRST
            else (self.second_number, self.first_number)
        )
        kept = tuple(each for each in self.days if each[1:] == (month, day))
        return kept or self.days


def find_dates(text: str) -> Iterator[Printed]:
    """Every date in the text, months without a day included; `text` may span lines."""
    if not _DIGIT.search(text):
        return
    taken: list[tuple[int, int]] = []
    for forms, is_whole in ((_FORMS, True), (_MONTH_FORMS, False)):
        for form in forms:
            for match in form.finditer(text):
                start, end = match.span()
                if any(start < other_end and other_start < end for other_start, other_end in taken):
                    continue
                found = _read(match, start, end)
                if found is not None:
                    taken.append((start, end))
                    yield found
        if not is_whole:
            return


def parse_date(text: str) -> tuple[Printed, str | None] | None:
    """The whole text as one date, and the time of day behind it, if any."""
    text = fold_months(text.strip())
    time = _TIME.search(text)
    if time is not None:
        text = text[: time.start()]
    for found in find_dates(text):
        if found.start == 0 and found.end == len(text):
            return found, time and time[1]
    return None


def fold_months(text: str) -> str:
    """Without accents, letter by letter, so that places in the text stay what they are."""
    return text if text.isascii() else "".join(_single(character) for character in text)


def _single(character: str) -> str:
    folded = fold(character)
    return folded if len(folded) == 1 else character


def order_of(dates: list[Printed]) -> Order:
    """The order that the clear dates of a document tell, when they agree."""
    day_first = sum(1 for date in dates if date.first_number > 12)
    month_first = sum(1 for date in dates if date.second_number > 12)
    if day_first and not month_first:
        return Order.DAY_FIRST
    if month_first and not day_first:
        return Order.MONTH_FIRST
    return Order.UNKNOWN


def _read(match: re.Match[str], start: int, end: int) -> Printed | None:
    parts = match.groupdict()
    years = _years(parts["year"])
    if parts.get("first"):
        first, second = int(parts["first"]), int(parts["second"])
        pairs = {(second, first), (first, second)}
        days = tuple(
            (year, month, day) for year in years for month, day in sorted(pairs) if _exists(month, day)
        )
        return Printed(days, start, end, first, second) if days else None
    month = _MONTHS[fold(parts["name"])] if parts.get("name") else int(parts["month"])
    day = int(parts.get("day") or 0)
    if not _exists(month, day or 1):
        return None
    return Printed(tuple((year, month, day) for year in years), start, end)


def _years(text: str) -> tuple[int, ...]:
    year = int(text)
    return (year,) if len(text) == 4 else (2000 + year, 1900 + year)


def _exists(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _DAYS_OF_MONTH[month]
