"""Puts the check marks of a page among its words: `[x]` and `[ ]`, whether typed or drawn.

A drawn box is a check mark only if a word stands near it that may say what it means. What was read in its place, such
as an X or the letters that text recognition made of the box, gives way to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING

from docagent.adapters.parse.tokens import OCR, UNITS, box_of, has_middle_in
from docagent.domain.documents.text import CHECKED, UNCHECKED, Box
from docagent.reading.page_codec import Token

if TYPE_CHECKING:
    from PIL import Image

    from docagent.adapters.parse.marks.drawn_shapes import Shape

# numpy's algebra, which is not used, would reserve memory for each core. It reads this variable when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_FEW_LETTERS = 3
_SURE, _VERY_SURE = 0.5, 0.85
_LETTERS_LIKE_SHAPES = frozenset("OoDQC0xXvVLlIUu\u00a9\u00ae")
_SEVERAL_LETTERS = 1.8
"""A word wider than this many shapes consists of letters, of which the shape is one."""
_NEAR_BESIDE, _NEAR_ABOVE = 6.0, 2.5
"""How far away the words of a mark may be, in its own heights."""
_CONFIDENCE = 0.9
_CLEARLY_HIGHER, _SAME_HEIGHT = 1.15, 0.15
_DRAWN_IN_BOXES = frozenset("xXvV\u221a\u2713\u2714\u2715\u2716\u2717\u2718\u00d7\u25cf\u2022")
_TYPED = re.compile(r"\[([xX\u2713\u2714\u2717\u2718]?)\]")
_BEGINS_WITH_BOX = re.compile(r"([\u2610-\u2612]|\[[xX]?\])(?=\w)")
_AMONG_BOXES = dict.fromkeys("\u2717\u2718", "\u2612")
"""A cross beside empty boxes, where no tick is used, marks what is chosen. Elsewhere it says no."""
_LIKE_A_BOX = re.compile(r"[\[\](){}|]")


def with_typed_marks(words: list[Token]) -> list[Token]:
    """Return the words with brackets such as `[ X ]` as one word each, and boxes split from the words they touch."""
    if not any(word[0][0] in "[\u2610\u2611\u2612" for word in words):
        return words
    if not any(word[0][0] in "\u2611\u2713\u2714" for word in words):
        words = [(_AMONG_BOXES.get(word[0], word[0]), *word[1:]) for word in words]
    marked: list[Token] = []
    for word in words:
        match = _BEGINS_WITH_BOX.match(word[0])
        marked += _parted(word, match[1]) if match else [word]
    return _with_brackets_joined(marked)


def _parted(word: Token, box: str) -> list[Token]:
    text, left, top, right, bottom, confidence, source = word
    end = left + (right - left) * len(box) // len(text)
    return [
        (box, left, top, end, bottom, confidence, source),
        (text[len(box) :], end, top, right, bottom, confidence, source),
    ]


def _with_brackets_joined(words: list[Token]) -> list[Token]:
    joined: list[Token] = []
    place = 0
    while place < len(words):
        for length in (1, 2, 3):
            several = words[place : place + length]
            match = _TYPED.fullmatch("".join(word[0] for word in several))
            if match and _in_one_row(several):
                text = CHECKED if match[1] else UNCHECKED
                _, left, top, _, bottom, confidence, source = several[0]
                joined.append((text, left, top, several[-1][3], bottom, confidence, source))
                place += length
                break
        else:
            joined.append(words[place])
            place += 1
    return joined


def _in_one_row(words: list[Token]) -> bool:
    height = words[0][4] - words[0][2]
    return all(
        abs(word[2] - words[0][2]) < height and word[1] - words[0][1] < 6 * height for word in words[1:]
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on a page, and how its pixels are shaped."""

    picture: Image.Image
    dpi: float
    width: float
    height: float

    def marks(self, words: Sequence[Token], not_in: Sequence[Box] = ()) -> list[Token]:
        """Return the check marks drawn on the page, except those that lie in one of the areas `not_in`."""
        writing = [box_of(word[1:5]) for word in words if _is_writing(word)]
        find_shapes = import_module("docagent.adapters.parse.marks.drawn_shapes").find_shapes
        shapes: list[Shape] = find_shapes(self.picture, dpi=self.dpi, words=writing)
        if any(word[6] == OCR for word in words):
            shapes = _without_lone_letters(shapes, writing)
        return [
            _mark(shape)
            for shape in shapes
            if not any(_holds(area, shape) for area in not_in)
            and not any(_is_in(word, shape) for word in writing)
            and not any(_has_letter(word, shape) for word in words)
            and self._has_words_near(shape, writing)
        ]

    def _has_words_near(self, shape: Shape, writing: list[Box]) -> bool:
        high = shape.bottom - shape.top
        wide = high * self.height / self.width
        for word in writing:
            aside = max(word.left - shape.right, shape.left - word.right, 0.0) / wide
            apart = max(word.top - shape.bottom, shape.top - word.bottom) / high
            if (apart < 0 and aside < _NEAR_BESIDE) or (apart < _NEAR_ABOVE and aside < _NEAR_ABOVE):
                return True
        return False


