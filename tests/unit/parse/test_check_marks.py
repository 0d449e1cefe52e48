from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pypdfium2 as pdfium
import pytest
from PIL import Image, ImageDraw, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.parse.marks.drawn_shapes import Shape, find_shapes
from docagent.adapters.parse.pdf.marks import with_drawn_marks
from docagent.adapters.parse.pdf.ruling import drawing_of
from docagent.adapters.parse.pdf.words import PageFrame, words_of
from tests.unit.parse.made_files import FONT, make_pdf, raw_pdf, stream
from tests.unit.parse.reading import read

Draw = Callable[[Canvas, float, float], None]


def _box(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y, 11, 11)


def _four_lines(canvas: Canvas, x: float, y: float) -> None:
    for ends in ((x, y, x + 9, y), (x, y + 9, x + 9, y + 9), (x, y, x, y + 9), (x + 9, y, x + 9, y + 9)):
        canvas.line(*ends)


def _crossed(canvas: Canvas, x: float, y: float) -> None:
    _box(canvas, x, y)
    canvas.line(x, y, x + 11, y + 11)
    canvas.line(x, y + 11, x + 11, y)


def _ticked(canvas: Canvas, x: float, y: float) -> None:
    """A box with a tick that reaches far out of it, as people draw it."""
    _box(canvas, x, y)
    canvas.setLineWidth(1.5)
    canvas.lines([(x + 2, y + 6, x + 5, y + 2), (x + 5, y + 2, x + 15, y + 17)])
    canvas.setLineWidth(1)


def _typed(canvas: Canvas, x: float, y: float) -> None:
    _box(canvas, x, y)
    canvas.drawString(x + 1.5, y + 1.5, "X")


def _filled(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y, 11, 11, fill=1)


def _flat(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y, 15, 10)


def _circle(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x + 5, y + 5, 5)


def _dotted(canvas: Canvas, x: float, y: float) -> None:
    _circle(canvas, x, y)
    canvas.circle(x + 5, y + 5, 2.2, fill=1)


def _picture(canvas: Canvas, x: float, y: float) -> None:
    image = Image.new("L", (64, 64), 255)
    ImageDraw.Draw(image).rectangle((8, 8, 56, 56), outline=60, width=4)
    ImageDraw.Draw(image).line((14, 14, 50, 50), fill=60, width=4)
    ImageDraw.Draw(image).line((14, 50, 50, 14), fill=60, width=4)
    canvas.drawImage(ImageReader(image), x, y, 16, 16)


MARKS: list[tuple[str, Draw, str]] = [
    ("Single", _box, "[ ]"),
    ("Married", _crossed, "[x]"),
    ("Widowed", _four_lines, "[ ]"),
    ("Divorced", _ticked, "[x]"),
    ("Employed", _typed, "[x]"),
    ("Retired", _filled, "[x]"),
    ("Student", _flat, "[ ]"),
    ("Monthly", _circle, "[ ]"),
    ("Yearly", _dotted, "[x]"),
    ("Weekly", _circle, "[ ]"),
    ("Digital", _picture, "[x]"),
]


def _form(canvas: Canvas) -> None:
    canvas.drawString(72, 780, "Please say which of these apply to you and to your household")
    for number, (label, draw, _) in enumerate(MARKS):
        y = 740 - 30 * number
        draw(canvas, 80, y)
        canvas.drawString(106, y + 1.5, label)


async def test_drawn_boxes_and_circles_are_words_with_a_state(tmp_path: Path) -> None:
    page = (await read(make_pdf(tmp_path / "form.pdf", _form))).page

    assert page.text.splitlines()[1:] == [f"{mark} {label}" for label, _, mark in MARKS]


def _shapes_of(path: Path, dpi: int, spoil: Callable[[Image.Image], Image.Image]) -> list[Shape]:
    """The shapes of a page as a scanner sees it, when nothing of its text has been read."""
    picture = pdfium.PdfDocument(path)[0].render(scale=dpi / 72, grayscale=True).to_pil()
    return find_shapes(spoil(picture), dpi=dpi, words=[])


def _noisy(picture: Image.Image) -> Image.Image:
    dice = random.Random(7)
    noise = Image.frombytes("L", picture.size, dice.randbytes(picture.width * picture.height))
    return Image.blend(picture.filter(ImageFilter.GaussianBlur(0.6)), noise, 0.12)


@pytest.mark.parametrize(
    ("dpi", "spoil"),
    [
        (300, lambda picture: picture),
        (200, lambda picture: picture.rotate(0.8, Image.Resampling.BICUBIC, fillcolor=255)),
        (150, _noisy),
    ],
    ids=["clean", "sloping", "noisy"],
)
def test_boxes_are_found_in_scans(
    tmp_path: Path, dpi: int, spoil: Callable[[Image.Image], Image.Image]
) -> None:
    path = make_pdf(tmp_path / "form.pdf", _form)

    found = [one for one in _shapes_of(path, dpi, spoil) if one.right < 0.175]

    states = [one.marked for one in sorted(found, key=lambda one: one.top)]
    assert states == [mark == "[x]" for _, _, mark in MARKS]


