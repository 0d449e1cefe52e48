"""Typefaces with the width of every character.

The standard fonts of PDF have no letters for Polish and Czech; those of the packages have all letters of the zoo.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO

import pypdfium2
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from evals.zoo.words import alphabet


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
_ALPHABET = alphabet()
_PLACES = {character: place for place, character in enumerate(_ALPHABET)}
_MEASURED = 100.0
"""The size in which fonts are measured."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character of size 1: how far it moves on, and where its ink is, from the base line upwards."""

    width: float
    left: float
    right: float
    bottom: float
    top: float


Glyphs = dict[str, Glyph]


def width_of(text: str, font: str, size: float) -> float:
    glyphs = glyphs_of(font)
    return sum([glyphs[character].width for character in text]) * size


@cache
def glyphs_of(font: str) -> Glyphs:
    """Return the characters of a font as the product's PDF engine sees them, so that boxes are those of its reader."""
    known = load(font)
    cell = 2 * _MEASURED
    out = BytesIO()
    canvas = Canvas(out, pagesize=(cell * len(_ALPHABET), cell))
    canvas.setFont(font, _MEASURED)
    for place, character in enumerate(_ALPHABET):
        canvas.drawString(place * cell, _MEASURED, character)
    canvas.save()
    document = pypdfium2.PdfDocument(out.getvalue())
    try:
        inks = _inks(document[0].get_textpage(), cell)
    finally:
        document.close()
    nothing = (0.0, 0.0, 0.0, 0.0)
    return {
        character: Glyph(known.stringWidth(character, 1), *inks.get(character, nothing))
        for character in _ALPHABET
    }


def _inks(text: pypdfium2.PdfTextPage, cell: float) -> dict[str, tuple[float, float, float, float]]:
    inks = {}
    for index in range(text.count_chars()):
        character = text.get_text_range(index, 1)
        left, bottom, right, top = text.get_charbox(index)
        if character in _PLACES and right > left:
            x = _PLACES[character] * cell
            sides = (left - x, right - x, bottom - _MEASURED, top - _MEASURED)
            inks[character] = tuple(side / _MEASURED for side in sides)
    return inks


@cache
def load(font: str) -> pdfmetrics.Font:
    """Return a font of reportlab, made known to it if it comes from a package."""
    package = _PACKAGES.get(font.partition("-")[0])
    if package:
        path = files(package) / "files" / f"{font}.ttf"
        pdfmetrics.registerFont(TTFont(font, str(path)))
    return pdfmetrics.getFont(font)
