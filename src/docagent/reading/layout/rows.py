"""Puts the words of a page into visual rows, and splits each row at wide gaps into pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docagent.domain.documents.text import Page, Word
from docagent.reading.layout.typeface import type_extents

_PIECE_GAP = 0.8
"""A gap wider than this many line heights separates two pieces. A space in prose is a quarter to a half of one."""
_WIDEST_PIECE_GAP = 1.05
_NUMBER_GAP = 0.42
"""Between two complete numbers a narrower gap is enough: nobody writes them side by side in prose."""
_ENOUGH_SPACES = 24
_LABEL_GAP = 0.4
_ON_END = 1.5
_SAME_PLACE = 2.0
"""Words that overlap by this many points of width stand above each other, not side by side."""
_FILLER = re.compile(r"[.\u2026\u00b7_\-=\u2013\u2014]{3,}|\.{2}")
_NUMBER = re.compile(
    r"[(\[]?[-+\u2212\u2013]?\s?[$\u20ac\u00a3\u00a5]?[-\u2212]?\d[\d,.'\u2019:/]*[%\u2030]?[)\]]?[*\u2020\u2021]?"
)
_NO_VALUE = frozenset({"-", "\u2013", "\u2014", "\u2212", "n/a", "n.a.", "na", "..", "...", "*", "x"})
_CURRENCY = frozenset({"$", "\u20ac", "\u00a3", "\u00a5", "chf", "eur", "usd", "gbp"})


@dataclass(slots=True)
class Placed:
    """A word with its position in points."""

    word: Word
    left: float
    top: float
    right: float
    bottom: float
    numeric: bool


class Piece:
    """Words of one row with no wide gap between them."""

    __slots__ = ("left", "right", "words")

    def __init__(self, words: list[Placed]) -> None:
        self.words = words
        self.left = words[0].left
        self.right = max(word.right for word in words)

    @property
    def text(self) -> str:
        return " ".join(placed.word.text for placed in self.words)

    @property
    def numeric(self) -> bool:
        return is_value(self.words)


@dataclass(slots=True)
class Row:
    """One visual row: everything at the same height, from left to right."""

    pieces: list[Piece]
    top: float
    bottom: float
    space: float
    """The usual space between words in this area, in line heights."""

    @property
    def words(self) -> list[Placed]:
        return [word for piece in self.pieces for word in piece.words]

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)


def place_words(page: Page) -> list[Placed]:
    """Return the page's words in points, without dot leaders, rules of dashes and words that stand on end."""
    width, height = page.width, page.height
    extents = type_extents(page)
    placed = []
    for line in page.lines:
        for word in line.words:
            box, text = word.box, word.text
            across, down = box.width * width, box.height * height
            on_end = len(text) > 2 and down > _ON_END * across
            if across <= 0 or down <= 0 or on_end or _FILLER.fullmatch(text):
                continue
            top, bottom = extents[id(word)]
            numeric = _NUMBER.fullmatch(text) is not None
            placed.append(
                Placed(word, box.left * width, top * height, box.right * width, bottom * height, numeric)
            )
    return placed


def is_value(words: Iterable[Placed]) -> bool:
    """Return whether the words are figures with signs and units, or a mark for a missing figure."""
    texts = [(placed.numeric, placed.word.text.lower()) for placed in words]
    if len(texts) == 1 and texts[0][1] in _NO_VALUE:
        return True
    return any(numeric for numeric, _ in texts) and all(
        numeric or text in _CURRENCY or text == "%" or text in _NO_VALUE for numeric, text in texts
    )


def is_sign(text: str) -> bool:
    """Return whether the text is nothing but a currency's sign or name."""
    return text.lower() in _CURRENCY


def line_height(words: list[Placed]) -> float:
    """Return the usual height of a word."""
    return median(word.bottom - word.top for word in words) if words else 0.0


def rows_of(words: list[Placed]) -> list[Row]:
    """Return visual rows, from the top down."""
    groups: list[tuple[Placed, list[Placed]]] = []
    for word in sorted(words, key=lambda placed: placed.top + placed.bottom):
        for index in range(len(groups) - 1, max(-1, len(groups) - 3), -1):
            tallest, members = groups[index]
            overlap = min(word.bottom, tallest.bottom) - max(word.top, tallest.top)
            left, right = word.left + _SAME_PLACE, word.right - _SAME_PLACE
            if overlap >= 0.5 * min(word.bottom - word.top, tallest.bottom - tallest.top) and not any(
                member.left < right and member.right > left for member in members
            ):
                members.append(word)
                if word.bottom - word.top > tallest.bottom - tallest.top:
                    groups[index] = (word, members)
                break
        else:
            groups.append((word, [word]))
    lines = [sorted(members, key=lambda placed: placed.left) for _, members in groups]
    space = _usual_space(lines)
    rows = [_row(line, space) for line in lines]
    rows.sort(key=lambda row: row.top + row.bottom)
    return rows


def _usual_space(lines: list[list[Placed]]) -> float:
    """Return the usual space between words of running text, in line heights. A typewriter's is wide."""
    spaces = sorted(
        (after.left - before.right) / (before.bottom - before.top)
        for line in lines
        for before, after in pairwise(line)
        if not before.numeric and not after.numeric
    )
    return spaces[len(spaces) // 4] if len(spaces) >= _ENOUGH_SPACES else 0.0


def _row(words: list[Placed], space: float) -> Row:
    heights = sorted(word.bottom - word.top for word in words)
    height = heights[(len(heights) * 9) // 10]
    piece_gap = min(max(_PIECE_GAP, 1.6 * space), _WIDEST_PIECE_GAP) * height
    runs = [[words[0]]]
    reach = words[0].right
    for word in words[1:]:
        gap = word.left - reach
        last = runs[-1][-1]
        if gap > piece_gap or (
            gap > _NUMBER_GAP * height
            and word.numeric
            and last.numeric
            and not is_thousands_group(last.word.text, word.word.text)
        ):
            runs.append([word])
        else:
            runs[-1].append(word)
        reach = max(reach, word.right)
    pieces = [Piece(run) for run in runs]
    _part_label_from_figures(pieces, height)
    return Row(pieces, min(word.top for word in words), max(word.bottom for word in words), space)


def _part_label_from_figures(pieces: list[Piece], height: float) -> None:
    """Split a long label from the first of several figures in its row if the two stand close together."""
    label = pieces[0].words
    if len(pieces) < 3 or len(label) < 2 or not all(piece.numeric for piece in pieces[1:]):
        return
    if label[-1].numeric and not label[-2].numeric and label[-1].left - label[-2].right > _LABEL_GAP * height:
        pieces[0:1] = [Piece(label[:-1]), Piece(label[-1:])]


def is_thousands_group(before: str, after: str) -> bool:
    """Return whether the texts are the halves of a number written with a space, such as `12 345`."""
    return before.lstrip("-+(").isdigit() and re.fullmatch(r"\d{3}(?:[.,)%].*)?", after) is not None
