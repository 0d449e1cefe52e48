"""Lengths of time as contracts write them: `3 years`, `three (3) years`, `einem Jahr`, `36-month`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from docagent.reading.printed import fold
from docagent.words import Section, words


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in a text, at the characters `start` to `end`."""

    count: int
    unit: str
    """`year`, `month`, `week` or `day`."""
    text: str
    """As it is printed."""
    start: int
    end: int


def durations_in(text: str) -> Iterator[Duration]:
    """Yield every length of time, from left to right. A year alone, as in `fiscal year 2007`, is none."""
    for match in _pattern().finditer(text):
        digits, spelled = match["both"] or match["digits"], match["spelled"]
        count = int(digits) if digits else _counts()[fold(spelled)]
        yield Duration(count, _units()[fold(match["unit"])], match[0], match.start(), match.end())


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.,/-])(?:(?P<spelled>{_any('numbers')})(?:\s*\(\s*(?P<both>\d{{1,3}})\s*\))?"
        rf"|\(?(?P<digits>\d{{1,3}})\)?)[\s-]+(?P<unit>{_any('durations')})(?!\w)(?!\s+\d{{4}}\b)",
        re.IGNORECASE,
    )


def _any(section: Section) -> str:
    every = {re.escape(word) for some in words(section).values() for word in some}
    return "|".join(sorted(every, key=len, reverse=True))


@cache
def _counts() -> dict[str, int]:
    return {fold(word): int(number) for number, some in words("numbers").items() for word in some}


@cache
def _units() -> dict[str, str]:
    return {fold(word): unit for unit, some in words("durations").items() for word in some}
