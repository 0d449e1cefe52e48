"""Draws laid-out plain text as a PDF."""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from docagent.adapters.parse.plain.plainlayout import FONT_SIZE, HEIGHT, WIDTH, LaidWord, lay_out

_FONT = "Courier"
_MISSING = "?"


def write_pdf(pages: list[list[str]], target: Path) -> None:
    """Write one PDF page for each page, with every word where the layout puts it."""
    canvas = Canvas(str(target), pagesize=(WIDTH, HEIGHT))
    for page in pages:
        canvas.setFont(_FONT, FONT_SIZE)
        for line in lay_out(page):
            for word in line:
                _draw(canvas, word)
        canvas.showPage()
    canvas.save()


def _draw(canvas: Canvas, word: LaidWord) -> None:
    """Draw a word. The typewriter face has only western European letters; others become question marks."""
    shown = word.text.encode("cp1252", errors="replace").decode("cp1252").replace("\ufffd", _MISSING)
    canvas.drawString(word.x, HEIGHT - word.y, shown)
