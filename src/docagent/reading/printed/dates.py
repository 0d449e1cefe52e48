"""Dates as they are printed: any order of day, month and year, and the names of months in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from docagent.reading.printed.folding import fold, fold_keeping_places
from docagent.reading.printed.style import UNTOLD, Style
from docagent.words import words

Day = tuple[int, int, int]
"""Year, month, day; the day is 0 when only a month is named."""

_NAME = r"(?P<name>[^\W\d_]{3,20})"
"""Any word. The languages' months decide whether it is one."""
_ORDINAL = r"(?:\.|(?:st|nd|rd|th|er|o|a)(?![^\W\d_]))?"
_GAP = r"[\s,./-]{0,3}"
_GAP_BEFORE = r"(?:\s-\s(?=[^\W\d_]+\s?-)|[\s./-]{0,2})"
"""Between day and month: `1 - Jul - 31` is a date, `1 - July 31` is not."""
_OF = r"(?:de\s|del\s|of\s)?"
_YEAR = r"(?:(?P<year>\d{4})(?!\d)|['\u2019]?(?P<short>\d{2})(?![\d:]))"
_NUMERIC_YEAR = r"(?:(?P<year>\d{4})|(?P<short>\d{2}))(?!\d)"
_RECENT_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DIGITS, _NAMES, _IDEOGRAPHS, _CENTURIES = "digits", "names", "ideographs", "centuries"


@cache
def _months() -> dict[str, int]:
    return {fold(name): int(number) for number, names in words("months").items() for name in names}


@cache
def _parts() -> dict[str, tuple[str, ...]]:
    """Return what a text must contain to have a date of a form. Most texts do not, and need not be searched."""
    return {
        _NAMES: tuple(sorted({name[:3] for name in _months()})),
        _IDEOGRAPHS: ("\u5e74", "\ub144"),
        _CENTURIES: ("19", "20"),
    }


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to print dates."""

    pattern: re.Pattern[str]
    needs: str

    @property
    def certain(self) -> bool:
        """False for digits that could also be a code, or numbers in columns."""
        return self.needs != _CENTURIES


_PATTERNS = (
    (_DIGITS, r"(?<!\d)(?P<year>\d{4})\s?(?P<mark>[-/.])\s?(?P<month>\d{1,2})\s?(?P=mark)\s?(?P<day>\d{1,2})(?!\d)"),
    (_DIGITS,
     rf"(?<![\d.,])(?P<first>\d{{1,2}})\s?(?P<mark>[-/.])\s?(?P<second>\d{{1,2}})\s?(?P=mark)\s?{_NUMERIC_YEAR}"),
    (_DIGITS, rf"(?<![\d.,])(?P<first>\d{{1,2}})\s?[/t]\s?(?P<second>\d{{1,2}})\s?[/t]\s?{_NUMERIC_YEAR}"),
    (_NAMES, rf"(?<!\d)(?<!\d[/.,])(?P<day>\d{{1,2}}){_ORDINAL}{_GAP_BEFORE}{_OF}{_NAME}\.?{_GAP}{_OF}{_YEAR}"),
    (_NAMES, rf"(?<![^\W\d_]){_NAME}\.?{_GAP}(?P<day>\d{{1,2}}){_ORDINAL}(?P<mark>[\s,/-]{{1,3}}){_YEAR}"),
    (_NAMES, rf"(?<!\d)(?P<year>\d{{4}})(?P<mark>[-/.]?){_NAME}(?P=mark)(?P<day>\d{{1,2}})(?!\d)"),
    (_NAMES, rf"(?<!\d)(?P<year>\d{{4}})[.,]?\s{_NAME}[.,]?\s(?P<day>\d{{1,2}})(?!\d)"),
    (_IDEOGRAPHS,
     r"(?<!\d)(?P<year>\d{4})\s?[\u5e74\ub144]\s?(?P<month>\d{1,2})\s?[\u6708\uc6d4]\s?(?P<day>\d{1,2})\s?[\u65e5\uc77c]"),
    (_CENTURIES, rf"(?<!\d){_RECENT_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
    (_CENTURIES, rf"(?<![\d.,/-])(?P<first>\d{{1,2}})\s(?P<second>\d{{1,2}})\s{_RECENT_YEAR}(?![\d.,/-])"),
    (_NAMES, rf"(?<![^\W\d_]){_NAME}\.?{_GAP}{_OF}{_RECENT_YEAR}(?!\d)"),
    (_CENTURIES, rf"(?<![\d/.-])(?P<month>0?[1-9]|1[0-2])\s?[/.-]\s?{_RECENT_YEAR}(?![\d/.-])"),
    (_CENTURIES, rf"(?<![\d/.-]){_RECENT_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\d/.-])"),
    (_IDEOGRAPHS, r"(?<!\d)(?P<year>\d{4})\s?\u5e74\s?(?P<month>\d{1,2})\s?\u6708"),
)  # fmt: skip
"""Whole dates come before dates without a day: where two forms overlap, the first is taken."""
_FORMS = tuple(_Form(re.compile(pattern), needs) for needs, pattern in _PATTERNS)
_FORMS_THAT_TELL = _FORMS[1:3]
_STUCK_BEFORE = re.compile(r"[\d/.,]$|(?<=[^\W\d_])-$")
_STUCK_AFTER = re.compile(r"/|[.-]\d{1,2}(?![\d./])")
_TIME = re.compile(
    r"[T\s](\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2}|[ap]\.?m\.?)?$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_OLDEST_SHORT_YEAR = 60


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A date in a text: everything it may mean, the likeliest first, at the characters `start` to `end`."""

    days: tuple[Day, ...]
    start: int
    end: int
    first_number: int = 0
    second_number: int = 0
    """Both numbers are 0 unless one of them is the day and the form does not tell which."""
    mark: str = ""
    certain: bool = True
    """False for digits that could also be part of a code, or numbers in columns."""

    @property
    def tells_order(self) -> bool | None:
        """True if only the first number can be the day, False if only the second can, None if it is not clear."""
        if self.first_number > 12:
            return True
        return False if self.second_number > 12 else None

    def in_style(self, style: Style) -> PrintedDate:
        """Return the date with only the meanings that fit the style. A date with points always has the day first."""
        if style.day_first is None or not self.first_number:
            return self
        day, month = self.first_number, self.second_number
        if not style.day_first and self.mark != ".":
            day, month = month, day
        kept = tuple(each for each in self.days if each[1:] == (month, day))
        return replace(self, days=kept) if kept else self

    @property
    def day(self) -> date | None:
        """The likeliest meaning; None if the date has no day."""
        year, month, day = self.days[0]
        return date(year, month, day) if day else None


