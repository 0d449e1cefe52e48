"""Makes the documents to measure: plain business pages, and the same pages as a scan."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pypdfium2
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

SCAN_DPI = 200
PROSE = """
    the order was placed on account and delivered to our warehouse in good condition while payment remains due
    within thirty days of receipt unless both parties agree in writing to another term which then shall apply
    to every open invoice of this customer including freight insurance customs duties and other agreed charges
"""
WORDS = PROSE.split()
SENTENCES_A_PARAGRAPH = 5


def make_pdf(path: Path, pages: int, seed: int = 1) -> None:
    """Write pages of about 2,750 characters: a heading, prose, and a table of eight rows."""
    dice = random.Random(seed)
    styles = getSampleStyleSheet()
    story: list[object] = []
    for number in range(1, pages + 1):
        story += [
            Paragraph(f"Statement of account, part {number}", styles["Heading1"]),
            *(Paragraph(_prose(dice), styles["BodyText"]) for _ in range(4)),
            Spacer(1, 12),
            Table([["Item", "Quantity", "Price", "Total"], *(_row(dice) for _ in range(8))]),
            PageBreak(),
        ]
    SimpleDocTemplate(str(path), pagesize=A4).build(story)


def order_pdf(number: int) -> bytes:
    """Make a purchase order of one page. All orders have the same labels, and each has values of its own."""
    dice = random.Random(number)
    written = io.BytesIO()
    page = Canvas(written, pagesize=A4, invariant=True)
    lines = [
        "PURCHASE ORDER",
        f"Order number: PO-{20_000 + number}",
        f"Order date: 2026-{dice.randint(1, 9):02}-{dice.randint(10, 28)}",
        f"Supplier: {dice.choice(WORDS).title()} Traders Ltd",
        f"Delivery date: 2026-{dice.randint(10, 12)}-{dice.randint(10, 28)}",
        "Currency: EUR",
        f"Total: {dice.randint(100, 90_000) / 100:.2f}",
    ]
    for place, line in enumerate(lines):
        page.drawString(72, 760 - 24 * place, line)
    page.save()
    return written.getvalue()


def scan_images(pdf: Path) -> list[Image.Image]:
    """Return each page as a grey picture, as a scanner would."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.render(scale=SCAN_DPI / 72, grayscale=True).to_pil() for page in document]


def make_scan(path: Path, images: list[Image.Image]) -> None:
    """Write a PDF of pictures, without any text."""
    images[0].save(path, save_all=True, append_images=images[1:], resolution=SCAN_DPI)


def _prose(dice: random.Random) -> str:
    sentences = (" ".join(dice.choices(WORDS, k=dice.randint(16, 24))) for _ in range(SENTENCES_A_PARAGRAPH))
    return " ".join(f"{sentence.capitalize()}." for sentence in sentences)


def _row(dice: random.Random) -> list[str]:
    quantity, price = dice.randint(1, 90), dice.randint(100, 99_999)
    return [
        f"Article {dice.randint(10_000, 99_999)}",
        str(quantity),
        f"{price / 100:,.2f}",
        f"{quantity * price / 100:,.2f}",
    ]
