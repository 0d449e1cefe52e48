"""Finds boxes and circles for check marks among the pixels of a page, and whether something is drawn in them.

A box is two level strokes of the same length, one above the other, with a stroke at either end. Lines of a table run on
beyond the corners, so its cells are not boxes. A circle is ink that joins up all around, at the same distance from its
middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from docagent.adapters.parse.imaging import dark_on_light
from docagent.domain.text import Box

Pixels = NDArray[np.bool_]

_DPI = 200
_SHORTEST, _LONGEST = 16, 72
"""The sides of boxes and the widths of circles, in pixels at that resolution: 6 and 26 points."""
_AS_HIGH = 0.85
_INK_DEPTH = 48
_FLATTEST, _TALLEST = 1.7, 0.75
"""The ratios of a box's width to its height."""
_LEAST_OF_LINE = 0.7
"""The least height, in usual heights of a word: letters that were not read as words are mostly lower."""
_EDGE_COVERED = 0.88
_CORNER = 0.16
_ROUNDED = 0.08
_THICKEST = 0.22
"""The thickest stroke of a box, as a share of its side."""
_INSET = 0.14
_MARKED = 0.05
_SOLID = 0.85
_CLEAR, _CROWDED = 0.1, 0.35
"""Shares of ink right beside a box: nearly none, and so much that there may be no more of it around a corner."""
_SAME_SIZE = 0.2
_THICKENED = 3
_LEAST_SIDE = 9
_COMB_GAP = 0.4
_ANGLES = 32


@dataclass(frozen=True, slots=True)
class Shape:
    """A box or circle. Its sides are fractions of the picture."""

    left: float
    top: float
    right: float
    bottom: float
    marked: bool


@dataclass(frozen=True, slots=True)
class _Found:
    left: int
    top: int
    right: int
    bottom: int
    ink: float
    """The share of its inside that is inked."""

    @property
    def side(self) -> float:
        return (self.right - self.left + self.bottom - self.top) / 2


def find_shapes(picture: Image.Image, *, dpi: float, words: Sequence[Box]) -> list[Shape]:
    """Return the boxes and circles for check marks of a picture with a resolution of `dpi` pixels per inch.

    What stands in the boxes of `words` is known to be writing.
    """
    grey = dark_on_light(picture)
    factor = _DPI / (dpi * grey.width / picture.width)
    if not 0.75 < factor < 1.33:
        size = max(1, round(grey.width * factor)), max(1, round(grey.height * factor))
        grey = grey.resize(size, Image.Resampling.LANCZOS if factor > 1 else Image.Resampling.BOX)
    ink = _ink(grey)
    height, width = ink.shape
    lowest = _LEAST_OF_LINE * height * median([word.height for word in words] or [0.0])
    for word in words:
        ink[
            int(word.top * height) : math.ceil(word.bottom * height),
            int(word.left * width) : math.ceil(word.right * width),
        ] = False
    boxes = _known(list(_boxes(ink)), 1)
    circles = [one for one in _circles(ink) if not any(_overlap(one, box) for box in boxes)]
    return [
        Shape(one.left / width, one.top / height, one.right / width, one.bottom / height, one.ink > _MARKED)
        for one in [*boxes, *_known(circles, 2)]
        if one.bottom - one.top >= lowest
    ]


