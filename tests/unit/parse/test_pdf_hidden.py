"""Words that nobody sees on a page, and the text layers of scans, which say what is seen."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from docagent.domain.documents.text import Page, WordSource
from tests.unit.parse.made_files import A4, make_pdf
from tests.unit.parse.reading import read

HIDDEN, TEXT, OCR = WordSource.HIDDEN, WordSource.TEXT, WordSource.OCR
INVISIBLE = 3
LEFT, SIZE = 72, 12


def sources(page: Page) -> dict[str, WordSource]:
    return {word.text: word.source for word in page.words}


def line(number: int) -> float:
    return A4[1] - 60 - 24 * number


def put(canvas: Canvas, number: int, text: str, *, mode: int | None = None, size: float = SIZE) -> None:
    canvas.setFont("Helvetica", size)
    canvas.drawString(LEFT, line(number), text, mode=mode)


def bar(canvas: Canvas, number: int, grey: float, alpha: float = 1.0) -> None:
    canvas.saveState()
    canvas.setFillGray(grey, alpha)
    canvas.rect(LEFT - 10, line(number) - 6, 200, 22, stroke=0, fill=1)
    canvas.restoreState()


def picture(canvas: Canvas, number: int) -> None:
    noise = Image.linear_gradient("L").resize((40, 20))
    canvas.drawImage(ImageReader(noise), LEFT - 10, line(number) - 6, 200, 22)


def coloured(canvas: Canvas, number: int, text: str, grey: float, alpha: float = 1.0) -> None:
    canvas.saveState()
    canvas.setFillGray(grey, alpha)
    put(canvas, number, text)
    canvas.restoreState()


def stencil(canvas: Canvas, number: int, text: str, *, painted: bool) -> None:
    """Letters that only let through what is painted over them."""
    canvas.saveState()
    put(canvas, number, text, mode=7)
    if painted:
        bar(canvas, number, 0.2)
    canvas.restoreState()


def everything(canvas: Canvas) -> None:
    put(canvas, 0, "plain")
    put(canvas, 1, "invisible", mode=INVISIBLE)
    coloured(canvas, 2, "white", 1.0)
    coloured(canvas, 3, "nearlywhite", 0.96)
    coloured(canvas, 4, "grey", 0.6)
    bar(canvas, 5, 0.0)
    coloured(canvas, 5, "whiteonblack", 1.0)
    bar(canvas, 6, 0.0)
    put(canvas, 6, "blackonblack")
    put(canvas, 7, "underpicture")
    picture(canvas, 7)
    picture(canvas, 8)
    put(canvas, 8, "onpicture")
    put(canvas, 9, "underpaint")
    bar(canvas, 9, 1.0)
    put(canvas, 10, "highlighted")
    bar(canvas, 10, 0.5, alpha=0.3)
    bar(canvas, 11, 0.9)
    put(canvas, 11, "onshading")
    put(canvas, 12, "tiny", size=1)
    put(canvas, 13, "small", size=5)
    coloured(canvas, 14, "transparent", 0.0, alpha=0.0)
    put(canvas, 15, "above")
    put(canvas, 15, "beneath", mode=INVISIBLE)
    stencil(canvas, 16, "stencil", painted=True)
    stencil(canvas, 17, "emptystencil", painted=False)
    canvas.drawString(A4[0] + 50, line(16), "outside")
    canvas.saveState()
    canvas.translate(100, line(22))
    canvas.rotate(90)
    canvas.drawString(0, 0, "upright")
    canvas.restoreState()


async def test_only_what_nobody_sees_is_hidden(tmp_path: Path) -> None:
    page = (await read(make_pdf(tmp_path / "page.pdf", everything))).page

    found = sources(page)

    assert {text for text, source in found.items() if source is HIDDEN} == {
        "invisible",
        "white",
        "nearlywhite",
        "blackonblack",
        "underpicture",
        "underpaint",
        "tiny",
        "transparent",
        "beneath",
        "emptystencil",
    }
    assert {text for text, source in found.items() if source is TEXT} == {
        "plain",
        "grey",
        "whiteonblack",
        "onpicture",
        "highlighted",
        "onshading",
        "small",
        "above",
        "stencil",
        "upright",
    }


SCANNED = [f"Item{number} costs {number}00" for number in range(10, 20)]
"""So many words that the picture is not recognised in addition."""


def scan(canvas: Canvas, *, drawn_last: bool = False) -> None:
    """A page that is a picture, and its text as a recognition program lays it there."""
    image = Image.new("L", (595, 842), 255)
    draw = ImageDraw.Draw(image)
    for number, text in enumerate(SCANNED):
        draw.text((LEFT, A4[1] - line(number) - SIZE), text, fill=0, font=ImageFont.load_default(size=SIZE))
    if not drawn_last:
        canvas.drawImage(ImageReader(image), 0, 0, *A4)
    for number, text in enumerate(SCANNED):
        put(canvas, number, text, mode=0 if drawn_last else INVISIBLE)
    if drawn_last:
        canvas.drawImage(ImageReader(image), 0, 0, *A4)


def scan_with_more(canvas: Canvas) -> None:
    scan(canvas)
    put(canvas, 25, "smuggled", mode=INVISIBLE)
    put(canvas, 28, "stamped")
    put(canvas, 28, "forged", mode=INVISIBLE)


def scan_over_text(canvas: Canvas) -> None:
    scan(canvas, drawn_last=True)


def letter_on_a_picture(canvas: Canvas) -> None:
    """A letter with a background that fills the page. What is invisible there is no scan's text."""
    background = Image.linear_gradient("L").resize((60, 84)).point(lambda grey: 128 + grey // 2)
    canvas.drawImage(ImageReader(background), 0, 0, *A4)
    for number in range(20):
        put(canvas, number, f"Seen{number} and read")
    canvas.drawString(LEFT + 200, line(3), "secret", mode=INVISIBLE)


async def test_the_text_layer_of_a_scan_is_not_hidden(tmp_path: Path) -> None:
    made = make_pdf(tmp_path / "scans.pdf", scan_with_more, scan_over_text, letter_on_a_picture)

    layered, covered, letter = map(sources, (await read(made)).pages)

    assert {text for text, source in layered.items() if source is HIDDEN} == {"smuggled", "forged"}
    assert set(covered.values()) == {TEXT}
    assert {text for text, source in letter.items() if source is HIDDEN} == {"secret"}


def hidden_over_a_picture(canvas: Canvas) -> None:
    image = Image.new("L", (1190, 1684), 255)
    ImageDraw.Draw(image).text((150, 150), "Printed in ink", fill=0, font=ImageFont.load_default(size=60))
    canvas.drawImage(ImageReader(image), 0, 0, *A4)
    for number in range(10, 34):
        put(canvas, number, f"Invented{number} words", mode=INVISIBLE)


async def test_a_picture_under_hidden_words_is_recognised(tmp_path: Path) -> None:
    page = (await read(make_pdf(tmp_path / "page.pdf", hidden_over_a_picture))).page

    found = sources(page)

    assert found["Printed"] is OCR
    assert found["Invented10"] is HIDDEN


async def test_a_page_with_only_hidden_words_says_so(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        put(canvas, 1, "nothing here", mode=INVISIBLE)

    page = (await read(make_pdf(tmp_path / "page.pdf", draw))).page

    assert page.note == "No text was found on this page."
    assert set(sources(page).values()) == {HIDDEN}
