"""A small file of every format, made on the spot. `make check` wants one for each line of the table of formats."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable

import docx
import openpyxl
from PIL import Image

from tests.support.made.documents import pdf, png

SAYS = "Harbour dues"


def _docx() -> bytes:
    target, document = io.BytesIO(), docx.Document()
    document.add_paragraph(SAYS)
    document.save(target)
    return target.getvalue()


def _xlsx() -> bytes:
    target, workbook = io.BytesIO(), openpyxl.Workbook()
    workbook.worksheets[0].append(SAYS.split())
    workbook.save(target)
    return target.getvalue()


def _xls() -> bytes:
    """Make a sheet of Excel 2.1, the oldest of the older formats: a stream of numbered records."""

    def record(number: int, content: bytes) -> bytes:
        return struct.pack("<HH", number, len(content)) + content

    cells = [
        record(0x0004, struct.pack("<HH3sB", 0, column, bytes(3), len(text)) + text.encode())
        for column, text in enumerate(SAYS.split())
    ]
    return record(0x0009, struct.pack("<HH", 2, 0x0010)) + b"".join(cells) + record(0x000A, b"")


def _doc() -> bytes:
    """Make something that begins as Word's older files do. Nothing but LibreOffice opens them."""
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000)


def _picture(kind: str) -> Callable[[], bytes]:
    def make() -> bytes:
        target = io.BytesIO()
        Image.open(io.BytesIO(png(SAYS))).save(target, kind, dpi=(150, 150))
        return target.getvalue()

    return make


MADE: dict[str, Callable[[], bytes]] = {
    ".pdf": lambda: pdf([SAYS]),
    ".docx": _docx,
    ".doc": _doc,
    ".csv": lambda: SAYS.replace(" ", ",").encode(),
    ".xls": _xls,
    ".xlsx": _xlsx,
    ".txt": SAYS.encode,
    ".md": f"# {SAYS}".encode,
    ".jpg": _picture("JPEG"),
    ".jpeg": _picture("JPEG"),
    ".png": _picture("PNG"),
    ".gif": _picture("GIF"),
    ".webp": _picture("WEBP"),
    ".bmp": _picture("BMP"),
    ".tiff": _picture("TIFF"),
    ".tif": _picture("TIFF"),
}
