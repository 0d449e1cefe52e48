"""Draws pictures of pages, in the reading process: of the first page as a document is read, of others when asked."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from docagent.adapters.parse.imaging import on_white
from docagent.adapters.parse.limits import allow_processor_time
from docagent.adapters.parse.request import ReadRequest
from docagent.domain.documents.pictures import CELL, FIRST, PAGES_A_STRIP, THUMBNAIL, strip
from docagent.domain.errors import ReadFailed, ReadFailure

_FIRST_SIZE = (1000, 1500)
_THUMBNAIL_SIZE = (120, 160)
_QUALITY = 80
_LARGEST_SCALE = 4.0
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
        if request.strip is None:
            write_first(_drawn(document, 0, _FIRST_SIZE), request.pictures)
        else:
            _write_strip(document, request.strip, request.pictures)
    except pdfium.PdfiumError as error:
        raise ReadFailed(ReadFailure.DAMAGED, _UNDRAWN) from error


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
