"""Documents made for the tests of the file reader."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

A4 = (595.0, 842.0)


def make_pdf(
    path: Path, *pages: Callable[[Canvas], None], size: tuple[float, float] = A4, password: str | None = None
) -> Path:
    """A PDF with one page for each function, which draws it."""
    encryption = StandardEncryption(password, ownerPassword="owner") if password is not None else None
    canvas = Canvas(str(path), pagesize=size, encrypt=encryption)
    for draw in pages:
        canvas.setFont("Helvetica", 12)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def text_at(x: float, y: float, text: str, font_size: float = 12) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", font_size)
        canvas.drawString(x, y, text)

    return draw


def picture_of_text(lines: Iterable[str], width: int = 1240, height: int = 1754) -> Image.Image:
    """A page as a scanner with 150 dpi would see it."""
    image = Image.new("L", (width, height), 255)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=44)
    for number, line in enumerate(lines):
        draw.text((120, 150 + 90 * number), line, fill=0, font=font)
    return image


def scanned(lines: Iterable[str]) -> Callable[[Canvas], None]:
    """A page that is only a picture of text."""
    image = picture_of_text(lines)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image), 0, 0, *A4)

    return draw


def raw_pdf(path: Path, objects: dict[int, bytes]) -> Path:
    """A PDF of hand-written objects. Object 1 has to be the catalogue."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in objects.items():
        places[number] = out.tell()
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (max(objects) + 1))
    for number in range(1, max(objects) + 1):
        out.write(b"%010d 00000 n \n" % places[number])
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, start))
    path.write_bytes(out.getvalue())
    return path


def stream(content: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(content)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), entries, packed)


FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def one_page_pdf(path: Path, content: bytes, page_entries: bytes = b"/MediaBox [0 0 595 842]") -> Path:
    """A page with one content stream and the font /F."""
    return raw_pdf(
        path,
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> %s >>"
            % page_entries,
            4: stream(content),
            5: FONT,
        },
    )


def pdf_with_endless_page(path: Path) -> Path:
    """Three pages; the middle one draws a form that draws a form, ten times each, and so on."""
    depth, first_form = 12, 20
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources %s >>"
    text = b"BT /F 12 Tf 72 700 Td (%s) Tj ET"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 >>",
        3: page % (6, b"<< /Font << /F 9 0 R >> >>"),
        4: page % (7, b"<< /XObject << /X %d 0 R >> >>" % first_form),
        5: page % (8, b"<< /Font << /F 9 0 R >> >>"),
        6: stream(text % b"before"),
        7: stream(b"/X Do"),
        8: stream(text % b"after"),
        9: FONT,
        **dict.fromkeys(range(10, first_form), b"null"),
    }
    for level in range(depth):
        number = first_form + level
        entries = (
            b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X %d 0 R >> >>"
        )
        objects[number] = stream(b"/X Do " * 10, entries % (number + 1))
    objects[first_form + depth] = stream(
        b"0 0 m 9 9 l S", b"/Type /XObject /Subtype /Form /BBox [0 0 595 842]"
    )
    return raw_pdf(path, objects)
