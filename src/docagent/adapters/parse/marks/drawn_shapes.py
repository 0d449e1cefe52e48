"""Finds boxes and circles for check marks in a picture of a page, and whether something is drawn in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from PIL import Image

from docagent.adapters.parse.imaging import dark_on_light
from docagent.adapters.parse.marks.drawn_boxes import boxes_in
from docagent.adapters.parse.marks.drawn_circles import circles_in
from docagent.adapters.parse.marks.ink import MARKED, Found, ink_of, overlap
from docagent.domain.documents.text import Box

_DPI = 200
_MOST_PIXELS = 8_000_000
_LEAST_OF_LINE = 0.7
"""The least height, in usual heights of a word: letters that were not read as words are mostly lower."""
_SOLID = 0.85
_SAME_SIZE = 0.2
_COMB_GAP = 0.4


@dataclass(frozen=True, slots=True)
class Shape:
    """A box or circle. Its sides are fractions of the picture."""

    left: float
    top: float
    right: float
    bottom: float
    marked: bool


def find_shapes(picture: Image.Image, *, dpi: float, words: Sequence[Box]) -> list[Shape]:
    """Return the boxes and circles for check marks of a picture with a resolution of `dpi` pixels per inch.

    What stands in the boxes of `words` is known to be writing.
    """
    grey = _at_our_resolution(dark_on_light(picture), dpi, picture.width)
    ink = ink_of(grey)
    height, width = ink.shape
    lowest = _LEAST_OF_LINE * height * median([word.height for word in words] or [0.0])
    for word in words:
        ink[
            int(word.top * height) : math.ceil(word.bottom * height),
            int(word.left * width) : math.ceil(word.right * width),
        ] = False
    boxes = _known(list(boxes_in(ink)), 1)
    circles = [one for one in circles_in(ink) if not any(overlap(one, box) for box in boxes)]
    return [
        Shape(one.left / width, one.top / height, one.right / width, one.bottom / height, one.ink > MARKED)
        for one in [*boxes, *_known(circles, 2)]
        if one.bottom - one.top >= lowest
    ]


def _at_our_resolution(grey: Image.Image, dpi: float, width: int) -> Image.Image:
    """Return the picture, which had that resolution when it was `width` pixels wide, with about 200 dpi."""
    factor = min(_DPI / (dpi * grey.width / width), math.sqrt(_MOST_PIXELS / (grey.width * grey.height)))
    if 0.75 < factor < 1.33:
        return grey
    size = max(1, round(grey.width * factor)), max(1, round(grey.height * factor))
    return grey.resize(size, Image.Resampling.LANCZOS if factor > 1 else Image.Resampling.BOX)


def _known(found: list[Found], least_hollow: int) -> list[Found]:
    """Leave out filled shapes, unless hollow ones of their size show that filling in is a way of marking."""
    hollow = [one for one in found if one.ink < _SOLID]
    kept = [one for one in hollow if sum(_same_size(one, other) for other in hollow) >= least_hollow]
    solid = [one for one in found if one.ink >= _SOLID and any(_same_size(one, other) for other in kept)]
    return _without_combs(kept + solid)


def _same_size(one: Found, other: Found) -> bool:
    return abs(one.side - other.side) <= _SAME_SIZE * max(one.side, other.side)


def _without_combs(found: list[Found]) -> list[Found]:
    """Leave out boxes that stand close together in a row of three or more: cells for one character each."""
    ordered = sorted(found, key=lambda one: (one.left, one.top))
    beside: dict[int, list[int]] = {}
    for first, one in enumerate(ordered):
        for second in range(first + 1, len(ordered)):
            other = ordered[second]
            if other.left - one.right > _COMB_GAP * one.side:
                break
            if abs(other.top - one.top) < 0.3 * one.side and other.left > one.left + 0.5 * one.side:
                beside.setdefault(first, []).append(second)
                beside.setdefault(second, []).append(first)
    in_comb = {place for place, others in beside.items() if len(others) > 1}
    in_comb |= {other for place in in_comb for other in beside[place]}
    return [one for place, one in enumerate(ordered) if place not in in_comb]
