"""Draws sheets as pictures of paper: turned a little, noisy, faded, as a scanner gives them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops, ImageFilter

from evals.zoo.canvas import Sheet
from evals.zoo.pdf import as_pdf

_POINTS_PER_INCH = 72


@dataclass(frozen=True)
class Scanner:
    """What a scan does to paper."""

    dpi: int
    degrees: float
    upside: int
    """Quarter turns of the whole sheet, counter-clockwise."""
    noise: float
    blur: float
    paper: int
    """The shade of the paper: 255 is white."""

    @classmethod
    def draw(cls, dice: random.Random) -> Scanner:
        return cls(
            dpi=dice.choice((150, 200, 300)),
            degrees=dice.uniform(-1.5, 1.5),
            upside=dice.choice((0, 0, 0, 0, 1, 2, 3)),
            noise=dice.uniform(5, 30),
            blur=dice.choice((0.0, 0.4, 0.7)),
            paper=dice.randint(225, 255),
        )


CLEAN = Scanner(dpi=100, degrees=0.0, upside=0, noise=0.0, blur=0.0, paper=255)
"""The sheet as it was drawn."""


def as_scans(sheets: Sequence[Sheet], scanner: Scanner) -> list[Image.Image]:
    """Return a grey picture of each sheet."""
    document = pypdfium2.PdfDocument(as_pdf(sheets))
    try:
        return [
            _worn(page.render(scale=scanner.dpi / _POINTS_PER_INCH, grayscale=True).to_pil(), scanner)
            for page in document
        ]
    finally:
        document.close()


def _worn(clean: Image.Image, scanner: Scanner) -> Image.Image:
    paper = Image.new("L", clean.size, scanner.paper)
    picture = ImageChops.multiply(clean, paper)
    picture = picture.rotate(scanner.degrees, Image.Resampling.BICUBIC, fillcolor=scanner.paper)
    if scanner.blur:
        picture = picture.filter(ImageFilter.GaussianBlur(scanner.blur * scanner.dpi / 200))
    if scanner.noise:
        picture = ImageChops.add(picture, Image.effect_noise(picture.size, scanner.noise), offset=-128)
    return picture.rotate(90 * scanner.upside, expand=True)
