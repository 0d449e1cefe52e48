from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from docagent.domain.documents.text import WordSource
from tests.unit.parse.made_files import A4, make_pdf, one_page_pdf, text_at
from tests.unit.parse.reading import close_to, read, word


async def test_words_carry_the_boxes_in_which_they_are_drawn(tmp_path: Path) -> None:
    path = make_pdf(tmp_path / "a.pdf", text_at(100, 500, "Hello Hamburg", font_size=20))
    page = (await read(path)).page
    width, height = A4
    hamburg = 100 + stringWidth("Hello ", "Helvetica", 20)
    cap_height = 0.72 * 20

    hello = word(page, "Hello")
    assert (page.width, page.height) == A4
    assert close_to(
        hello.box,
        100 / width,
        (height - 500 - cap_height) / height,
        (100 + stringWidth("Hello", "Helvetica", 20)) / width,
        (height - 500) / height,
    )
    assert abs(word(page, "Hamburg").box.left - hamburg / width) < 0.004
    assert hello.source is WordSource.TEXT
    assert hello.confidence == 1.0
    assert page.text == "Hello Hamburg"
    assert page.note is None


@pytest.mark.parametrize(
    ("rotation", "left", "top"),
    [
        (0, 100 / 600, 300 / 800),
        (90, 500 / 800, 100 / 600),
        (180, 500 / 600, 500 / 800),
        (270, 300 / 800, 500 / 600),
    ],
)
async def test_boxes_follow_the_rotation_of_the_page(
    tmp_path: Path, rotation: int, left: float, top: float
) -> None:
    """The word starts at x=100, 500 above the bottom of a page of 600 x 800."""
    path = one_page_pdf(
        tmp_path / "a.pdf",
        b"BT /F 10 Tf 100 500 Td (Start) Tj ET",
        b"/MediaBox [0 0 600 800] /Rotate %d" % rotation,
    )
    page = (await read(path)).page
    box = word(page, "Start").box
    start = {
        0: (box.left, box.bottom),
        90: (box.left, box.top),
        180: (box.right, box.top),
        270: (box.right, box.bottom),
    }[rotation]
    assert start == pytest.approx((left, top), abs=0.003)
    assert (page.width, page.height) == ((800, 600) if rotation in (90, 270) else (600, 800))


async def test_boxes_are_fractions_of_the_crop_box(tmp_path: Path) -> None:
    path = one_page_pdf(
        tmp_path / "a.pdf",
        b"BT /F 10 Tf 150 300 Td (Inside) Tj ET BT /F 10 Tf 10 20 Td (Outside) Tj ET",
        b"/MediaBox [-50 -50 750 950] /CropBox [100 200 300 600]",
    )
    page = (await read(path)).page
    box = word(page, "Inside").box
    assert (page.width, page.height) == (200, 400)
    assert (box.left, box.bottom) == pytest.approx((50 / 200, 300 / 400), abs=0.005)
    assert page.text == "Inside"


async def test_a_label_and_its_value_share_a_line(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for row, label in enumerate(("Invoice", "Date", "Total")):
            canvas.drawString(72, 700 - 20 * row, f"{label}:")
        for row, value in enumerate(("4711", "2024-05-01", "99.50")):
            canvas.drawString(400, 700 - 20 * row, value)

    page = (await read(make_pdf(tmp_path / "a.pdf", draw))).page
    assert page.text.splitlines() == ["Invoice: 4711", "Date: 2024-05-01", "Total: 99.50"]


async def test_columns_of_running_text_are_read_one_after_the_other(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(
            72, 760, "A headline that runs over the whole width of the page, across both columns here"
        )
        for row in range(8):
            canvas.drawString(72, 700 - 16 * row, f"left{row} column words running on")
            canvas.drawString(320, 700 - 16 * row, f"right{row} column words running on")
        canvas.drawString(
            72, 500, "A last line that runs over the whole width of the page, across both columns too"
        )

    lines = (await read(make_pdf(tmp_path / "a.pdf", draw))).page.text.splitlines()
    firsts = [line.split()[0] for line in lines]
    assert firsts == ["A", *(f"left{row}" for row in range(8)), *(f"right{row}" for row in range(8)), "A"]


async def test_text_that_runs_up_the_page_forms_lines(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "upright text")
        canvas.rotate(90)
        canvas.drawString(200, -40, "sideways stamp in margin")

    lines = (await read(make_pdf(tmp_path / "a.pdf", draw))).page.text.splitlines()
    assert lines == ["upright text", "sideways stamp in margin"]


async def test_hyphens_at_line_ends_stay_as_printed(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "This is an exam-")
        canvas.drawString(72, 684, "ple of hyphens")

    assert (await read(make_pdf(tmp_path / "a.pdf", draw))).page.text.splitlines() == [
        "This is an exam-",
        "ple of hyphens",
    ]


async def test_invisible_text_counts(tmp_path: Path) -> None:
    path = one_page_pdf(tmp_path / "a.pdf", b"BT 3 Tr /F 10 Tf 100 500 Td (recognised before) Tj ET")
    assert (await read(path)).page.text == "recognised before"


async def test_an_empty_page_says_so(tmp_path: Path) -> None:
    page = (await read(one_page_pdf(tmp_path / "a.pdf", b""))).page
    assert page.lines == ()
    assert page.note == "No text was found on this page."
