"""Compares where texts part their digits: 2/4/20 is not printed in 04/24/20, nor 2.4 in "2, 4," or in "24"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from docagent.evidence.grounding.normal import confused, plain
from docagent.reading.printed import fold

_DIGITS = re.compile(r"\d+")
_DECIMAL_MARK = re.compile(r"[.,]")
_GROUP_MARK = re.compile(r"[.,' ]")
_SPACES_AND_DASHES = re.compile(r"[\s()+-]+")
_GROUP = 3
_LEAST_ID = 5
"""So many digits may be printed in groups, with spaces and dashes, although the value has none."""
_LONGER_THAN_A_DATE = 9
"""In so many digits, what parts them is only a matter of style, unless it is a decimal mark."""
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,/:-]\d+)*(?![^\W_])")


def parts_digits_alike(value: str, printed: str, *, as_confused: bool = False) -> bool:
    """Return whether the printed text has the value's letters and digits, and parts the digits where it does.

    `as_confused` reads letters as the digits that they look like.
    """
    if not _DIGITS.search(value):
        return True
    wanted, wanted_gaps = _characters(value)
    found, found_gaps = _characters(printed)
    runs = [match.span() for match in _DIGITS.finditer(wanted)]
    if as_confused:
        wanted, found = confused(wanted), confused(found)
    return any(
        all(
            _alike(
                _groups(wanted_gaps, start, end),
                _groups(found_gaps, place + start, place + end),
                end - start,
            )
            for start, end in runs
        )
        for place in _places(wanted, found)
        if not _cuts_digits(found, found_gaps, place, place + len(wanted))
    )


def has_same_numbers(value: str, printed: str) -> bool:
    """Return whether both texts have the same numbers, marks included, in any order."""
    return sorted(_numbers(value)) == sorted(_numbers(printed))


def has_numbers_in_order(value: str, recognised: str) -> bool:
    """Return whether the value's numbers are printed in their order, with their marks, if letters may be misread."""
    words = (confused(fold(word)) for word in recognised.split())
    found = (number for word in words for number in _numbers(word))
    # Each search continues after the number that was found last.
    return all(number in found for number in _numbers(value))


def _numbers(text: str) -> Iterator[str]:
    return (_DECIMAL_MARK.sub(".", number) for number in _NUMBER.findall(fold(text)))


def _characters(text: str) -> tuple[str, list[str]]:
    """Return the letters and digits, and what stands before each of them."""
    characters: list[str] = []
    gaps: list[str] = []
    gap = ""
    for character in fold(plain(text)):
        if character.isalnum():
            characters.append(character)
            gaps.append(gap)
            gap = ""
        else:
            gap += character
    return "".join(characters), gaps


def _places(wanted: str, found: str) -> Iterator[int]:
    place = found.find(wanted)
    while place >= 0:
        yield place
        place = found.find(wanted, place + 1)


def _cuts_digits(found: str, gaps: Sequence[str], start: int, end: int) -> bool:
    return any(
        0 < edge < len(found) and found[edge - 1].isdigit() and found[edge].isdigit() and not gaps[edge]
        for edge in (start, end)
    )


def _groups(gaps: Sequence[str], start: int, end: int) -> dict[int, str]:
    """Return what parts the digits of a run, by the place within the run."""
    return {place - start: gaps[place] for place in range(start + 1, end) if gaps[place]}


def _alike(wanted: dict[int, str], found: dict[int, str], length: int) -> bool:
    many = len(wanted) > 1 and len(found) > 1
    for place in wanted.keys() | found.keys():
        one, other = wanted.get(place), found.get(place)
        if one is None or other is None:
            parted, gap = (found, other) if one is None else (wanted, one)
            assert gap is not None
            if not (
                (_GROUP_MARK.fullmatch(gap) and _is_thousand(parted, place, length))
                or (length >= _LONGER_THAN_A_DATE and not _DECIMAL_MARK.fullmatch(gap))
                or (one is None and length >= _LEAST_ID and _SPACES_AND_DASHES.fullmatch(gap))
            ):
                return False
        elif _is_decimal(one) != _is_decimal(other) and not (many and " " not in one + other):
            return False
    return True


def _is_decimal(gap: str) -> bool:
    return _DECIMAL_MARK.fullmatch(gap) is not None


def _is_thousand(gaps: Iterable[int], place: int, length: int) -> bool:
    """Return whether exactly three digits follow the gap, and at most three come before it."""
    edges = [0, *sorted(gaps), length]
    before = next(end - start for start, end in pairwise(edges) if end == place)
    after = next(end - start for start, end in pairwise(edges) if start == place)
    return before <= _GROUP and after == _GROUP