def _without_lone_letters(shapes: list[Shape], writing: list[Box]) -> list[Shape]:
    """Leave out shapes as low as words, unless others of their size stand on the page: letters that were not read."""
    usual = median(word.height for word in writing) if writing else 0.0
    heights = [shape.bottom - shape.top for shape in shapes]
    return [
        shape
        for shape, height in zip(shapes, heights, strict=True)
        if height >= _CLEARLY_HIGHER * usual
        or sum(abs(height - other) <= _SAME_HEIGHT * height for other in heights) > 1
    ]


def without_replaced(words: Sequence[Token], marks: Sequence[Token]) -> list[Token]:
    """Return the words without those that were read from what is drawn in the place of a mark."""
    return [
        word for word in words if not _may_be_drawn(word) or not any(_lies_in(word, mark) for mark in marks)
    ]


def _is_writing(word: Token) -> bool:
    """Return whether the word is certainly no picture of a box."""
    if word[6] == OCR:
        text, letters = word[0], _letters(word[0])
        if letters == 1:
            return word[5] >= _VERY_SURE and text not in _LETTERS_LIKE_SHAPES
        return letters > 2 and word[5] >= _SURE and not _LIKE_A_BOX.search(text if letters < 4 else text[0])
    return not set(word[0]) <= _DRAWN_IN_BOXES


def _has_letter(word: Token, shape: Shape) -> bool:
    """Return whether the shape is a letter of a recognised word, which need not be read right."""
    several = word[6] == OCR and _letters(word[0]) > 1 and not _LIKE_A_BOX.search(word[0][0] + word[0][-1])
    box = box_of(word[1:5])
    return several and box.width > _SEVERAL_LETTERS * (shape.right - shape.left) and _holds(box, shape)


def _may_be_drawn(word: Token) -> bool:
    """Return whether the word may be what a text recogniser made of a box, or what is typed into one."""
    return _letters(word[0]) <= _FEW_LETTERS if word[6] == OCR else set(word[0]) <= _DRAWN_IN_BOXES


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def _mark(shape: Shape) -> Token:
    return (
        CHECKED if shape.marked else UNCHECKED,
        int(shape.left * UNITS),
        int(shape.top * UNITS),
        int(shape.right * UNITS),
        int(shape.bottom * UNITS),
        _CONFIDENCE,
        OCR,
    )


def _holds(area: Box, shape: Shape) -> bool:
    x, y = (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2
    return area.left <= x <= area.right and area.top <= y <= area.bottom


def _is_in(word: Box, shape: Shape) -> bool:
    """Return whether the middle of the word lies in the shape, or the shape's in the word."""
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return _holds(word, shape) or (shape.left <= x <= shape.right and shape.top <= y <= shape.bottom)


def _lies_in(word: Token, mark: Token) -> bool:
    """Return whether the middle of the word lies in the mark, or the mark's middle in a word little larger."""
    little = word[3] - word[1] < 2 * (mark[3] - mark[1])
    return has_middle_in(word, mark[1:5]) or (little and has_middle_in(mark, word[1:5]))
