"""Finds the words of a PDF page that nobody sees: invisible, in the colour behind them, covered, or tiny.

A word is hidden if the page looks the same without it. Looking is slow, so only suspicious words are looked at:
those that are light or see-through, that something is drawn over, or that stand on their own colour.

Scanners and recognition programs lay invisible text over the picture of a page. It says what the picture shows,
so it is not hidden where the picture has ink. But if much of it lies where there is none, it says something else.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.pdf.matrix import Matrix, matrix_of, within
from docagent.adapters.parse.pdf.words import PageFrame, PlacedWords, bare
from docagent.adapters.parse.tokens import HIDDEN, UNITS, cover_each_other, has_middle_in
from docagent.reading.page_codec import Token

if TYPE_CHECKING:
    from PIL import Image

_STROKED = (pdfium_c.FPDF_TEXTRENDERMODE_STROKE, pdfium_c.FPDF_TEXTRENDERMODE_STROKE_CLIP)
_TINY = 1.5
_TINY_SHARE = 0.0018
"""Letters below this size, in points or as a share of the page's longer side, are specks."""
_LIGHT = 170
_OPAQUE = 200
_SAME_COLOUR = 48
_FAINT = 24
"""The largest difference, of 255, that is not seen."""
_INK = 48
_DPI = 100
_MOST_PIXELS = 4_000_000
_LEAST_COVER = 4.0
_MOST_COVERS = 300
_MOST_OBJECTS = 20_000
_FORM_DEPTH = 4
_SCAN = 0.5
"""The share of the page that pictures cover if it is a scan."""
_OVER_INK = 0.96
"""The share of a layer's words that lie over ink if they say what the picture shows."""

Colour = tuple[int, int, int, int]
Rectangle = tuple[int, int, int, int]


def _bare_pointer(function: object) -> Callable[..., int | None]:
    """Return a C function that returns a pointer, without conversion of its arguments; see `bare`."""
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    return ctypes.PYFUNCTYPE(ctypes.c_void_p)(address or 0)


_text_object = _bare_pointer(pdfium_c.FPDFText_GetTextObject)
_page_object = _bare_pointer(pdfium_c.FPDFPage_GetObject)
_form_object = _bare_pointer(pdfium_c.FPDFFormObj_GetObject)
_kind_of = bare(pdfium_c.FPDFPageObj_GetType)
_mode_of = bare(pdfium_c.FPDFTextObj_GetTextRenderMode)
_set_mode = bare(pdfium_c.FPDFTextObj_SetTextRenderMode)
_fill_of = bare(pdfium_c.FPDFPageObj_GetFillColor)
_stroke_of = bare(pdfium_c.FPDFPageObj_GetStrokeColor)
_SHARED = (ctypes.c_uint * 4)()
_PARTS = [ctypes.c_void_p(ctypes.addressof(_SHARED) + 4 * part) for part in range(4)]


