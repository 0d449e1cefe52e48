"""Prepares a page image for OCR: grey, dark on light, a sensible size, turned and level. Maps boxes back as well."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps, ImageStat

from docagent.domain.documents.text import Box

MAX_PIXELS = 12_000_000
_SKETCH_SIZE = 800
_SKEW_RANGE = 10.0
_INK_DEPTH = 24
_SAMPLE = 256
_NOISY = 5
"""An image is noisy if half of its pixels differ from the median of their neighbours by this many grey levels."""

_QUARTER_TURNS = {
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_270,
}


@dataclass(frozen=True)
class View:
    """A turned copy of a page image that can map boxes back to the page."""

    image: Image.Image
    upright_size: tuple[float, float]
    """The size after the quarter turns but before levelling, in pixels of this copy."""
    quarter_turn: int
    """How far the page was first turned anticlockwise to make this copy: 0, 90, 180 or 270 degrees."""
    level_by: float
    """How many degrees further it was turned anticlockwise to make the lines level."""

    def to_page(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Map a rectangle of this copy's pixels to a box, in fractions of the page."""
        corners = [self._point_to_page(x, y) for x in (left, right) for y in (top, bottom)]
        across, down = [x for x, _ in corners], [y for _, y in corners]
        return Box(_fraction(min(across)), _fraction(min(down)), _fraction(max(across)), _fraction(max(down)))

    def _point_to_page(self, x: float, y: float) -> tuple[float, float]:
        width, height = self.upright_size
        angle = math.radians(self.level_by)
        dx, dy = x - self.image.width / 2, y - self.image.height / 2
        across = 0.5 + (dx * math.cos(angle) - dy * math.sin(angle)) / width
        down = 0.5 + (dx * math.sin(angle) + dy * math.cos(angle)) / height
        match self.quarter_turn:
            case 90:
                return 1 - down, across
            case 180:
                return 1 - across, 1 - down
            case 270:
                return down, 1 - across
            case _:
                return across, down

    @property
    def most_enlarged(self) -> float:
        """The largest factor by which this copy may be enlarged."""
        return min(3.0, math.sqrt(MAX_PIXELS / (self.image.width * self.image.height)))

    def scaled(self, factor: float) -> View:
        """Return the same view with more or fewer pixels."""
        width, height = self.upright_size
        return View(
            _resized(self.image, factor), (width * factor, height * factor), self.quarter_turn, self.level_by
        )


def _fraction(value: float) -> float:
    return min(1.0, max(0.0, value))


def turned(image: Image.Image, quarter_turn: int, level_by: float) -> View:
    """Return a copy turned anticlockwise by a multiple of 90 degrees, and then by a few degrees more."""
    upright = image.transpose(_QUARTER_TURNS[quarter_turn]) if quarter_turn else image
    level = upright
    if level_by:
        level = upright.rotate(level_by, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    return View(level, upright.size, quarter_turn, level_by)


def dark_on_light(image: Image.Image) -> Image.Image:
    """Return the image in eight-bit grey, dark on light, with at most MAX_PIXELS pixels."""
    grey = _to_grey(image)
    pixels = grey.width * grey.height
    if pixels > MAX_PIXELS:
        grey = _resized(grey, math.sqrt(MAX_PIXELS / pixels))
    middle = ImageStat.Stat(grey.resize((64, 64), Image.Resampling.BOX)).median[0]
    return ImageOps.invert(grey) if middle < 96 else grey


def on_white(image: Image.Image) -> Image.Image:
    """Return the image with white where it is transparent."""
    if not image.has_transparency_data:
        return image
    rgba = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba)


def _to_grey(image: Image.Image) -> Image.Image:
    image = on_white(image)
    if image.mode in {"I", "F"} or image.mode.startswith("I;16"):
        return _from_deep_grey(image)
    return image if image.mode == "L" else image.convert("L")


def _from_deep_grey(image: Image.Image) -> Image.Image:
    deep = image.convert("F")
    statistics = ImageStat.Stat(deep)
    low, high = statistics.extrema[0]
    scale = 255.0 / ((high - low) or 1.0)
    return deep.point(lambda level: level * scale - low * scale).convert("L")


def _resized(image: Image.Image, factor: float) -> Image.Image:
    size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    return image.resize(size, Image.Resampling.LANCZOS)


