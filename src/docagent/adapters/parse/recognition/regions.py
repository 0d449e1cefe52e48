"""Pieces of writing in a picture, and the port to a reader that finds and reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from PIL import Image

_COLUMNS_OF_SQUARE = 38
"""Columns that are read for a piece as wide as high. Print of the usual width would take 48; 38 do as well."""

Point = tuple[float, float]
PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom."""


class Region(NamedTuple):
    """A piece of a line of writing: a rectangle that may slope, in pixels."""

    centre: Point
    width: float
    height: float
    slope: float = 0.0
    """Degrees, clockwise."""

    @property
    def cost(self) -> float:
        """How many columns are read for this region; the time that this takes is proportional to it."""
        return _COLUMNS_OF_SQUARE * self.width / max(1.0, self.height)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Top left, top right, bottom right, bottom left."""
        return self._at(-0.5, -0.5), self._at(0.5, -0.5), self._at(0.5, 0.5), self._at(-0.5, 0.5)

    @property
    def box(self) -> PixelBox:
        """The upright box around the region."""
        return self.part(0, 1)

    @property
    def left(self) -> int:
        return self.box[0]

    @property
    def right(self) -> int:
        return self.box[2]

    def level_at(self, across: float) -> float:
        """Return where the middle of the line is at a column of the picture."""
        return self.centre[1] + (across - self.centre[0]) * math.tan(math.radians(self.slope))

    def part(self, left: float, right: float) -> PixelBox:
        """Return the upright box around a part of the region, given as shares of its width."""
        ends = [self._at(share - 0.5, down) for share in (left, right) for down in (-0.5, 0.5)]
        across, down = [x for x, _ in ends], [y for _, y in ends]
        return round(min(across)), round(min(down)), round(max(across)), round(max(down))

    def between(self, left: float, right: float) -> Region:
        """Return the piece of the region between two columns of the picture."""
        whole = max(1, self.right - self.left)
        start, end = (min(1.0, max(0.0, (x - self.left) / whole)) for x in (left, right))
        return self._replace(centre=self._at((start + end) / 2 - 0.5, 0), width=(end - start) * self.width)

    def _at(self, across: float, down: float) -> Point:
        """Return a point in pixels, given as shares of width and height from the centre."""
        x, y = across * self.width, down * self.height
        angle = math.radians(self.slope)
        return (
            self.centre[0] + x * math.cos(angle) - y * math.sin(angle),
            self.centre[1] + x * math.sin(angle) + y * math.cos(angle),
        )


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word in a region, with its place as shares of the region's width."""

    text: str
    confidence: float
    left: float
    right: float


def confidence(words: Sequence[SeenWord]) -> float:
    """Return how sure the reading of a region is, by letters; 0 if nothing was read."""
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0


class LineReader(Protocol):
    """Finds regions of writing in a grey picture and reads those it is asked for."""

    def find(self, image: Image.Image, *, letters: float | None = None) -> list[Region]:
        """`letters`: the height of small print in pixels, if it is known. Large print is found in a small copy."""

    def read(self, image: Image.Image, region: Region) -> list[SeenWord]: ...