@dataclass(frozen=True, slots=True)
class _Cover:
    """A picture or a filled shape, where it lies on the page as shown, and when it is drawn."""

    order: int
    box: Rectangle
    colour: Colour | None
    """None for a picture."""

    @property
    def area(self) -> int:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How the letters of a text object are drawn."""

    mode: int
    colour: Colour | None

    @property
    def is_pale(self) -> bool:
        return self.colour is not None and (min(self.colour[:3]) >= _LIGHT or self.colour[3] < _OPAQUE)


def with_hidden_marked(
    page: pdfium.PdfPage,
    text_page: pdfium.PdfTextPage,
    frame: PageFrame,
    placed: PlacedWords,
) -> list[Token]:
    """Return the words of the page's text layer, with another source for those that nobody sees.

    On a page that cannot be drawn all words count as seen.
    """
    try:
        hidden = _Look(page, text_page, frame, placed).hidden()
    except pdfium.PdfiumError:
        return placed.words
    if not hidden:
        return placed.words
    return [(*word[:6], HIDDEN) if number in hidden else word for number, word in enumerate(placed.words)]


class _Look:
    """One page, looked at as far as its words give reason to."""

    def __init__(
        self,
        page: pdfium.PdfPage,
        text_page: pdfium.PdfTextPage,
        frame: PageFrame,
        placed: PlacedWords,
    ) -> None:
        self._page = page
        self._text_page = text_page
        self._frame = frame
        self._words = placed.words
        self._starts = placed.starts
        self._scale = min(_DPI / 72, math.sqrt(_MOST_PIXELS / (frame.width * frame.height)))
        self._orders: dict[int, int] = {}
        self._drawn: dict[int, _Drawn] = {}
        covers = self._walk(_objects_of_page(page), None, _FORM_DEPTH)
        self._covers = sorted(covers, key=lambda cover: -cover.area)[:_MOST_COVERS]

    @cached_property
    def _objects(self) -> list[int]:
        """For each word, the text object that draws it."""
        handle = ctypes.cast(self._text_page.raw, ctypes.c_void_p)
        return [_text_object(handle, start) or 0 for start in self._starts]

    def hidden(self) -> set[int]:
        """Return the numbers of the words that nobody sees."""
        invisible, pale = self._by_style()
        covered = self._covered()
        unsure = {number for number in pale | covered.keys() if self._is_drawn(number)} - invisible
        hidden = invisible | self._without_trace(unsure)
        hidden -= self._layer_of_scan(
            {number for number in hidden if number in invisible or covered.get(number)}, hidden
        )
        return hidden | self._tiny()

    def _by_style(self) -> tuple[set[int], set[int]]:
        """Return the words that are not drawn at all, and those that may be lost on white paper.

        Words may be stencils through which something else is seen, or nothing.
        """
        modes = {address: drawn.mode for address, drawn in self._drawn.items()}
        unseen = {at for at, mode in modes.items() if mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE}
        stencils = {at for at, mode in modes.items() if mode == pdfium_c.FPDF_TEXTRENDERMODE_CLIP}
        pale = {at for at, drawn in self._drawn.items() if drawn.is_pale} - unseen - stencils
        empty = {
            number
            for number in self._words_in(stencils)
            if not _has_ink(self._picture.crop(self._pixels(number)))
        }
        return self._words_in(unseen) | empty, self._words_in(pale)

    def _is_drawn(self, number: int) -> bool:
        return bool(self._drawn[self._objects[number]].mode != pdfium_c.FPDF_TEXTRENDERMODE_CLIP)

    def _words_in(self, objects: set[int]) -> set[int]:
        if not objects:
            return set()
        return {number for number, address in enumerate(self._objects) if address in objects}

    def _tiny(self) -> set[int]:
        size = min(_TINY, _TINY_SHARE * max(self._frame.width, self._frame.height))
        low, narrow = size / self._frame.height * UNITS, size / self._frame.width * UNITS
        return {
            number
            for number, (text, left, top, right, bottom, _, _) in enumerate(self._words)
            if bottom - top < low and right - left < narrow * len(text) and any(map(str.isalnum, text))
        }

    def _covered(self) -> dict[int, bool]:
        """Return the words that may be lost behind or in front of something, and whether a picture lies over them."""
        found: dict[int, bool] = {}
        if not self._covers:
            return found
        for number, (word, address) in enumerate(zip(self._words, self._objects, strict=True)):
            drawn = self._drawn.get(address)
            if drawn is None:
                continue
            colour = drawn.colour
            for cover in self._covers:
                if not has_middle_in(word, cover.box):
                    continue
                if cover.order > self._orders[address]:
                    found[number] = found.get(number, False) or cover.colour is None
                elif colour and cover.colour and _alike(colour, cover.colour):
                    found.setdefault(number, False)
        return found

    def _walk(self, objects: Iterator[int], matrix: Matrix | None, depth: int) -> Iterator[_Cover]:
        """Yield what may cover words, in the order of drawing, and note when each text object is drawn."""
        for address in objects:
            order = len(self._orders)
            if order >= _MOST_OBJECTS:
                return
            self._orders[address] = order
            kind = _kind_of(ctypes.c_void_p(address))
            if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
                self._drawn[address] = _drawn(address)
                continue
            item = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
                yield from self._walk(_objects_of_form(item), _matrix(item, matrix), depth - 1)
                continue
            is_picture = kind == pdfium_c.FPDF_PAGEOBJ_IMAGE
            if is_picture or (kind == pdfium_c.FPDF_PAGEOBJ_PATH and _is_filled(item)):
                box = self._box(item, matrix)
                if box is not None:
                    yield _Cover(order, box, None if is_picture else _colour(address))

    def _box(self, item: object, matrix: Matrix | None) -> Rectangle | None:
        sides = [ctypes.c_float() for _ in range(4)]
        if not pdfium_c.FPDFPageObj_GetBounds(item, *sides):
            return None
        left, bottom, right, top = (side.value for side in sides)
        if matrix is not None:
            left, bottom, right, top = _transformed(matrix, (left, bottom, right, top))
        if not (right - left >= _LEAST_COVER and top - bottom >= _LEAST_COVER):
            return None
        # A shape may be far larger than the page.
        left, right = (min(max(side, self._frame.left), self._frame.right) for side in (left, right))
        bottom, top = (min(max(side, self._frame.bottom), self._frame.top) for side in (bottom, top))
        return self._frame.shown((left, top, right, bottom))

    # --- looking ----------------------------------------------------------------------------------------------

    @cached_property
    def _picture(self) -> Image.Image:
        return self._rendered()

    def _rendered(self) -> Image.Image:
        picture: Image.Image = self._page.render(scale=self._scale).to_pil().convert("RGB")
        return picture

    def _without_trace(self, numbers: set[int]) -> set[int]:
        """Return those of the words without which the page looks the same."""
        if not numbers:
            return set()
        before = self._picture
        modes = {}
        for address in {self._objects[number] for number in numbers}:
            item = ctypes.c_void_p(address)
            modes[address] = _mode_of(item)
            _set_mode(item, pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE)
        after = self._rendered()
        for address, mode in modes.items():
            _set_mode(ctypes.c_void_p(address), mode)
        return {
            number
            for number in numbers
            if _look_alike(before.crop(self._pixels(number)), after.crop(self._pixels(number)))
        }

    def _layer_of_scan(self, numbers: set[int], hidden: set[int]) -> set[int]:
        """Return the words that lie over ink of the picture of a scanned page, and over no word that is seen."""
        seen = [word for number, word in enumerate(self._words) if number not in hidden]
        pictures = sum(cover.area for cover in self._covers if cover.colour is None)
        if not numbers or len(seen) > len(numbers) or pictures < _SCAN * UNITS * UNITS:
            return set()
        over_ink = {number for number in numbers if _has_ink(self._picture.crop(self._pixels(number)))}
        if len(over_ink) < _OVER_INK * len(numbers):
            return set()
        return {
            number
            for number in over_ink
            if not any(cover_each_other(self._words[number], word) for word in seen)
        }

    def _pixels(self, number: int) -> Rectangle:
        wide, high = self._picture.size
        _, left, top, right, bottom, _, _ = self._words[number]
        x, y = max(0, left * wide // UNITS), max(0, top * high // UNITS)
        return x, y, max(x + 1, -(-right * wide // UNITS)), max(y + 1, -(-bottom * high // UNITS))


def _drawn(address: int) -> _Drawn:
    mode = _mode_of(ctypes.c_void_p(address))
    return _Drawn(mode, _colour(address, _stroke_of if mode in _STROKED else _fill_of))


def _colour(address: int, get: Callable[..., int] = _fill_of) -> Colour | None:
    """Return the colour, or None for a pattern."""
    if not get(ctypes.c_void_p(address), *_PARTS):
        return None
    red, green, blue, alpha = _SHARED
    return red, green, blue, alpha


def _alike(one: Colour, other: Colour) -> bool:
    return all(abs(a - b) < _SAME_COLOUR for a, b in zip(one[:3], other[:3], strict=True))


def _is_filled(item: object) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium_c.FPDFPath_GetDrawMode(item, fill, stroke) and fill.value)


def _objects_of_page(page: pdfium.PdfPage) -> Iterator[int]:
    handle = ctypes.cast(page.raw, ctypes.c_void_p)
    for index in range(pdfium_c.FPDFPage_CountObjects(page)):
        yield _page_object(handle, index) or 0


def _objects_of_form(form: object) -> Iterator[int]:
    handle = ctypes.cast(form, ctypes.c_void_p)  # type: ignore[arg-type]
    for index in range(max(0, pdfium_c.FPDFFormObj_CountObjects(form))):
        yield _form_object(handle, index) or 0


def _matrix(form: object, outer: Matrix | None) -> Matrix | None:
    """Return the matrix from the coordinates of a form to those of the page."""
    inner = matrix_of(form)
    return within(inner, outer) if inner and outer else inner or outer


def _transformed(
    matrix: Matrix, rect: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    a, b, c, d, e, f = matrix
    left, bottom, right, top = rect
    corners = [(x, y) for x in (left, right) for y in (bottom, top)]
    across = [a * x + c * y + e for x, y in corners]
    up = [b * x + d * y + f for x, y in corners]
    return min(across), min(up), max(across), max(up)


def _look_alike(one: Image.Image, other: Image.Image) -> bool:
    return all(abs(a - b) < _FAINT for a, b in zip(one.tobytes(), other.tobytes(), strict=True))


def _has_ink(picture: Image.Image) -> bool:
    pixels = picture.convert("L").tobytes()
    return max(pixels) - min(pixels) >= _INK
