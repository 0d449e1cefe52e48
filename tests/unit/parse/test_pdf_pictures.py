"""Pages that have to be read as pictures."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.parse.limits import MIB, ReadLimits
from docagent.domain.documents.text import WordSource
from tests.unit.parse.made_files import (
    A4,
    make_pdf,
    one_page_pdf,
    picture_of_text,
    raw_pdf,
    scanned,
    stream,
    text_at,
)
from tests.unit.parse.reading import read, word


async def test_picture_pages_among_text_pages_are_recognised(tmp_path: Path) -> None:
    path = make_pdf(
        tmp_path / "a.pdf",
        text_at(72, 700, "typed page"),
        scanned(["Invoice number 12345", "Total amount 99.50"]),
    )
    typed, scan = (await read(path)).pages
    assert typed.text == "typed page"
    assert scan.text.splitlines() == ["Invoice number 12345", "Total amount 99.50"]
    number = word(scan, "12345")
    assert number.source is WordSource.OCR
    assert 0.5 < number.confidence <= 1
    assert 0.08 < number.box.top < 0.13


async def test_a_stamp_on_a_scan_does_not_hide_the_scan(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        scanned(["Invoice number 12345", "Total amount 99.50"])(canvas)
        canvas.drawString(72, 60, "RECEIVED 2024-05-01")

    page = (await read(make_pdf(tmp_path / "a.pdf", draw))).page
    assert page.text.splitlines() == ["Invoice number 12345", "Total amount 99.50", "RECEIVED 2024-05-01"]
    assert word(page, "RECEIVED").source is WordSource.TEXT


async def test_glyphs_without_meaning_are_recognised_by_their_shape(tmp_path: Path) -> None:
    """The font draws letters, but says that they are characters for private use."""
    lines = ["The quick brown fox jumps", "over the lazy dog while it", "rains on the green hills"]
    content = b"".join(
        b"BT /F 30 Tf 72 %d Td (%s) Tj ET " % (700 - 60 * row, line.encode())
        for row, line in enumerate(lines)
    )
    meaning = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <21> <7E> <E021> endbfrange"
    path = raw_pdf(
        tmp_path / "a.pdf",
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F 5 0 R >> >> >>",
            4: stream(content),
            5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
            6: stream(meaning),
        },
    )
    page = (await read(path)).page
    assert page.text.splitlines() == lines
    assert {entry.source for entry in page.words} == {WordSource.OCR}


async def test_a_page_of_absurd_size_is_not_rendered(tmp_path: Path) -> None:
    path = one_page_pdf(tmp_path / "a.pdf", b"0 0 1000 1000 re f", b"/MediaBox [0 0 2000000000 2000000000]")
    page = (await read(path)).page
    assert page.lines == ()
    assert page.note == "This page is too large to be read as a picture."


async def test_rendering_stays_below_the_limit_on_pixels(tmp_path: Path) -> None:
    """With a memory limit that the full size would break."""
    path = one_page_pdf(tmp_path / "a.pdf", b"0 0 100 100 re f", b"/MediaBox [0 0 7200 7200]")
    page = (await read(path, ReadLimits(max_pixels=5_000_000, memory_bytes=350 * MIB))).page
    assert page.note == "No text was found on this page."


async def test_a_turned_scan_gets_boxes_on_the_page_as_shown(tmp_path: Path) -> None:
    image = picture_of_text([f"Line number {row} of a page that lies on its side" for row in range(8)])
    turned = image.transpose(Image.Transpose.ROTATE_90)

    def draw(canvas: Canvas) -> None:
        canvas.setPageSize((A4[1], A4[0]))
        canvas.drawImage(ImageReader(turned), 0, 0, A4[1], A4[0])

    page = (await read(make_pdf(tmp_path / "a.pdf", draw))).page
    assert page.text.splitlines()[0] == "Line number 0 of a page that lies on its side"
    first, last = page.lines[0].box, page.lines[-1].box
    assert first.height > first.width
    assert first.right < last.left
