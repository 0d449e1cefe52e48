"""The values of a PDF page's form fields.

A field's value is not part of the page's own text: the field's widget draws it. Before the text is taken,
this module notes the widgets and has them drawn into the page. Afterwards, words inside a widget are known to
be values.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.pdf.words import PageFrame
from docagent.adapters.parse.tokens import WIDGET, box_of, cover_each_other, has_middle_in
from docagent.domain.documents.text import CHECKED, UNCHECKED, Box
from docagent.reading.page_codec import Token

_CHOOSABLE = (pdfium_c.FPDF_FORMFIELD_CHECKBOX, pdfium_c.FPDF_FORMFIELD_RADIOBUTTON)
_WRITABLE = (
    pdfium_c.FPDF_FORMFIELD_TEXTFIELD,
    pdfium_c.FPDF_FORMFIELD_COMBOBOX,
    pdfium_c.FPDF_FORMFIELD_LISTBOX,
)
_UNSEEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
_MAX_ANNOTATIONS = 20_000
_NOT_DRAWN = (pdfium_c.FPDF_ANNOT_LINK, pdfium_c.FPDF_ANNOT_POPUP)


@dataclass(frozen=True, slots=True)
class Widget:
    """A field on the page. `checked` is None for fields that hold text."""

    box: tuple[int, int, int, int]
    value: str
    checked: bool | None

    @property
    def place(self) -> Box:
        return box_of(self.box)


@dataclass(frozen=True, slots=True)
class Annotations:
    """A page's widgets, and whether any annotation has to be drawn into the page."""

    widgets: list[Widget]
    drawn: bool


def annotations_of(page: pdfium.PdfPage, frame: PageFrame) -> Annotations:
    """Return the visible fields of a page. Their scripts and actions are never looked at."""
    widgets: list[Widget] = []
    drawn = False
    for index in range(min(pdfium_c.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
        drawn = drawn or subtype not in _NOT_DRAWN
        if subtype == pdfium_c.FPDF_ANNOT_WIDGET and page.formenv:
            widget = _widget(page.formenv, annotation, frame)
            if widget is not None:
                widgets.append(widget)
        pdfium_c.FPDFPage_CloseAnnot(annotation)
    return Annotations(widgets, drawn)


def _widget(form: pdfium.PdfFormEnv, annotation: object, frame: PageFrame) -> Widget | None:
    rect = pdfium_c.FS_RECTF()
    if pdfium_c.FPDFAnnot_GetFlags(annotation) & _UNSEEN or not pdfium_c.FPDFAnnot_GetRect(annotation, rect):
        return None
    across, down = sorted((rect.left, rect.right)), sorted((rect.top, rect.bottom))
    box = frame.shown((across[0], down[1], across[1], down[0]))
    kind = pdfium_c.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _CHOOSABLE:
        return Widget(box, "", bool(pdfium_c.FPDFAnnot_IsChecked(form, annotation)))
    if kind not in _WRITABLE or pdfium_c.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
        return None
    value = _string(lambda buffer, size: pdfium_c.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
    return Widget(box, value, None)


def _string(call: Callable[[object, int], int]) -> str:
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    call(buffer, size)
    return bytes(buffer).decode("utf-16-le", errors="replace").rstrip("\0")


def with_values(words: list[Token], widgets: list[Widget]) -> list[Token]:
    """Return the words of a page with its widgets drawn in: each value is marked and appears exactly once."""
    for widget in widgets:
        inside = [word for word in words if has_middle_in(word, widget.box)]
        if widget.checked is not None:
            mark: Token = (CHECKED if widget.checked else UNCHECKED, *widget.box, 1.0, WIDGET)
            words = _replaced(words, [word for word in inside if len(word[0]) <= 2], [mark])
        elif widget.value.strip():
            words = _replaced(words, inside, _value_words(widget, inside))
    return words


def _value_words(widget: Widget, inside: list[Token]) -> list[Token]:
    expected = widget.value.split()
    inside = _without_doubles(inside)
    drawn = "".join(word[0] for word in inside)
    if drawn == "".join(expected):
        return _cut_like(expected, inside)
    if drawn in "".join(expected):
        return _spread(widget)
    return [_as_value(word) for word in inside]


def _without_doubles(words: list[Token]) -> list[Token]:
    """Drop words that appear twice because the form holds them both as a value and as print below it."""
    kept: list[Token] = []
    for word in words:
        if not any(word[0] == known[0] and cover_each_other(word, known) for known in kept):
            kept.append(word)
    return kept


def _as_value(word: Token) -> Token:
    text, left, top, right, bottom, _, _ = word
    return (text, left, top, right, bottom, 1.0, WIDGET)


def _cut_like(expected: list[str], inside: list[Token]) -> list[Token]:
    """Cut the drawn characters into the words of the value. So a field with one cell per digit becomes one word."""
    values: list[Token] = []
    pieces = iter(inside)
    for wanted in expected:
        text, left, top, right, bottom, _, _ = next(pieces)
        while len(text) < len(wanted):
            more, more_left, more_top, more_right, more_bottom, _, _ = next(pieces)
            text += more
            left, top = min(left, more_left), min(top, more_top)
            right, bottom = max(right, more_right), max(bottom, more_bottom)
        if len(text) > len(wanted):
            return [_as_value(word) for word in inside]
        values.append((text, left, top, right, bottom, 1.0, WIDGET))
    return values


def _spread(widget: Widget) -> list[Token]:
    """Make words for a value that is not drawn, or not completely: spread them evenly over the field."""
    lines = [line.split() for line in widget.value.splitlines() if line.strip()]
    left, top, right, bottom = widget.box
    height = (bottom - top) // len(lines)
    words: list[Token] = []
    for row, line in enumerate(lines):
        width = (right - left) / (sum(map(len, line)) + len(line) - 1)
        start = 0
        for text in line:
            end = start + len(text)
            across = left + int(start * width), left + int(end * width)
            down = top + row * height, top + (row + 1) * height
            words.append((text, across[0], down[0], across[1], down[1], 1.0, WIDGET))
            start = end + 1
    return words


def _replaced(words: list[Token], old: list[Token], new: list[Token]) -> list[Token]:
    """Return the words with `new` instead of `old`, where the first of `old` stood; at the end if `old` is empty."""
    if not old:
        return words + new
    gone = {id(word) for word in old}
    position = next(index for index, word in enumerate(words) if id(word) in gone)
    return words[:position] + new + [word for word in words[position:] if id(word) not in gone]
