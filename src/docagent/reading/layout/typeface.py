"""Finds how tall the type is, whichever kind of boxes the reader gives.

Some readers give each word the height of its font, others the height of its ink. By ink, `sum` is lower than
`Sign`, and digits are lower than both. The views need one measure for all.
"""

from __future__ import annotations

import re
from statistics import median

from docagent.domain.documents.text import Page, Word

Extent = tuple[float, float]
"""Top and bottom as fractions of the page."""
Ink = tuple[float, float]
"""How far ink reaches above and below the baseline, in font sizes."""

_RISING = re.compile(
    r"[^acegmnopqrsuvwxyz.,;:_\-\u2013\u2014\u2022\u00b7\u2026~+=<>*'\"\u2018-\u201d^\u00b0]"
)
_HANGING = re.compile(r"[gjpqyQ,;()\[\]{}|@$/]")
_SMALL = re.compile(r"[acemnorsuvwxzgpqy]")
_CAP, _SMALL_HEIGHT, _DROP = 0.7, 0.48, 0.22
"""In font sizes: the height of capitals, the height of letters like x, and the drop of letters like g."""
_ASCENT = 0.9


def type_extents(page: Page) -> dict[int, Extent]:
    """Return the full extent of the type for each word, keyed by the word's id()."""
    inks = {id(word): _ink(word.text) for word in page.words}
    if not _is_ink(page, inks):
        return {id(word): (word.box.top, word.box.bottom) for word in page.words}
    extents: dict[int, Extent] = {}
    for line in page.lines:
        sizes = [word.box.height / sum(inks[id(word)]) for word in line.words if any(inks[id(word)])]
        size = median(sizes) if sizes else 0.0
        for word in line.words:
            extents[id(word)] = _from_ink(word, inks[id(word)], size)
    return extents


def _ink(text: str) -> Ink:
    """Return how far the text's ink reaches. It is nothing for dots and dashes, which do not reveal their size."""
    drop = _DROP if _HANGING.search(text) else 0.0
    if _RISING.search(text):
        return (_CAP, drop)
    return (_SMALL_HEIGHT, drop) if _SMALL.search(text) else (0.0, 0.0)


def _is_ink(page: Page, inks: dict[int, Ink]) -> bool:
    """Return whether the words of a line agree better on their font size if their boxes are taken for ink."""
    as_ink = as_type = 0.0
    for line in page.lines:
        measured = [(word.box.height, sum(inks[id(word)])) for word in line.words if any(inks[id(word)])]
        if len(measured) > 1:
            as_ink += _spread([height / ink for height, ink in measured])
            as_type += _spread([height for height, _ in measured])
    return as_ink <= as_type


def _spread(heights: list[float]) -> float:
    middle = median(heights)
    return sum(abs(height - middle) for height in heights) / middle if middle > 0 else 0.0


def _from_ink(word: Word, ink: Ink, line_size: float) -> Extent:
    box = word.box
    rise, drop = ink
    if not rise:
        middle = (box.top + box.bottom) / 2
        half = (_ASCENT + _DROP) / 2 * line_size or box.height / 2
        return (middle - half, middle + half)
    size = box.height / (rise + drop)
    base_line = box.bottom - drop * size
    return (base_line - _ASCENT * size, base_line + _DROP * size)
