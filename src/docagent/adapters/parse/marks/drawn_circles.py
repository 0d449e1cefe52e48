"""Finds the circles for check marks among the pixels of a page: ink that joins up all around a middle."""

from __future__ import annotations

import numpy as np

from docagent.adapters.parse.marks.ink import LONGEST, MARKED, SHORTEST, Found, Numbers, Pixels, overlap, runs

_AS_HIGH = 0.85
_ANGLES = 32
_MOST_RUNS = 500_000
"""A picture with more runs of ink than this is a photograph or noise."""


def circles_in(ink: Pixels) -> list[Found]:
    """Return the circles, without those that are drawn in another one."""
    found: list[Found] = []
    for left, top, right, bottom in _joined_ink(ink):
        circle = _round(ink, left, top, right, bottom)
        if circle is not None and not any(overlap(circle, other) for other in found):
            found.append(circle)
    return found


def _joined_ink(ink: Pixels) -> list[tuple[int, int, int, int]]:
    """Return left, top, right and bottom of joined ink that is about as wide as it is high, the largest first."""
    rows, lefts, rights = runs(ink)
    if not 0 < rows.size <= _MOST_RUNS:
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
    fitting = np.flatnonzero((smaller >= SHORTEST) & (larger <= LONGEST) & (smaller >= _AS_HIGH * larger))
    fitting = fitting[np.argsort(-larger[fitting])]
    sides = np.stack([left, top, right, bottom], axis=1)[fitting]
    return [(one[0], one[1], one[2], one[3]) for one in sides.tolist()]


def _touching(rows: Numbers, lefts: Numbers, rights: Numbers, width: int) -> tuple[Numbers, Numbers]:
    """Return the pairs of runs in neighbouring rows that touch, at corners too."""
    starts = rows * (width + 2) + lefts
    ends = rows * (width + 2) + rights
    first = np.searchsorted(ends, starts - (width + 2), side="left")
    last = np.searchsorted(starts, ends - (width + 2), side="right")
    counts = np.maximum(0, last - first)
    below = np.repeat(np.arange(rows.size), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(first, counts) + offsets, below


def _round(ink: Pixels, left: int, top: int, right: int, bottom: int) -> Found | None:
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
    if share < MARKED and ring_inside > 0.25:
        return None
    if share >= 0.95 and ring_inside >= 0.95:
        return Found(left, top, right, bottom, 1.0)
    return Found(left, top, right, bottom, min(share, 0.8))