def find_dates(text: str, style: Style = UNTOLD) -> list[PrintedDate]:
    """Find every date in the text, from left to right, without overlaps. The text may have several lines."""
    if not _DIGIT.search(text):
        return []
    folded = fold_keeping_places(text)
    taken: list[PrintedDate] = []
    covered = bytearray(len(folded.text))
    there = {part for part, any_of in _parts().items() if any(map(folded.text.__contains__, any_of))}
    there.add(_DIGITS)
    for form in _FORMS:
        first = form.pattern.search(folded.text) if form.needs in there else None
        if first is None:
            continue
        for found in _matches(form, first):
            if not any(covered[found.start : found.end]):
                covered[found.start : found.end] = b"\x01" * (found.end - found.start)
                taken.append(found)
    taken.sort(key=lambda found: found.start)
    if folded.places is not None:
        places = [folded.source(found.start, found.end) for found in taken]
        taken = [
            replace(found, start=start, end=end) for found, (start, end) in zip(taken, places, strict=True)
        ]
    return taken if style.day_first is None else [found.in_style(style) for found in taken]


def find_numeric_dates(text: str) -> Iterator[PrintedDate]:
    """Yield the dates that are three numbers. They may tell which of the first two is the day."""
    for form in _FORMS_THAT_TELL:
        yield from _matches(form, form.pattern.search(text.lower()))


def parse_date(text: str) -> tuple[PrintedDate, str | None] | None:
    """Read the whole text as one date, with the time of day behind it, if any; None if it is no date."""
    text = text.strip()
    time = _TIME.search(text)
    if time is not None:
        text = text[: time.start()]
    for found in find_dates(text):
        if found.start == 0 and found.end == len(text):
            return found, time and time[1]
    return None


def _matches(form: _Form, first: re.Match[str] | None) -> Iterator[PrintedDate]:
    """Yield the dates of this form that the calendar has. A date may begin inside a match that is no date."""
    match = first
    while match is not None:
        found = _read(match, certain=form.certain)
        if found is not None:
            yield found
        match = form.pattern.search(match.string, match.end() if found is not None else match.start() + 1)


def _read(match: re.Match[str], *, certain: bool) -> PrintedDate | None:
    parts = {part: text for part, text in match.groupdict().items() if text is not None}
    name = parts.get("name")
    if name is not None and name not in _months():
        return None
    years = _years(parts.get("year"), parts.get("short"))
    first, second = int(parts.get("first") or 0), int(parts.get("second") or 0)
    if "first" in parts:
        pairs = [(second, first), (first, second)] if first != second else [(second, first)]
    else:
        pairs = [(_months()[name] if name else int(parts["month"]), int(parts.get("day", 0)))]
    if "day" in parts or "first" in parts:
        pairs = [(month, day) for month, day in pairs if day]
    days = tuple((year, *pair) for year in years for pair in pairs if _exists(year, *pair))
    if not days:
        return None
    mark = parts.get("mark", "")
    certain = certain and _stands_free(match, mark) and not _may_be_columns(match, mark)
    return PrintedDate(days, *match.span(), first, second, mark, certain)


def _stands_free(match: re.Match[str], mark: str) -> bool:
    """True unless the date is part of something longer, such as a code: `INV-2024-03-05`, `10.03.2024.17`."""
    text, start, end = match.string, match.start(), match.end()
    if mark == "-" and "-" in (text[start - 1 : start], text[end : end + 1]):
        return False
    return not _STUCK_BEFORE.search(text, max(start - 2, 0), start) and not _STUCK_AFTER.match(text, end)


def _may_be_columns(match: re.Match[str], mark: str) -> bool:
    """True for `May 5 10`, which may be two columns. `May 5/10`, `May 5, 10` and `May 5 '10` are dates."""
    return mark.isspace() and match["short"] is not None and match.string[match.start("short") - 1].isspace()


def _years(full: str | None, short: str | None) -> tuple[int, ...]:
    if full is not None:
        return (int(full),)
    year = int(short or 0)
    return (1900 + year, 2000 + year) if year >= _OLDEST_SHORT_YEAR else (2000 + year, 1900 + year)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day or 1)
    except ValueError:
        return False
    return True
