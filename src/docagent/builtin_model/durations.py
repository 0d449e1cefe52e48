"""Lengths of time as contracts write them: `3 years`, `three (3) years`, `einem Jahr`, `36-month`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from docagent.builtin_model import duration_words
from docagent.reading.printed import fold


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
    spelled = "|".join(sorted(map(re.escape, _spellings()), key=len, reverse=True))
    units = "|".join(
        sorted(
            {word for names in duration_words.UNITS.values() for word in names.split()}, key=len, reverse=True
        )
    )
    return re.compile(
        rf"(?<![\w.,/-])(?:(?P<spelled>{spelled})(?:\s*\(\s*(?P<both>\d{{1,3}})\s*\))?|\(?(?P<digits>\d{{1,3}})\)?)"
        rf"[\s-]+(?P<unit>{units})(?!\w)(?!\s+\d{{4}}\b)",
        re.IGNORECASE,
    )


@cache
def _spellings() -> list[str]:
    return [word for names in duration_words.NUMBERS.values() for word in names.split()]


@cache
def _counts() -> dict[str, int]:
    return {fold(word): number for number, names in duration_words.NUMBERS.items() for word in names.split()}


@cache
def _units() -> dict[str, str]:
    return {fold(word): unit for unit, names in duration_words.UNITS.items() for word in names.split()}
