"""The words of a document as rows of segments. A segment is a run of words without a wide gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from docagent.builtin_model.page.marks import Mark, marks_of
from docagent.builtin_model.page.meant import FoundDate, dates_in, numbers_in
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.reading.layout import Piece, line_height, place_words, rows_of, upright
from docagent.reading.printed import Atom, PrintedNumber, Style, atoms_of, likely_style

_LONGEST_WORD = 200
_ASKEW = 0.3
"""The share of their height that two segments must have in common to stand side by side."""

_WHOLE = re.compile(r"[A-Z$€£]{0,3}\d{1,4}[.,]")
_DECIMALS = re.compile(r"\d{2}")
"""The second part of a number such as `65.20`, which recognition cuts at the point."""


@dataclass(frozen=True)
class Segment:
    """A run of words. Positions are in points from the top left of its page."""

    page: int
    row: int
    """The number of the row, counted through the whole document."""
    place: int
    """The number of the segment in its row, from the left."""
    text: str
    left: float
    top: float
    right: float
    bottom: float
    starts: tuple[int, ...]
    """Where each word begins in the text."""
    lefts: tuple[float, ...]
    confidence: float
    style: Style = field(repr=False)

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def stands_over(self, other: Segment) -> bool:
        """Return whether the two have a part of the page's width in common."""
        return self.left < other.right and self.right > other.left

    @cached_property
    def atoms(self) -> list[Atom]:
        return atoms_of(self.text, misread=self.confidence < 1)

    @cached_property
    def meanings(self) -> frozenset[str]:
        return frozenset(atom.meaning for atom in self.atoms)

    @cached_property
    def dates(self) -> tuple[FoundDate, ...]:
        return dates_in(self.text, self.style)

    @cached_property
    def amounts(self) -> tuple[PrintedNumber, ...]:
        return numbers_in(self.text, self.style)

    def left_at(self, character: int) -> float:
        """Return where on the page the word with this character of the text begins."""
        word = sum(start <= character for start in self.starts) - 1
        return self.lefts[max(word, 0)]


@dataclass(frozen=True)
class Sheet:
    """A whole document in rows of segments."""

    rows: list[list[Segment]]
    style: Style
    page_sizes: list[tuple[float, float]]
    height: float
    """The usual height of a line."""
    marks: tuple[Mark, ...] = ()

    @cached_property
    def segments(self) -> list[Segment]:
        return [segment for row in self.rows for segment in row]

    @cached_property
    def _by_meaning(self) -> dict[str, list[Segment]]:
        found: dict[str, list[Segment]] = {}
        for segment in self.segments:
            for meaning in segment.meanings:
                found.setdefault(meaning, []).append(segment)
        return found

    def with_meanings(self, meanings: Iterable[str]) -> list[Segment]:
        """Return the segments with at least one of the meanings, in reading order."""
        places = {
            (one.row, one.place): one for meaning in meanings for one in self._by_meaning.get(meaning, ())
        }
        return [places[place] for place in sorted(places)]

    @cached_property
    def text(self) -> str:
        return "\n".join("  ".join(segment.text for segment in row) for row in self.rows)

    @cached_property
    def running_text(self) -> str:
        """The document's words in one line."""
        return " ".join(self.text.split())

    def after(self, segment: Segment) -> list[Segment]:
        """Return the segments to the right at the same height, nearest first. Rows may be printed a little askew."""
        near = self.rows[max(segment.row - 1, 0) : segment.row + 2]
        beside = [
            one
            for row in near
            for one in row
            if one.page == segment.page
            and one.left >= segment.right - 1
            and _shared_height(one, segment) > _ASKEW
        ]
        own = [one for one in beside if one.row == segment.row]
        return own + sorted((one for one in beside if one.row != segment.row), key=lambda one: one.left)

    def rows_below(self, segment: Segment, most: int) -> list[list[Segment]]:
        """Return the next rows on the same page."""
        return [
            row for row in self.rows[segment.row + 1 : segment.row + 1 + most] if row[0].page == segment.page
        ]


