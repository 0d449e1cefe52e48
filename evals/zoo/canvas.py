"""Sheets on which a design draws. They become pages with words at once, or a PDF (pdf.py), or a picture (scan.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from docagent.adapters.parse.pdf.reading_order import arrange
from docagent.adapters.parse.tokens import TEXT, UNITS, words_of_tokens
from docagent.domain.documents.text import CHECKED, UNCHECKED, Line, Page
from docagent.reading.page_codec import Token
from evals.zoo.fonts import glyphs_of, width_of

_WORD = re.compile(r"\[ \]|\S+")
"""A typed box without a tick is one word, as the reader gives it."""


@dataclass(eq=False, frozen=True)
class Mark:
    """One occurrence of a value on the sheets. Its words are found after they have been put into lines."""

    concept: str


@dataclass(frozen=True, slots=True)
class Span:
    """The characters of a run that belong to a mark."""

    start: int
    stop: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Run:
    """Text drawn in one go. `y` is the base line, from the top of the sheet, in points."""

    x: float
    y: float
    text: str
    font: str
    size: float
    spans: tuple[Span, ...] = ()
    grey: float = 0.0
    is_drawing: bool = False
    """Whether it is drawn and no word, as the cross in a box that is one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line, or a filled or empty rectangle if it has a height."""

    left: float
    top: float
    right: float
    bottom: float
    thickness: float = 0.6
    fill: float | None = None
    """The shade of grey of a filled rectangle: 0 is black."""


@dataclass
class Sheet:
    width: float
    height: float
    runs: list[Run] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    check_marks: list[tuple[Rule, bool]] = field(default_factory=list)
    """Drawn boxes that are words with a state, as the reader gives them."""


@dataclass(frozen=True, slots=True)
class WordAt:
    """A word by its page's number and its place among the page's words."""

    page: int
    word: int


def read_sheets(sheets: Sequence[Sheet]) -> tuple[list[Page], dict[Mark, tuple[WordAt, ...]]]:
    """Return the pages that a reader would give for the sheets, and the words of each mark in reading order."""
    pages: list[Page] = []
    marked: dict[Mark, list[WordAt]] = {}
    for number, sheet in enumerate(sheets, start=1):
        tokens, marks = _tokens(sheet)
        lines = arrange(tokens, sheet.width, sheet.height)
        read = [token for line in lines for token in line]
        for index, token in enumerate(read):
            for mark in marks.get(id(token), ()):
                marked.setdefault(mark, []).append(WordAt(number, index))
        pages.append(
            Page(
                number, sheet.width, sheet.height, tuple(Line(tuple(words_of_tokens(line))) for line in lines)
            )
        )
    return pages, {mark: tuple(places) for mark, places in marked.items()}


def _tokens(sheet: Sheet) -> tuple[list[Token], dict[int, list[Mark]]]:
    """Return the words in the order in which they were drawn, and the marks of each by its id()."""
    tokens: list[Token] = []
    marks: dict[int, list[Mark]] = {}
    across, down = UNITS / sheet.width, UNITS / sheet.height
    for box, checked in sheet.check_marks:
        sides = (box.left * across, box.top * down, box.right * across, box.bottom * down)
        left, top, right, bottom = (int(side + 0.5) for side in sides)
        tokens.append((CHECKED if checked else UNCHECKED, left, top, right, bottom, 1.0, TEXT))
    for run in sheet.runs:
        if run.is_drawing:
            continue
        glyphs = glyphs_of(run.font)
        for found in _WORD.finditer(run.text):
            start, stop = found.span()
            text = found.group()
            inks = [glyphs[letter] for letter in text]
            first, last = inks[0], inks[-1]
            x = run.x + width_of(run.text[:start], run.font, run.size)
            end = x + sum([ink.width for ink in inks]) * run.size
            token: Token = (
                text,
                int((x + first.left * run.size) * across + 0.5),
                int((run.y - max([ink.top for ink in inks]) * run.size) * down + 0.5),
                int((end - (last.width - last.right) * run.size) * across + 0.5),
                int((run.y - min([ink.bottom for ink in inks]) * run.size) * down + 0.5),
                1.0,
                TEXT,
            )
            tokens.append(token)
            held = [span.mark for span in run.spans if span.start < stop and start < span.stop]
            if held:
                marks[id(token)] = held
    return tokens, marks