def without_noise(image: Image.Image) -> Image.Image:
    """Return a clean image as it is, and smooth one that has the grain of a bad scan or photograph."""
    middle = image.crop(
        (
            max(0, image.width // 2 - _SAMPLE),
            max(0, image.height // 2 - _SAMPLE),
            min(image.width, image.width // 2 + _SAMPLE),
            min(image.height, image.height // 2 + _SAMPLE),
        )
    )
    difference = ImageChops.difference(middle, middle.filter(ImageFilter.MedianFilter(3)))
    grain = ImageStat.Stat(difference).median[0]
    return image.filter(ImageFilter.MedianFilter(3)) if grain >= _NOISY else image


def strengthened(image: Image.Image) -> Image.Image:
    """Make the paper evenly white and the ink darker, against pale print, shadows and stains."""
    return ImageOps.invert(depth_of_ink(image).point(lambda level: min(255, level * 3)))


def depth_of_ink(image: Image.Image) -> Image.Image:
    """Return how much darker each pixel is than the paper around it."""
    small = image.resize((max(1, image.width // 8), max(1, image.height // 8)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.BoxBlur(3))
    return ImageChops.subtract(paper.resize(image.size, Image.Resampling.BILINEAR), image)


@dataclass(frozen=True)
class Writing:
    """How the writing lies on a page."""

    skew: float
    """How many degrees clockwise the lines slope."""
    sharpness: float
    """How clearly rows of ink alternate with rows of paper."""


def ink_sketch(image: Image.Image) -> Image.Image:
    """Return a small copy that is white where there is ink and black elsewhere."""
    factor = _SKETCH_SIZE / max(image.size)
    small = image
    if factor < 1:
        size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
        small = image.resize(size, Image.Resampling.BOX)
    paper = small.filter(ImageFilter.BoxBlur(12))
    return ImageChops.subtract(paper, small).point(lambda depth: 255 if depth > _INK_DEPTH else 0)


def writing_across(sketch: Image.Image) -> Writing:
    """Find the slope, within ten degrees, at which the lines of writing stand apart most clearly."""
    sharpness: dict[float, float] = {}

    def best_of(angles: Iterable[float]) -> float:
        for angle in angles:
            if angle not in sharpness:
                sharpness[angle] = _row_contrast(sketch, angle)
        return max(sharpness, key=lambda angle: (sharpness[angle], -abs(angle)))

    best = best_of(float(angle) for angle in range(-int(_SKEW_RANGE), int(_SKEW_RANGE) + 1))
    for step in (0.5, 0.25):
        best = best_of((best, best - step, best + step))
    return Writing(best, sharpness[best])


def _row_contrast(sketch: Image.Image, angle: float) -> float:
    slope = math.tan(math.radians(angle))
    sheared = sketch
    if angle:
        level = (1, 0, 0, slope, 1, -slope * sketch.width / 2)
        sheared = sketch.transform(sketch.size, Image.Transform.AFFINE, level)
    rows = sheared.resize((1, sketch.height), Image.Resampling.BOX).tobytes()
    return sum((above - below) ** 2 for above, below in pairwise(rows)) / max(1, len(rows))


def painted_over(image: Image.Image, boxes: Iterable[tuple[int, int, int, int]]) -> Image.Image:
    """Return a copy in which the boxes, given in pixels, are blank paper."""
    rest = image.copy()
    pen = ImageDraw.Draw(rest)
    for left, top, right, bottom in boxes:
        pen.rectangle((left - 2, top - 2, right + 2, bottom + 2), fill=255)
    return rest


def share_of_ink(sketch: Image.Image, boxes: Iterable[Box]) -> float:
    """Return the share of a page's ink that lies in the boxes; 1 for a page without ink."""
    rest = sketch.copy()
    pen = ImageDraw.Draw(rest)
    for box in boxes:
        left, right = box.left * sketch.width, box.right * sketch.width
        pen.rectangle((left, box.top * sketch.height, right, box.bottom * sketch.height), fill=0)
    ink = ImageStat.Stat(sketch).sum[0]
    return 1 - ImageStat.Stat(rest).sum[0] / ink if ink else 1.0


def densest_band(image: Image.Image, share: float) -> tuple[int, int, int, int]:
    """Return the full-width band that is this share of the image's height and holds the most ink."""
    sketch = ink_sketch(image)
    rows = sketch.resize((1, sketch.height), Image.Resampling.BOX).tobytes()
    height = max(1, round(sketch.height * share))
    ink = most = sum(rows[:height])
    top = 0
    for row in range(height, len(rows)):
        ink += rows[row] - rows[row - height]
        if ink > most:
            most, top = ink, row - height + 1
    factor = image.height / sketch.height
    return 0, int(top * factor), image.width, min(image.height, math.ceil((top + height) * factor))
