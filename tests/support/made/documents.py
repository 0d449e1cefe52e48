"""Small documents for tests, made on the spot."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas


def pdf(*pages: Sequence[str], password: str | None = None) -> bytes:
    """Make a PDF with a text layer. Each page is a list of lines."""
    target = io.BytesIO()
    encrypt = StandardEncryption(password, ownerPassword="owner", strength=128) if password else None
    canvas = Canvas(target, pagesize=(612, 792), encrypt=encrypt)
    for lines in pages or (["Hello"],):
        for number, line in enumerate(lines):
            canvas.drawString(72, 720 - 18 * number, line)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def png(text: str) -> bytes:
    """Make a picture of a line of text, as large as in a scan at 150 dpi."""
    image = Image.new("L", (1275, 400), "white")
    ImageDraw.Draw(image).text((100, 150), text, fill="black", font=ImageFont.load_default(48))
    target = io.BytesIO()
    image.save(target, "PNG", dpi=(150, 150))
    return target.getvalue()


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def stamped_pdf(lines: Sequence[str], stamp: str) -> bytes:
    """Make a PDF whose text layer lacks what is stamped on its page, in the middle of the right half."""
    picture = Image.new("L", (600, 120), "white")
    ImageDraw.Draw(picture).text((20, 20), stamp, fill="black", font=ImageFont.load_default(60))
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(595, 842))
    for number, line in enumerate(lines):
        canvas.drawString(72, 720 - 18 * number, line)
    canvas.drawImage(ImageReader(picture), 300, 500, 210, 42)
    canvas.save()
    return target.getvalue()


def scanned_pdf(*texts: str) -> bytes:
    """Make a PDF of pictures: one page for each text, without a text layer."""
    pages = [Image.open(io.BytesIO(png(text))) for text in texts]
    target = io.BytesIO()
    pages[0].save(target, "PDF", save_all=True, append_images=pages[1:], resolution=150)
    return target.getvalue()
