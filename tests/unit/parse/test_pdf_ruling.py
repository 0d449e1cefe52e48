from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from docagent.reading.layout.tables import find_tables
from tests.unit.parse.made_files import make_pdf
from tests.unit.parse.reading import read

ROWS = [["Risk", "What may happen"], ["Supply", "The harbour closes"], ["", "In Winter"]]


def _write(canvas: Canvas) -> None:
    for number, row in enumerate(ROWS):
        for x, text in zip((80, 180), row, strict=True):
            canvas.drawString(x, 700 - 16 * number, text)


def _stroked(canvas: Canvas) -> None:
    _write(canvas)
    canvas.grid([72, 172, 320], [660, 695, 715])


def _boxes(canvas: Canvas) -> None:
    """Cells as boxes with a fill, drawn in a group that is moved to its place."""
    canvas.beginForm("cells")
    canvas.setFillGray(0.9)
    for x, width in ((0, 100), (100, 148)):
        for y, height in ((0, 35), (35, 20)):
            canvas.rect(x, y, width, height, fill=1, stroke=0)
    canvas.endForm()
    canvas.translate(72, 660)
    canvas.doForm("cells")
    canvas.translate(-72, -660)
    canvas.setFillGray(0)
    _write(canvas)


def _turned(canvas: Canvas) -> None:
    canvas.setPageRotation(90)
    canvas.translate(900, 0)
    canvas.rotate(90)
    _stroked(canvas)


def _thin_boxes(canvas: Canvas) -> None:
    """Lines as filled boxes, as word processors draw them."""
    _write(canvas)
    for y in (660, 695, 715):
        canvas.rect(72, y, 248, 0.5, fill=1, stroke=0)
    for x in (72, 172, 320):
        canvas.rect(x, 660, 0.5, 55, fill=1, stroke=0)


async def test_lines_of_a_table_are_kept_with_the_page(tmp_path: Path) -> None:
    pages = (await read(make_pdf(tmp_path / "a.pdf", _stroked, _boxes, _thin_boxes, _turned))).pages

    for page in pages:
        [table] = find_tables(page)
        assert [[cell.text for cell in row] for row in table.rows] == [
            ["Risk", "What may happen"],
            ["Supply", "The harbour closes In Winter"],
        ]
