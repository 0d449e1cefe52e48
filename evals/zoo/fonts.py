"""Typefaces with the width of every character."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

from reportlab.pdfbase import pdfmetrics

_USUAL_WIDTH = 0.55


@dataclass(frozen=True)
class Family:
    """A typeface: the names of its upright, bold and slanted fonts."""

    name: str
    plain: str
    bold: str
    slanted: str


HELVETICA = Family("Helvetica", "Helvetica", "Helvetica-Bold", "Helvetica-Oblique")
TIMES = Family("Times", "Times-Roman", "Times-Bold", "Times-Italic")
COURIER = Family("Courier", "Courier", "Courier-Bold", "Courier-Oblique")


def width_of(text: str, font: str, size: float) -> float:
    widths = _widths(font)
    return sum(widths[character] for character in text) * size


class _Widths(dict[str, float]):
    """The width of each character of a font of size 1. An unknown letter is as wide as the one without its accent."""

    def __missing__(self, character: str) -> float:
        bare = unicodedata.normalize("NFD", character)[0]
        width = self[bare] if bare != character else _USUAL_WIDTH
        self[character] = width
        return width


@cache
def _widths(font: str) -> _Widths:
    known = pdfmetrics.getFont(font)
    return _Widths(
        {chr(code): known.stringWidth(chr(code), 1) for code in (*range(32, 127), *range(160, 256))}
    )
