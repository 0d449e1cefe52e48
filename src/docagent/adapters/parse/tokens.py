"""Words as the reading process handles and sends them: plain tuples, some hundreds of thousands to a file.

Coordinates are whole hundred-thousandths of the page as shown. The server makes domain words of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docagent.domain.text import Box, Line, Page, Word, WordSource

UNITS = 100_000

Token = tuple[str, int, int, int, int, float, str]
"""Text, left, top, right, bottom, confidence, source."""

TEXT = WordSource.TEXT.value
WIDGET = WordSource.WIDGET.value
OCR = WordSource.OCR.value
_SOURCES = {source.value: source for source in WordSource}


@dataclass(frozen=True, slots=True)
class TokenPage:
    """A page on its way to the server. Sizes are in points."""

    number: int
    width: float
    height: float
    lines: list[list[Token]]
    note: str | None = None


def token(word: Word) -> Token:
    box = word.box
    return (
        word.text,
        round(box.left * UNITS),
        round(box.top * UNITS),
        round(box.right * UNITS),
        round(box.bottom * UNITS),
        word.confidence,
        word.source.value,
    )


def token_lines(lines: Iterable[Line]) -> list[list[Token]]:
    return [[token(word) for word in line.words] for line in lines]


def words_of_tokens(tokens: Iterable[Token]) -> list[Word]:
    return [
        Word(
            text, Box(left / UNITS, top / UNITS, right / UNITS, bottom / UNITS), confidence, _SOURCES[source]
        )
        for text, left, top, right, bottom, confidence, source in tokens
    ]


def page_of_tokens(page: TokenPage) -> Page:
    lines = tuple(Line(tuple(words_of_tokens(line))) for line in page.lines)
    return Page(page.number, page.width, page.height, lines, page.note)


def cover_each_other(one: Token, other: Token) -> bool:
    """True when two words stand in the same place, so that only one of them can be right."""
    _, left, top, right, bottom, _, _ = one
    _, other_left, other_top, other_right, other_bottom, _, _ = other
    wide = min(right, other_right) - max(left, other_left)
    high = min(bottom, other_bottom) - max(top, other_top)
    smaller = min((right - left) * (bottom - top), (other_right - other_left) * (other_bottom - other_top))
    return wide > 0 and high > 0 and wide * high > 0.4 * smaller
