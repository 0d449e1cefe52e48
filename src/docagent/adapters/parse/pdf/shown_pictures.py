"""Tells whether a PDF page shows something that its text does not say."""

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.pdf.matrix import objects_of_form, objects_of_page
from docagent.adapters.parse.pdf.words import PageFrame

_LARGE_PICTURE = 0.5
"""The share of the page that a picture must cover to count as a scan."""
_MANY_SHAPES = 300
_OBJECTS_LOOKED_AT = 2000
_FORM_DEPTH = 3


def shows_more_than_text(page: pdfium.PdfPage, frame: PageFrame, *, has_words: bool) -> bool:
    """Return whether the page shows a large picture, or so many shapes that they may be letters.

    For a page without words, anything at all that it shows is enough.
    """
    if not has_words:
        return bool(pdfium_c.FPDFPage_CountObjects(page) > 0)
    large = _LARGE_PICTURE * frame.width * frame.height
    shapes = 0
    for item in objects_of_page(page, _OBJECTS_LOOKED_AT):
        if pdfium_c.FPDFPageObj_GetType(item) == pdfium_c.FPDF_PAGEOBJ_PATH:
            shapes += 1
        elif _area(item) >= large and _has_picture(item, _FORM_DEPTH):
            return True
    return shapes >= _MANY_SHAPES


def _area(item: object) -> float:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return 0.0
    return float((right.value - left.value) * (top.value - bottom.value))


def _has_picture(item: object, depth: int) -> bool:
    """Return whether the object is a picture, or a group of objects (a form) that holds one."""
    kind = pdfium_c.FPDFPageObj_GetType(item)
    if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
        return True
    if kind != pdfium_c.FPDF_PAGEOBJ_FORM or depth == 0:
        return False
    return any(_has_picture(part, depth - 1) for part in objects_of_form(item, _OBJECTS_LOOKED_AT))
