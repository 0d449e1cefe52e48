"""Words as the reading process handles them: plain tuples, since a file may have hundreds of thousands.

Coordinates are whole steps of the page as shown, the same in which pages are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from docagent.domain.documents.text import Box, Line, Word, WordSource
from docagent.reading.page_codec import STEPS, Sides, Token, token

UNITS = STEPS

TEXT = WordSource.TEXT.value
WIDGET = WordSource.WIDGET.value
OCR = WordSource.OCR.value
HIDDEN = WordSource.HIDDEN.value
_SOURCES = {source.value: source for source in WordSource}


@dataclass(frozen=True, slots=True)
class TokenPage:
    """A page that has been read. Sizes are in points."""

    number: int
    width: float
    height: float
    lines: list[list[Token]]
    note: str | None = None
    ruling: Sequence[Sides] = ()
    other_readings: dict[Token, str] = field(default_factory=dict)
    """What a second reader made of words on which two readers disagree."""


def token_readings(readings: Mapping[Word, str]) -> dict[Token, str]:
    return {token(word): reading for word, reading in readings.items()}


def token_lines(lines: Iterable[Line]) -> list[list[Token]]:
    return [[token(word) for word in line.words] for line in lines]


def words_of_tokens(tokens: Iterable[Token]) -> list[Word]:
    return [Word(token[0], box_of(token[1:5]), token[5], _SOURCES[token[6]]) for token in tokens]


def box_of(sides: Sides) -> Box:
    left, top, right, bottom = sides
    return Box(left / UNITS, top / UNITS, right / UNITS, bottom / UNITS)


def has_middle_in(word: Token, sides: Sides) -> bool:
    """Return whether the middle of the word lies in the box."""
    left, top, right, bottom = sides
    return 2 * left <= word[1] + word[3] <= 2 * right and 2 * top <= word[2] + word[4] <= 2 * bottom


def cover_each_other(one: Token, other: Token) -> bool:
    """Return whether two words stand in the same place, so that only one of them can be right."""
    _, left, top, right, bottom, _, _ = one
    _, other_left, other_top, other_right, other_bottom, _, _ = other
    wide = min(right, other_right) - max(left, other_left)
    high = min(bottom, other_bottom) - max(top, other_top)
    smaller = min((right - left) * (bottom - top), (other_right - other_left) * (other_bottom - other_top))
    return wide > 0 and high > 0 and wide * high > 0.4 * smaller