def _no_marks(canvas: Canvas) -> None:
    """Shapes that are no check marks: cells for one digit each, squares of a table, bullets, a code of squares."""
    canvas.drawString(72, 780, "Account number, one digit in each cell, and three points")
    for cell in range(8):
        canvas.rect(80 + 12 * cell, 740, 12, 14)
        canvas.rect(250 + 16 * cell, 740, 13, 14)
    canvas.grid([80, 95, 110, 125], [660, 675, 690, 705])
    for number, text in enumerate(("Copper pipe", "Elbow", "Labour")):
        canvas.rect(80, 620 - 20 * number, 6, 6, fill=1)
        canvas.drawString(96, 620 - 20 * number, text)
    canvas.drawString(160, 520, "Scan to pay")
    dice = random.Random(3)
    for row in range(21):
        for column in range(21):
            if dice.random() < 0.5:
                canvas.rect(80 + 3 * column, 480 + 3 * row, 3, 3, fill=1, stroke=0)


async def test_cells_bullets_and_codes_are_no_check_marks(tmp_path: Path) -> None:
    page = (await read(make_pdf(tmp_path / "a.pdf", _no_marks))).page

    assert "[" not in page.text


async def test_recognised_boxes_stand_beside_their_labels(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "form.pdf", _form)
    picture = pdfium.PdfDocument(path)[0].render(scale=150 / 72, grayscale=True).to_pil()
    picture.crop((100, 100, 1000, 425)).save(tmp_path / "form.png", dpi=(150, 150))

    page = (await read(tmp_path / "form.png")).page

    assert page.text.splitlines()[1:] == ["[ ] Single", "[x] Married", "[ ] Widowed", "[x] Divorced"]


async def test_signs_of_symbol_fonts_and_typed_brackets_are_marks(tmp_path: Path) -> None:
    wingdings = (
        b"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Wingdings-Regular /FirstChar 0 /LastChar 255 "
        b"/Widths [%s] /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Wingdings-Regular /Flags 4 "
        b"/FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>"
    ) % (b"900 " * 256)
    path = raw_pdf(
        tmp_path / "a.pdf",
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F 5 0 R /W 6 0 R >> >> >>",
            4: stream(
                b"BT /W 12 Tf 72 700 Td (\xfe) Tj /F 12 Tf 20 0 Td (Married) Tj ET "
                b"BT /W 12 Tf 72 680 Td (o) Tj /F 12 Tf 10 0 Td (Widowed) Tj ET "
                b"BT /F 12 Tf 72 660 Td ([ X ] Retired [ ] Student [x]Other) Tj ET"
            ),
            5: FONT,
            6: wingdings,
        },
    )

    page = (await read(path)).page

    assert page.text.splitlines() == [
        "\u2611 Married",
        "\u2610 Widowed",
        "[x] Retired [ ] Student [x] Other",
    ]
    assert "[ ]" in [word.text for word in page.words]


class _Watched:
    """A page that counts how often it is rendered."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page = page
        self.renders = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def render(self, **options: Any) -> Any:
        self.renders += 1
        return self._page.render(**options)


def _tables_and_drawings(canvas: Canvas) -> None:
    """Draw what has the size of boxes but is none: cells, ticks of a scale, a logo, squares without a label."""
    canvas.grid([72 + 20 * number for number in range(9)], [700 - 14 * number for number in range(9)])
    for row in range(8):
        for column in range(8):
            canvas.drawString(75 + 20 * column, 690 - 14 * row, "42")
    for number in range(12):
        canvas.line(72 + 30 * number, 500, 72 + 30 * number, 508)
        canvas.line(72, 480 - 10 * number, 80, 480 - 10 * number)
    logo = canvas.beginPath()
    logo.moveTo(300, 750)
    for number in range(20):
        logo.lineTo(300 + 7 * number % 30, 750 + 11 * number % 29)
    canvas.drawPath(logo, fill=1)
    canvas.rect(500, 100, 11, 11)


def _labelled_box(canvas: Canvas) -> None:
    _tables_and_drawings(canvas)
    _four_lines(canvas, 72, 300)
    canvas.drawString(90, 300, "Married")


@pytest.mark.parametrize(("draw", "renders"), [(_tables_and_drawings, 0), (_labelled_box, 1)])
def test_a_page_is_rendered_only_if_its_lines_may_be_boxes(
    tmp_path: Path, draw: Callable[[Canvas], None], renders: int
) -> None:
    page = pdfium.PdfDocument(make_pdf(tmp_path / "a.pdf", draw))[0]
    watched, frame = _Watched(page), PageFrame.of(page)
    words = words_of(page.get_textpage(), frame).words
    with_drawn_marks(cast("pdfium.PdfPage", watched), frame, words, [], drawing_of(page, frame))
    assert watched.renders == renders
