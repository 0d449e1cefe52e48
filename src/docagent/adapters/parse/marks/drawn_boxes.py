"""Finds the boxes for check marks among the pixels of a page.

A box is two level strokes of the same length, one above the other, with a stroke at either end. Lines of a table run on
beyond the corners, so its cells are not boxes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

import numpy as np

from docagent.adapters.parse.marks.ink import LONGEST, SHORTEST, Found, Pixels, overlap, runs

_FLATTEST, _TALLEST = 1.7, 0.75
"""The ratios of a box's width to its height."""
_EDGE_COVERED = 0.88
"""The share of a side that must be inked."""
_CORNER = 0.16
_ROUNDED = 0.08
_THICKEST = 0.22
"""As shares of the side: where a stroke may run, how far a corner may be rounded off, and the thickest stroke."""
_INSET = 0.14
_CLEAR, _CROWDED = 0.1, 0.35
"""Shares of ink right beside a box: nearly none, and so much that there may be no more of it around a corner."""
_THICKENED = 3
_LEAST_SIDE = 9
_MOST_RUNS = 60_000
"""A picture with more runs of ink as long as a box's side is a photograph or noise."""

_top = attrgetter("top")


@dataclass(slots=True)
class _Stroke:
    """A level stroke: rows of ink of about the same length."""

    left: int
    right: int
    top: int
    bottom: int


def boxes_in(ink: Pixels) -> Iterator[Found]:
    thick = _thickened(ink)
    strokes = _strokes(thick)
    by_left: dict[int, list[_Stroke]] = {}
    for stroke in strokes:
        by_left.setdefault(stroke.left // 8, []).append(stroke)
    taken: list[Found] = []
    for top in strokes:
        length = top.right - top.left
        if _TALLEST <= length / (top.bottom - top.top) <= _FLATTEST:
            if _is_apart(ink, top.left, top.top, top.right, top.bottom):
                yield Found(top.left, top.top, top.right, top.bottom, 1.0)
            continue
        slack = max(3.0, 0.15 * length)
        for bottom in _strokes_below(top, by_left):
            height = bottom.bottom - top.top
            if (
                not SHORTEST <= height <= LONGEST
                or not _TALLEST <= length / height <= _FLATTEST
                or abs(bottom.left - top.left) > slack
                or abs(bottom.right - top.right) > slack
            ):
                continue
            box = _closed(ink, top, bottom)
            if box is not None and not any(overlap(box, other) for other in taken):
                taken.append(box)
                yield box
                break


def _strokes_below(top: _Stroke, by_left: dict[int, list[_Stroke]]) -> Iterator[_Stroke]:
    """Yield the strokes that may be the lower side of a box, from the nearest on."""
    near: list[_Stroke] = []
    for key in range(top.left // 8 - 1, top.left // 8 + 2):
        strokes = by_left.get(key, [])
        first = bisect_right(strokes, top.bottom, key=_top)
        near += strokes[first : bisect_left(strokes, top.top + LONGEST, key=_top)]
    yield from sorted(near, key=_top)


def _thickened(ink: Pixels) -> Pixels:
    """Return the ink with one pixel more all around, so that faint and slightly sloping strokes hold together."""
    thick = ink.copy()
    thick[1:] |= ink[:-1]
    thick[:-1] |= ink[1:]
    wide = thick.copy()
    wide[:, 1:] |= thick[:, :-1]
    wide[:, :-1] |= thick[:, 1:]
    return wide


def _strokes(thick: Pixels) -> list[_Stroke]:
    rows, lefts, rights = runs(thick)
    fitting = (rights - lefts >= SHORTEST) & (rights - lefts <= LONGEST)
    if fitting.sum() > _MOST_RUNS:
        return []
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
    return sorted(done + growing, key=_top)


def _closed(ink: Pixels, top: _Stroke, bottom: _Stroke) -> Found | None:
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
    return Found(left, upper, right, lower, float(inside.mean()))


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
