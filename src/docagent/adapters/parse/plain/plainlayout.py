"""Lays out plain text on A4 pages in a typewriter face. The same text always gives the same pages.

The reader takes words and boxes from this layout, and the PDF for the viewer draws it. So a highlight lies
exactly over its word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docagent.adapters.parse.tokens import TEXT, UNITS
from docagent.reading.page_codec import Token

WIDTH, HEIGHT = 595.28, 841.89
FONT_SIZE = 9.0
_MARGIN = 48.0
_CELL = 0.6 * FONT_SIZE
_LEADING = 1.25 * FONT_SIZE
_ASCENT = 0.8 * FONT_SIZE
_DESCENT = 0.2 * FONT_SIZE
COLUMNS = int((WIDTH - 2 * _MARGIN) / _CELL)
ROWS = int((HEIGHT - 2 * _MARGIN) / _LEADING)

_WORD = re.compile(r"\S+")
_PAGE_BREAK = "\f"


@dataclass(frozen=True, slots=True)
class LaidWord:
    """A word and its position, in points from the top left; y is the baseline."""

    text: str
    x: float
    y: float
    width: float

    def token(self) -> Token:
        across, down = UNITS / WIDTH, UNITS / HEIGHT
        return (
            self.text,
            int(self.x * across),
            int((self.y - _ASCENT) * down),
            int((self.x + self.width) * across),
            int((self.y + _DESCENT) * down),
            1.0,
            TEXT,
        )


def paginate(lines: Iterable[str]) -> list[list[str]]:
    """Split lines into pages. Long lines are broken between words, and only too long words are broken inside."""
    pages: list[list[str]] = [[]]
    for line in lines:
        for position, part in enumerate(line.split(_PAGE_BREAK)):
            if position:
                pages.append([])
            for fitting in _wrapped(part.expandtabs(8).rstrip()):
                if len(pages[-1]) == ROWS:
                    pages.append([])
                pages[-1].append(fitting)
    return pages


def lay_out(page: list[str]) -> Iterator[list[LaidWord]]:
    """Yield the words of each line that has any."""
    for row, line in enumerate(page):
        y = _MARGIN + row * _LEADING + _ASCENT
        words = [
            LaidWord(
                match.group(), _MARGIN + cells(line[: match.start()]) * _CELL, y, cells(match.group()) * _CELL
            )
            for match in _WORD.finditer(line)
        ]
        if words:
            yield words


def cells(text: str) -> int:
    """Return how many cells of the page's grid a text takes."""
    return len(text) if text.isascii() else sum(map(_cells_of_character, text))


def _cells_of_character(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _wrapped(line: str) -> Iterator[str]:
    if cells(line) <= COLUMNS:
        yield line
        return
    current = ""
    for piece in re.findall(r"(?<!\s)\s*\S+", line):
        rest = piece
        if current and cells(current) + cells(rest) > COLUMNS:
            yield current
            current, rest = "", rest.lstrip()
        while cells(current) + cells(rest) > COLUMNS:
            cut = _fitting(rest)
            yield rest[:cut]
            rest = rest[cut:]
        current += rest
    if current:
        yield current


def _fitting(text: str) -> int:
    """Return how many of the text's characters fit into a line."""
    used = 0
    for index, character in enumerate(text):
        used += _cells_of_character(character)
        if used > COLUMNS:
            return max(index, 1)
    return len(text)
