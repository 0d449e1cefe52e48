"""Draws pictures of pages, in the reading process: of the first page as a document is read, of others when asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageDraw

from docagent.adapters.parse.imaging import on_white
from docagent.adapters.parse.limits import allow_processor_time
from docagent.adapters.parse.recognition.recogniser import Recogniser, RecognitionUnavailable
from docagent.adapters.parse.request import ReadRequest
from docagent.adapters.parse.tokens import TokenPage, token_lines
from docagent.domain.documents.pictures import (
    CELL,
    FIRST,
    PAGES_A_STRIP,
    THUMBNAIL,
    Drawing,
    drawing_name,
    strip,
)
from docagent.domain.errors import ReadFailed, ReadFailure

_FIRST_SIZE = (1000, 1500)
_THUMBNAIL_SIZE = (120, 160)
_QUALITY = 80
_LARGEST_SCALE = 4.0
_REREAD_DPI = 300
_SECONDS = 20.0
"""The processor time that pictures of the first page, or one strip, may take: no picture is worth more."""
_UNDRAWN = "The pages of this document cannot be drawn."


def draw_first(document: pdfium.PdfDocument, folder: Path) -> None:
    """Write the pictures of the first page, if it can be drawn."""
    allow_processor_time(_SECONDS)
    try:
        write_first(_drawn(document, 0, _FIRST_SIZE), folder)
    except pdfium.PdfiumError:
        return


def write_first(image: Image.Image, folder: Path) -> None:
    """Write the pictures of the first page, which looks like this."""
    _written(_fitted(image, _FIRST_SIZE), folder / FIRST.name)
    _written(_fitted(image, _THUMBNAIL_SIZE), folder / THUMBNAIL.name)


def draw(request: ReadRequest) -> None:
    """Draw what the request asks for, from a PDF. Raises ReadFailed."""
    assert request.pictures is not None
    try:
        document = pdfium.PdfDocument(request.path, password=request.password)
        document.init_forms()
        if request.drawings:
            _write_drawings(document, request)
        elif request.strip is None:
            write_first(_drawn(document, 0, _FIRST_SIZE), request.pictures)
        else:
            _write_strip(document, request.strip, request.pictures)
    except pdfium.PdfiumError as error:
        raise ReadFailed(ReadFailure.DAMAGED, _UNDRAWN) from error


def reread(request: ReadRequest) -> Iterator[TokenPage]:
    """Read parts of pages, each as a page of its own, with every reader. Raises ReadFailed."""
    try:
        document = pdfium.PdfDocument(request.path, password=request.password)
        document.init_forms()
        recogniser = Recogniser(careful=True)
        for number, drawing in enumerate(request.drawings, start=1):
            image = _region(document, drawing)
            found = recogniser.read(image, dpi=_REREAD_DPI)
            yield TokenPage(number, float(image.width), float(image.height), token_lines(found.lines))
    except RecognitionUnavailable:
        return
    except (pdfium.PdfiumError, IndexError) as error:
        raise ReadFailed(ReadFailure.DAMAGED, _UNDRAWN) from error


def _write_drawings(document: pdfium.PdfDocument, request: ReadRequest) -> None:
    assert request.pictures is not None
    for number, drawing in enumerate(request.drawings):
        allow_processor_time(_SECONDS)
        if not 1 <= drawing.page <= len(document):
            raise ReadFailed(ReadFailure.DAMAGED, f"The document has no page {drawing.page}.")
        _written(_region(document, drawing), request.pictures / drawing_name(number))


def _region(document: pdfium.PdfDocument, drawing: Drawing) -> Image.Image:
    """The part of the page, with what must not be seen painted black."""
    page = document[drawing.page - 1]
    try:
        width, height = page.get_size()
        box = drawing.region
        if not (width > 0 and height > 0 and box.width > 0 and box.height > 0):
            raise pdfium.PdfiumError("empty page")
        scale = min(drawing.width / (width * box.width), drawing.height / (height * box.height))
        crop = box.left * width, (1 - box.bottom) * height, (1 - box.right) * width, box.top * height
        image: Image.Image = page.render(scale=scale, crop=crop).to_pil().convert("RGB")
    finally:
        page.close()
    image = image.resize((drawing.width, drawing.height)) if image.width > drawing.width else image
    pen = ImageDraw.Draw(image)
    across, down = image.width / box.width, image.height / box.height
    for hidden in drawing.covered:
        left, right = (hidden.left - box.left) * across, (hidden.right - box.left) * across
        top, bottom = (hidden.top - box.top) * down, (hidden.bottom - box.top) * down
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill="black")
    return image


def _write_strip(document: pdfium.PdfDocument, part: int, folder: Path) -> None:
    wanted = strip(part)
    numbers = range(wanted.first_page - 1, min(wanted.first_page - 1 + PAGES_A_STRIP, len(document)))
    if not numbers:
        raise ReadFailed(ReadFailure.DAMAGED, _UNDRAWN)
    allow_processor_time(_SECONDS)
    width, height = CELL
    picture = Image.new("RGB", (width, height * len(numbers)), "white")
    for place, index in enumerate(numbers):
        try:
            picture.paste(_drawn(document, index, CELL), (0, place * height))
        except pdfium.PdfiumError:
            continue  # a page that cannot be drawn stays white
    _written(picture, folder / wanted.name)


def _drawn(document: pdfium.PdfDocument, index: int, most: tuple[int, int]) -> Image.Image:
    """The page as large as fits. However large or small it is on paper, the picture is not much larger than that."""
    page = document[index]
    try:
        width, height = page.get_size()
        if not (width > 0 and height > 0):
            raise pdfium.PdfiumError("empty page")
        scale = min(most[0] / width, most[1] / height, _LARGEST_SCALE)
        image: Image.Image = page.render(scale=scale).to_pil()
        return image.convert("RGB")
    finally:
        page.close()


def _fitted(image: Image.Image, most: tuple[int, int]) -> Image.Image:
    smaller = image.copy()
    smaller.thumbnail(most, reducing_gap=2.0)
    return on_white(smaller).convert("RGB")


def _written(image: Image.Image, path: Path) -> None:
    image.save(path, quality=_QUALITY)