def _ink(grey: Image.Image) -> Pixels:
    """Return the pixels that are clearly darker than the paper around them."""
    small = grey.resize((max(1, grey.width // 8), max(1, grey.height // 8)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.BoxBlur(3))
    depth = ImageChops.subtract(paper.resize(grey.size, Image.Resampling.BILINEAR), grey)
    return np.asarray(depth) > _INK_DEPTH


def _known(found: list[_Found], least_hollow: int) -> list[_Found]:
    """Leave out filled shapes, unless hollow ones of their size show that filling in is a way of marking."""
    hollow = [one for one in found if one.ink < _SOLID]
    kept = [one for one in hollow if sum(_same_size(one, other) for other in hollow) >= least_hollow]
    solid = [one for one in found if one.ink >= _SOLID and any(_same_size(one, other) for other in kept)]
    return _without_combs(kept + solid)


def _same_size(one: _Found, other: _Found) -> bool:
    return abs(one.side - other.side) <= _SAME_SIZE * max(one.side, other.side)


def _without_combs(found: list[_Found]) -> list[_Found]:
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


@dataclass(slots=True)
class _Stroke:
    """A level stroke: rows of ink of about the same length."""

    left: int
    right: int
    top: int
    bottom: int


def _boxes(ink: Pixels) -> Iterator[_Found]:
    thick = _thickened(ink)
    strokes = _strokes(thick)
    by_left: dict[int, list[_Stroke]] = {}
    for stroke in strokes:
        by_left.setdefault(stroke.left // 8, []).append(stroke)
    taken: list[_Found] = []
    for top in strokes:
        length = top.right - top.left
        if _TALLEST <= length / (top.bottom - top.top) <= _FLATTEST:
            if _is_apart(ink, top.left, top.top, top.right, top.bottom):
                yield _Found(top.left, top.top, top.right, top.bottom, 1.0)
            continue
        slack = max(3.0, 0.15 * length)
        near = (
            other for key in range(top.left // 8 - 1, top.left // 8 + 2) for other in by_left.get(key, ())
        )
        for bottom in sorted(near, key=lambda stroke: stroke.top):
            height = bottom.bottom - top.top
            if (
                bottom.top <= top.bottom
                or not _SHORTEST <= height <= _LONGEST
                or not _TALLEST <= length / height <= _FLATTEST
                or abs(bottom.left - top.left) > slack
                or abs(bottom.right - top.right) > slack
            ):
                continue
            box = _closed(ink, top, bottom)
            if box is not None and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                yield box
                break


def _overlap(one: _Found, other: _Found) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def _thickened(ink: Pixels) -> Pixels:
    """Return the ink with one pixel more all around, so that faint and slightly sloping strokes hold together."""
    thick = ink.copy()
    thick[1:] |= ink[:-1]
    thick[:-1] |= ink[1:]
    wide = thick.copy()
    wide[:, 1:] |= thick[:, :-1]
    wide[:, :-1] |= thick[:, 1:]
    return wide


def _runs(pixels: Pixels) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return row, first and past-the-last column of each run of ink, row by row."""
    width = pixels.shape[1] + 1
    padded = np.zeros((pixels.shape[0], width), dtype=np.int8)
    padded[:, :-1] = pixels
    steps = np.diff(padded.ravel(), prepend=0)
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return starts // width, starts % width, ends % width


def _strokes(thick: Pixels) -> list[_Stroke]:
    rows, lefts, rights = _runs(thick)
    fitting = (rights - lefts >= _SHORTEST) & (rights - lefts <= _LONGEST)
    done: list[_Stroke] = []
    growing: list[_Stroke] = []
    for row, left, right in zip(
        rows[fitting].tolist(), lefts[fitting].tolist(), rights[fitting].tolist(), strict=True
    ):
        if growing and growing[0].bottom < row:
            done += [stroke for stroke in growing if stroke.bottom < row]
            growing = [stroke for stroke in growing if stroke.bottom >= row]
        for stroke in growing:
            if stroke.bottom == row and abs(stroke.left - left) <= 3 and abs(stroke.right - right) <= 3:
                stroke.left, stroke.right = min(stroke.left, left), max(stroke.right, right)
                stroke.bottom = row + 1
                break
        else:
            growing.append(_Stroke(left, right, row, row + 1))
    return done + growing


def _closed(ink: Pixels, top: _Stroke, bottom: _Stroke) -> _Found | None:
    """Return the box between two strokes if it has sides and corners, and stands by itself."""
    left, right = max(top.left, bottom.left), min(top.right, bottom.right)
    upper, lower = top.top, bottom.bottom
    side = min(right - left, lower - upper)
    stroke = max(top.bottom - top.top, bottom.bottom - bottom.top)
    if stroke > _THICKEST * side + 2 or not _has_sides(ink, left, upper, right, lower):
        return None
    if not _is_apart(ink, left, upper, right, lower):
        return None
    inset = min(stroke + round(_INSET * side), side // 3)
    inside = ink[upper + inset : lower - inset, left + inset : right - inset]
    return _Found(left, upper, right, lower, float(inside.mean()))


def _has_sides(ink: Pixels, left: int, top: int, right: int, bottom: int) -> bool:
    """Return whether four straight strokes run all around, up to the very corners, which letters round off."""
    box = _trimmed(_trimmed(ink[top:bottom, left:right]).T)
    return min(box.shape) > _LEAST_SIDE and all(
        _is_stroke(turned) for turned in (box, box[::-1], box.T, box.T[::-1])
    )


def _trimmed(box: Pixels) -> Pixels:
    """Leave out the rows above and below that were only added by thickening the ink."""
    inked = box.mean(axis=1) >= 0.5
    first = next((row for row in range(_THICKENED) if inked[row]), 0)
    last = next((row for row in range(_THICKENED) if inked[-1 - row]), 0)
    return box[first : len(box) - last]


def _is_stroke(box: Pixels) -> bool:
    """Return whether a level stroke runs along the upper side. It may slope a little."""
    reach = max(2, round(_CORNER * len(box)))
    corner = max(3, round(_ROUNDED * len(box)))
    slope = max(2, len(box) // 12)
    rows = np.any([box[down : down + reach] for down in range(slope)], axis=0)
    middle = box.shape[1] // 2
    halves = (rows[:, :middle], rows[:, middle:])
    return all(float(half.mean(axis=1).max()) >= _EDGE_COVERED for half in halves) and bool(
        box[:corner, :corner].any() and box[:corner, -corner:].any()
    )


def _is_apart(ink: Pixels, left: int, top: int, right: int, bottom: int) -> bool:
    """Return whether there is paper around, at least on two sides, and no picture or code of squares."""
    near, far = 3, max(6, round(0.3 * (right - left)))
    height, width = ink.shape
    around = [
        float(band.mean()) if band.size else 0.0
        for band in (
            ink[max(0, top - far) : max(0, top - near), left:right],
            ink[top:bottom, min(width, right + near) : right + far],
            ink[min(height, bottom + near) : bottom + far, left:right],
            ink[top:bottom, max(0, left - far) : max(0, left - near)],
        )
    ]
    crowded = [share > _CROWDED for share in around]
    return sum(share < _CLEAR for share in around) >= 2 and not any(
        one and other for one, other in pairwise([*crowded, crowded[0]])
    )


def _circles(ink: Pixels) -> list[_Found]:
    """Return the circles, without those that are drawn in another one."""
    found: list[_Found] = []
    for left, top, right, bottom in _joined_ink(ink):
        circle = _round(ink, left, top, right, bottom)
        if circle is not None and not any(_overlap(circle, other) for other in found):
            found.append(circle)
    return found


def _joined_ink(ink: Pixels) -> list[tuple[int, int, int, int]]:
    """Return left, top, right and bottom of joined ink that is about as wide as it is high, the largest first."""
    rows, lefts, rights = _runs(ink)
    if not rows.size:
        return []
    above, below = _touching(rows, lefts, rights, ink.shape[1])
    piece = np.arange(rows.size)
    while True:
        lower = np.minimum(piece[above], piece[below])
        joined = piece.copy()
        np.minimum.at(joined, piece[above], lower)
        np.minimum.at(joined, piece[below], lower)
        joined = joined[joined[joined]]
        if np.array_equal(joined, piece):
            break
        piece = joined
    size = rows.size
    left, right = np.full(size, ink.shape[1]), np.zeros(size, dtype=np.int64)
    top, bottom = np.full(size, ink.shape[0]), np.zeros(size, dtype=np.int64)
    np.minimum.at(left, piece, lefts)
    np.maximum.at(right, piece, rights)
    np.minimum.at(top, piece, rows)
    np.maximum.at(bottom, piece, rows + 1)
    smaller, larger = np.minimum(right - left, bottom - top), np.maximum(right - left, bottom - top)
    fitting = np.flatnonzero((smaller >= _SHORTEST) & (larger <= _LONGEST) & (smaller >= _AS_HIGH * larger))
    fitting = fitting[np.argsort(-larger[fitting])]
    sides = np.stack([left, top, right, bottom], axis=1)[fitting]
    return [(one[0], one[1], one[2], one[3]) for one in sides.tolist()]


def _touching(
    rows: NDArray[np.int64], lefts: NDArray[np.int64], rights: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of runs in neighbouring rows that touch, at corners too."""
    starts = rows * (width + 2) + lefts
    ends = rows * (width + 2) + rights
    first = np.searchsorted(ends, starts - (width + 2), side="left")
    last = np.searchsorted(starts, ends - (width + 2), side="right")
    counts = np.maximum(0, last - first)
    below = np.repeat(np.arange(rows.size), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(first, counts) + offsets, below


def _round(ink: Pixels, left: int, top: int, right: int, bottom: int) -> _Found | None:
    """Return the circle in this place if ink runs all around at the same distance from its middle."""
    radius = (right - left + bottom - top) / 4
    middle_x, middle_y = (left + right - 1) / 2, (top + bottom - 1) / 2
    angles = np.linspace(0, 2 * np.pi, _ANGLES, endpoint=False)

    def ink_at(distance: float) -> Pixels:
        x = np.clip(np.rint(middle_x + distance * np.cos(angles)), 0, ink.shape[1] - 1).astype(int)
        y = np.clip(np.rint(middle_y + distance * np.sin(angles)), 0, ink.shape[0] - 1).astype(int)
        there: Pixels = ink[y, x]
        return there

    stroke = np.any([ink_at(radius * share) for share in (0.86, 0.92, 0.97)], axis=0)
    beyond = np.any([ink_at(radius + 3), ink_at(radius * 1.2 + 1)], axis=0)
    if stroke.mean() < 0.95 or beyond.mean() > 0.15:
        return None
    inside = np.concatenate([ink_at(radius * share) for share in (0.0, 0.15, 0.3, 0.45)])
    ring_inside = ink_at(radius * 0.68).mean()
    share = float(inside.mean())
    if share < _MARKED and ring_inside > 0.25:
        return None
    if share >= 0.95 and ring_inside >= 0.95:
        return _Found(left, top, right, bottom, 1.0)
    return _Found(left, top, right, bottom, min(share, 0.8))
