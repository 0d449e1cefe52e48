"""The ink of a page as pixels, and what was found among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docagent.adapters.parse.imaging import depth_of_ink

Pixels = NDArray[np.bool_]
Numbers = NDArray[np.int64]

SHORTEST, LONGEST = 16, 72
"""The sides of boxes and the widths of circles, in pixels at 200 dpi: 6 and 26 points."""
MARKED = 0.05
"""The share of a shape's inside that is inked if something is drawn there."""
_INK_DEPTH = 48


@dataclass(frozen=True, slots=True)
class Found:
    left: int
    top: int
    right: int
    bottom: int
    ink: float
    """The share of its inside that is inked."""

    @property
    def side(self) -> float:
        return (self.right - self.left + self.bottom - self.top) / 2


def overlap(one: Found, other: Found) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def ink_of(grey: Image.Image) -> Pixels:
    """Return the pixels that are clearly darker than the paper around them."""
    return np.asarray(depth_of_ink(grey)) > _INK_DEPTH


def runs(pixels: Pixels) -> tuple[Numbers, Numbers, Numbers]:
    """Return row, first and past-the-last column of each run of ink, row by row."""
    width = pixels.shape[1] + 1
    padded = np.zeros((pixels.shape[0], width), dtype=np.int8)
    padded[:, :-1] = pixels
    steps = np.diff(padded.ravel(), prepend=0)
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return starts // width, starts % width, ends % width