def text_of(row: Sequence[Segment]) -> str:
    """Return the words of a row."""
    return " ".join(segment.text for segment in row)


def _shared_height(one: Segment, other: Segment) -> float:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared / max(min(one.height, other.height), 0.1)


@dataclass(frozen=True)
class Upright:
    """A document as somebody turns it to read it, and its rows."""

    pages: list[Page]
    sheet: Sheet


_MOST_KEPT = 4
_LONGEST_KEPT = 60
"""In pages. Longer documents take long to read anyway, and much memory."""
_LAST: dict[tuple[int, ...], tuple[Sequence[Page], Upright]] = {}
"""Rules and learning read the same document one after the other. The pages are kept, so their ids stay theirs."""


def upright_of(pages: Sequence[Page]) -> Upright:
    """Return the document upright and in rows. The last ones are kept for who asks for the same pages again."""
    key = tuple(map(id, pages))
    known = _LAST.get(key)
    if known is not None:
        return known[1]
    turned = [upright(page) for page in pages]
    document = Upright(turned, sheet_of(turned))
    if len(pages) <= _LONGEST_KEPT:
        _LAST[key] = (tuple(pages), document)
        for oldest in list(_LAST)[:-_MOST_KEPT]:
            _LAST.pop(oldest, None)
    return document


def sheet_of(pages: Sequence[Page]) -> Sheet:
    """Put the words of the pages into rows, and find out how the document writes dates and numbers."""
    pages = [upright(page) for page in pages]
    text = "\n".join(page.text for page in pages)
    style = likely_style(text)
    rows: list[list[Segment]] = []
    heights = []
    for index, page in enumerate(pages):
        words = place_words(_levelled(_clipped(page)))
        if words:
            heights.append(line_height(words))
        for row in rows_of(words):
            rows.append(
                [_segment(piece, index, len(rows), place, style) for place, piece in enumerate(row.pieces)]
            )
    sizes = [(page.width, page.height) for page in pages]
    return Sheet(rows, style, sizes, max(heights, default=10.0), marks_of(pages))


def _clipped(page: Page) -> Page:
    """Cut off the ends of endless words: nobody prints such words, and reading them takes time."""
    if all(len(word.text) <= _LONGEST_WORD for word in page.words):
        return page
    lines = (
        Line(tuple(replace(word, text=word.text[:_LONGEST_WORD]) for word in line.words))
        for line in page.lines
    )
    return replace(page, lines=tuple(lines))


def _levelled(page: Page) -> Page:
    """Give recognised words the height of their lines, as recognition finds lines better than the edges of words."""
    lines = []
    for line in page.lines:
        if line.words[0].source is not WordSource.OCR:
            lines.append(line)
            continue
        top = median(word.box.top for word in line.words)
        bottom = median(word.box.bottom for word in line.words)
        words: list[Word] = []
        for word in line.words:
            level = replace(word, box=Box(word.box.left, top, word.box.right, bottom))
            if words and _WHOLE.fullmatch(words[-1].text) and _DECIMALS.fullmatch(word.text):
                level = replace(level, text=words[-1].text + word.text, box=words[-1].box.union(level.box))
                words.pop()
            words.append(level)
        lines.append(Line(tuple(words)))
    return replace(page, lines=tuple(lines))


def _segment(piece: Piece, page: int, row_number: int, place: int, style: Style) -> Segment:
    text = ""
    starts = []
    for placed in piece.words:
        word = placed.word
        text += " " if text else ""
        starts.append(len(text))
        text += word.text
    return Segment(
        page,
        row_number,
        place,
        text,
        piece.left,
        min(placed.top for placed in piece.words),
        piece.right,
        max(placed.bottom for placed in piece.words),
        tuple(starts),
        tuple(placed.left for placed in piece.words),
        min(placed.word.confidence for placed in piece.words),
        style,
    )
