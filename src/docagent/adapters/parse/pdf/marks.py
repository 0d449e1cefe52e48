"""The check marks that a PDF page draws with lines, small pictures or groups of them, beside its text."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse import imaging
from docagent.adapters.parse.marks.check_marks import Drawn, without_replaced
from docagent.adapters.parse.pdf.words import PageFrame
from docagent.adapters.parse.tokens import TEXT, UNITS
from docagent.domain.documents.text import Box
from docagent.reading.page_codec import Token

_DPI = 200
_MOST_PIXELS = 12_000_000
_OBJECTS_LOOKED_AT = 3000
_FORM_DEPTH = 3
_SMALLEST, _LONGEST_SIDE, _LARGEST = 5.0, 27.0, 40.0
"""In points: the shortest and the longest side of a box, and the largest picture of one with the paper around it."""
_THIN = 2.0
_SIDES = 2
_FLATTEST = 2.0
_SEVERAL_BOXES = range(10, 200)
"""The segments of a path that may be several boxes at once. Drawings have more."""
_MOST_ASKED = 100
_WHOLE_PAGE = 0.5
_EXPLAINED = 0.4
"""Where a scan lies under the text, the share of its ink that the words must cover: else they are not its words."""


def with_drawn_marks(
    page: pdfium.PdfPage, frame: PageFrame, words: list[Token], fields: list[Box]
) -> list[Token]:
    """Return the words with the marks that the page draws outside of its form's fields."""
    outlook = _Outlook(page, frame, words)
    if (
        not words
        or not outlook.may_show_marks
        or frame.width * frame.height * (_DPI / 72) ** 2 > _MOST_PIXELS
    ):
        return words
    picture = page.render(scale=_DPI / 72, grayscale=True).to_pil()
    if outlook.is_scan:
        boxes = [
            Box(left / UNITS, top / UNITS, right / UNITS, bottom / UNITS)
            for _, left, top, right, bottom, _, _ in words
        ]
        if imaging.share_of_ink(imaging.ink_sketch(picture), boxes) < _EXPLAINED:
            return words
    drawn = Drawn(picture, _DPI, frame.width, frame.height)
    marks = [(*mark[:5], 1.0, TEXT) for mark in drawn.marks(words, [*fields, *outlook.pictures])]
    return [*without_replaced(words, marks), *marks] if marks else words


class _Outlook:
    """What the objects of a page let one expect, without drawing it."""

    def __init__(self, page: pdfium.PdfPage, frame: PageFrame, words: list[Token]) -> None:
        self.pictures: list[Box] = []
        """Pictures such as charts and logos, whose shapes are no check marks."""
        self.is_scan = False
        self.may_show_marks = False
        self._frame = frame
        self._words = words
        self._level = self._upright = self._asked = 0
        count = pdfium_c.FPDFPage_CountObjects(page)
        get: Callable[[object, int], object] = pdfium_c.FPDFPage_GetObject
        self._look_at((get(page, index) for index in range(min(count, _OBJECTS_LOOKED_AT))), _FORM_DEPTH)

    def _look_at(self, items: Iterator[object], depth: int) -> None:
        for item in items:
            kind = pdfium_c.FPDFPageObj_GetType(item)
            if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
                continue
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
                self._look_into(item, depth)
                continue
            rect = _bounds(item)
            wide, high = rect[2] - rect[0], rect[1] - rect[3]
            if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE and min(wide, high) > _LARGEST:
                self._note_picture(rect)
            elif not self.may_show_marks:
                self.may_show_marks = self._may_be_box(item, kind, rect)

    def _look_into(self, form: object, depth: int) -> None:
        """Look at the parts of a group. They are placed within it, so only their sizes are known."""
        count = min(pdfium_c.FPDFFormObj_CountObjects(form), _OBJECTS_LOOKED_AT)
        get: Callable[[object, int], object] = pdfium_c.FPDFFormObj_GetObject
        self._look_at((get(form, index) for index in range(count)), depth - 1)

    def _may_be_box(self, item: object, kind: int, rect: tuple[float, float, float, float]) -> bool:
        wide, high = rect[2] - rect[0], rect[1] - rect[3]
        largest = _LONGEST_SIDE if kind == pdfium_c.FPDF_PAGEOBJ_PATH else _LARGEST
        if min(wide, high) >= _SMALLEST and max(wide, high) <= largest:
            return max(wide, high) <= _FLATTEST * min(wide, high) and not self._holds_words(rect)
        if kind != pdfium_c.FPDF_PAGEOBJ_PATH:
            return False
        if _SMALLEST <= max(wide, high) <= _LONGEST_SIDE and min(wide, high) <= _THIN:
            self._level, self._upright = self._level + (wide > high), self._upright + (wide < high)
            return min(self._level, self._upright) >= _SIDES
        return int(pdfium_c.FPDFPath_CountSegments(item)) in _SEVERAL_BOXES

    def _holds_words(self, rect: tuple[float, float, float, float]) -> bool:
        """Return whether there is writing in the place, as in a cell of a table. Asked too often, it says no."""
        self._asked += 1
        if self._asked > _MOST_ASKED:
            return False
        left, top, right, bottom = self._frame.shown(rect)
        return any(
            2 * left < word[1] + word[3] < 2 * right and 2 * top < word[2] + word[4] < 2 * bottom
            for word in self._words
            if len(word[0]) > 1
        )

    def _note_picture(self, rect: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = (side / UNITS for side in self._frame.shown(rect))
        if (right - left) * (bottom - top) >= _WHOLE_PAGE:
            self.is_scan = self.may_show_marks = True
        else:
            self.pictures.append(Box(left, top, right, bottom))


def _bounds(item: object) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom side in the page's own coordinates."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return left.value, top.value, right.value, bottom.value
