"""Reads a PDF page by page: its text layer, its form fields, and OCR where a page has no usable text.

A PDF that only an owner password protects is read like any other: people who upload a file are taken to have
the right to its contents. Scripts, attachments and actions of a PDF are never run or opened.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.frames import PageStarted, Sent
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.marks.check_marks import with_typed_marks
from docagent.adapters.parse.pdf.hidden import with_hidden_marked
from docagent.adapters.parse.pdf.marks import with_drawn_marks
from docagent.adapters.parse.pdf.quality import looks_garbled
from docagent.adapters.parse.pdf.reading_order import arrange
from docagent.adapters.parse.pdf.ruling import Drawing, drawing_of
from docagent.adapters.parse.pdf.shown_pictures import shows_more_than_text
from docagent.adapters.parse.pdf.widgets import annotations_of, with_values
from docagent.adapters.parse.pdf.words import PageFrame, words_of
from docagent.adapters.parse.pictures import draw_first
from docagent.adapters.parse.recognition.recogniser import Recogniser, RecognitionUnavailable
from docagent.adapters.parse.request import ReadRequest
from docagent.adapters.parse.tokens import (
    HIDDEN,
    WIDGET,
    TokenPage,
    cover_each_other,
    token_lines,
    token_readings,
    words_of_tokens,
)
from docagent.domain.documents.text import NO_TEXT, Box
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.reading.page_codec import Token

_A4 = (595.0, 842.0)
_DPI = 200
_LOWEST_DPI = 20
_FEW_WORDS = 25
_UNSURE = 0.6
_WORDS_JUDGED = 80

_ENCRYPTED = "This PDF is protected by a password. Give the password to have it read."
_WRONG_PASSWORD = "The password does not open this PDF. Check it and try again."
_SECURITY = (
    "This PDF is protected in a way that cannot be opened here. Remove the protection and upload it again."
)
_DAMAGED = "This file is not a PDF, or it is damaged. Open it in a PDF viewer, save it again and upload that."
_NO_PAGES = "This PDF has no pages that can be shown. Open it in a PDF viewer, save it again and upload that."
_XFA = (
    "This PDF is an XFA form, whose contents only Adobe software can show. "
    "Open it in Adobe Reader, print it to PDF, and upload that."
)
_PAGE_DAMAGED = "This page is damaged and could not be read."
_PAGE_TOO_LARGE = "This page is too large to be read as a picture."
_PAGE_PICTURE_FAILED = "This page has no usable text and could not be read as a picture."
_PAGE_UNRELIABLE = "The text of this page is unreliable: its fonts do not say which letters they show."


def read(request: ReadRequest) -> Iterator[Sent]:
    """Yield the pages of the PDF that the request names. Raises ReadFailed.

    Pictures are drawn last of all: whatever a page does to whoever draws it, its text is there.
    """
    limits, first_page = request.limits, request.first_page
    document = _open(request.path, request.password)
    count = len(document)
    if count == 0:
        raise ReadFailed(ReadFailure.DAMAGED, _NO_PAGES)
    if count > limits.max_pages:
        raise ReadFailed(
            ReadFailure.TOO_MANY_PAGES,
            f"This PDF has {count:,} pages; at most {limits.max_pages:,} are read. "
            "Split it and upload the parts.",
        )
    if _is_placeholder(document, count):
        raise ReadFailed(ReadFailure.UNSUPPORTED, _XFA)
    yield Opened(count)
    reader = _PageReader(document, limits, careful=request.careful)
    readable = first_page > 1
    for number in range(first_page, count + 1):
        try:
            yield from reader.read(number)
            readable = True
        except pdfium.PdfiumError:
            yield TokenPage(number, *_A4, [], _PAGE_DAMAGED)
    if not readable:
        raise ReadFailed(ReadFailure.DAMAGED, _NO_PAGES)
    if request.pictures is not None:
        draw_first(document, request.pictures)


def _open(path: Path, password: str | None) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(path, password=password)
        document.init_forms()
    except pdfium.PdfiumError as error:
        match error.err_code:
            case pdfium_c.FPDF_ERR_PASSWORD if password:
                raise ReadFailed(ReadFailure.WRONG_PASSWORD, _WRONG_PASSWORD) from error
            case pdfium_c.FPDF_ERR_PASSWORD:
                raise ReadFailed(ReadFailure.ENCRYPTED, _ENCRYPTED) from error
            case pdfium_c.FPDF_ERR_SECURITY:
                raise ReadFailed(ReadFailure.UNSUPPORTED, _SECURITY) from error
        raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED) from error
    return document


def _is_placeholder(document: pdfium.PdfDocument, count: int) -> bool:
    """Return whether the pages only tell people to get other software, as those of a dynamic XFA form do."""
    form = document.get_formtype()
    if form not in (pdfium_c.FORMTYPE_XFA_FULL, pdfium_c.FORMTYPE_XFA_FOREGROUND) or count > 1:
        return False
    try:
        page = document[0]
        text_page = page.get_textpage()
    except pdfium.PdfiumError:
        return False
    text = text_page.get_text_range().lower()
    has_fields = pdfium_c.FPDFPage_GetAnnotCount(page) > 0
    text_page.close()
    page.close()
    return "please wait" in text or (
        form == pdfium_c.FORMTYPE_XFA_FULL and not has_fields and "adobe" in text
    )


class _PageReader:
    def __init__(self, document: pdfium.PdfDocument, limits: ReadLimits, *, careful: bool) -> None:
        self._document = document
        self._limits = limits
        self._recogniser = Recogniser(careful=careful)
        self._other_readings: dict[Token, str] = {}

    def read(self, number: int) -> Iterator[PageStarted | TokenPage]:
        page = self._document[number - 1]
        frame = PageFrame.of(page)
        if not (frame.width > 0 and frame.height > 0):
            raise pdfium.PdfiumError("empty page")
        yield PageStarted(number, frame.width, frame.height)
        widgets = []
        if pdfium_c.FPDFPage_GetAnnotCount(page) > 0:
            annotations = annotations_of(page, frame)
            widgets = annotations.widgets
            if annotations.drawn:
                pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY)
                page.close()
                page = self._document[number - 1]
        text_page = page.get_textpage()
        words = with_typed_marks(with_hidden_marked(page, text_page, frame, words_of(text_page, frame)))
        text_page.close()
        words = with_values(words, widgets)
        fields = [widget.place for widget in widgets]
        self._other_readings = {}
        drawing = drawing_of(page, frame) if words else Drawing()
        lines, note = self._with_recognised(page, frame, words, fields, drawing)
        page.close()
        yield TokenPage(number, frame.width, frame.height, lines, note, drawing.lines, self._other_readings)

    def _with_recognised(
        self,
        page: pdfium.PdfPage,
        frame: PageFrame,
        words: list[Token],
        fields: list[Box],
        drawing: Drawing,
    ) -> tuple[list[list[Token]], str | None]:
        """Return the page's lines, from its text, its picture or both, and a note about them."""
        seen, _ = _parted(words)
        garbled = looks_garbled(words_of_tokens(seen[:: len(seen) // _WORDS_JUDGED + 1]))
        if garbled or (len(seen) < _FEW_WORDS and shows_more_than_text(page, frame, has_words=bool(seen))):
            return self._recognised(page, frame, words, garbled=garbled)
        marked = with_drawn_marks(page, frame, words, fields, drawing)
        is_empty = not seen and len(marked) == len(words)
        return _arranged(marked, frame), NO_TEXT if is_empty else None

    def _recognised(
        self, page: pdfium.PdfPage, frame: PageFrame, words: list[Token], *, garbled: bool
    ) -> tuple[list[list[Token]], str | None]:
        dpi = min(_DPI, 72 * math.sqrt(self._limits.max_pixels / (frame.width * frame.height)))
        if dpi < _LOWEST_DPI:
            return _arranged(words, frame), _PAGE_TOO_LARGE
        try:
            picture = page.render(scale=dpi / 72, grayscale=True).to_pil()
            found = self._recogniser.read(picture, dpi=round(dpi))
        except pdfium.PdfiumError:
            return _arranged(words, frame), _PAGE_PICTURE_FAILED
        except RecognitionUnavailable as error:
            return _arranged(words, frame), str(error)
        found_lines = token_lines(found.lines)
        self._other_readings = token_readings(found.other_readings)
        seen = [word for line in found_lines for word in line]
        if garbled:
            if not seen or (found.mean_confidence < _UNSURE and len(seen) < len(words)):
                return _arranged(words, frame), _PAGE_UNRELIABLE
            words = [word for word in words if word[6] in (WIDGET, HIDDEN)]
        if not words:
            return found_lines, None if seen else NO_TEXT
        known, unseen = _parted(words)
        added = [word for word in seen if not any(cover_each_other(word, other) for other in known)]
        if found.rotation:
            return [*_arranged(known, frame), *found_lines, *_arranged(unseen, frame)], None
        note = None if known or added else NO_TEXT
        return _arranged([*words, *added], frame), note


def _arranged(words: list[Token], frame: PageFrame) -> list[list[Token]]:
    """Return the words in lines. Hidden ones come last, so that no line mixes them with what is seen."""
    return [line for part in _parted(words) for line in arrange(part, frame.width, frame.height)]


def _parted(words: list[Token]) -> tuple[list[Token], list[Token]]:
    """Return the words that are seen, and the hidden ones."""
    hidden = [word for word in words if word[6] == HIDDEN]
    return ([word for word in words if word[6] != HIDDEN], hidden) if hidden else (words, hidden)
