"""Typefaces with the width of every character.

The standard fonts of PDF have no letters for Polish and Czech; those of the packages have all letters of the zoo.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont


@dataclass(frozen=True)
class Family:
    """A typeface: the names of its plain and its bold font."""

    plain: str
    bold: str


HELVETICA = Family("Helvetica", "Helvetica-Bold")
TIMES = Family("Times-Roman", "Times-Bold")
COURIER = Family("Courier", "Courier-Bold")
SANS = Family("SourceSansPro-Regular", "SourceSansPro-Bold")
SERIF = Family("SourceSerifPro-Regular", "SourceSerifPro-Bold")
CALADEA = Family("Caladea-Regular", "Caladea-Bold")
MANROPE = Family("Manrope-Regular", "Manrope-Bold")
HAND = "AmaticSC-Bold"

_PACKAGES = {
    "SourceSansPro": "font_source_sans_pro",
    "SourceSerifPro": "font_source_serif_pro",
    "Caladea": "font_caladea",
    "Manrope": "font_manrope",
    "AmaticSC": "font_amatic_sc",
}


def width_of(text: str, font: str, size: float) -> float:
    widths = _widths(font)
    return sum([widths[character] for character in text]) * size


class _Widths(dict[str, float]):
    """The width of each character of a font of size 1, measured when it is first needed."""

    def __init__(self, font: str) -> None:
        super().__init__()
        self._font = known(font)

    def __missing__(self, character: str) -> float:
        width: float = self._font.stringWidth(character, 1)
        self[character] = width
        return width


@cache
def _widths(font: str) -> _Widths:
    return _Widths(font)


@cache
def known(font: str) -> pdfmetrics.Font:
    """Return a font of reportlab, made known to it if it comes from a package."""
    package = _PACKAGES.get(font.partition("-")[0])
    if package:
        path = files(package) / "files" / f"{font}.ttf"
        pdfmetrics.registerFont(TTFont(font, str(path)))
    return pdfmetrics.getFont(font)
