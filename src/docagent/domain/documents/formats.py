"""The file formats that can be uploaded, one line each.

Upload, parsing, serving, the web client and the manual take what they need from this table.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from docagent.domain import plugins


class Shown(StrEnum):
    """How a file becomes the PDF that people look at."""

    AS_IT_IS = "as it is"
    DRAWN = "drawn by docagent"
    WRITER = "converted by LibreOffice Writer"
    CALC = "converted by LibreOffice Calc"

    @property
    def is_converted(self) -> bool:
        return self in (Shown.WRITER, Shown.CALC)


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file."""

    mime_type: str
    extensions: tuple[str, ...]
    group: str
    """What people call it, and others that they use alike."""
    parser: str | None
    """The module of `adapters/parse` that reads it, or None if only a converted file can be read."""
    shown: Shown
    serves_ocr: bool = True
    """Whether DocRouter's contract serves its text under `/ocr`. The text is read either way."""
    is_added: bool = False
    """Whether another package reads it. `parser` is then the whole name of its module."""

    @property
    def is_office_package(self) -> bool:
        """Whether the file is a zip archive of XML parts."""
        return "openxmlformats" in self.mime_type


_OPEN_XML = "application/vnd.openxmlformats-officedocument"
TABLE = (
    Format("application/pdf", (".pdf",), "PDF", "pdf.pages", Shown.AS_IT_IS),
    Format(f"{_OPEN_XML}.wordprocessingml.document", (".docx",), "Word", "office.docx_text", Shown.WRITER),
    Format("application/msword", (".doc",), "Word", None, Shown.WRITER),
    Format("text/csv", (".csv",), "text", "plain.csv_text", Shown.DRAWN, serves_ocr=False),
    Format("application/vnd.ms-excel", (".xls",), "Excel", "office.xls_text", Shown.CALC, serves_ocr=False),
    Format(
        f"{_OPEN_XML}.spreadsheetml.sheet",
        (".xlsx",),
        "Excel",
        "office.xlsx_text",
        Shown.CALC,
        serves_ocr=False,
    ),
    Format("text/plain", (".txt",), "text", "plain.plain_text", Shown.DRAWN, serves_ocr=False),
    Format("text/markdown", (".md",), "text", "plain.plain_text", Shown.DRAWN, serves_ocr=False),
    Format("image/jpeg", (".jpg", ".jpeg"), "pictures", "images", Shown.DRAWN),
    Format("image/png", (".png",), "pictures", "images", Shown.DRAWN),
    Format("image/gif", (".gif",), "pictures", "images", Shown.DRAWN),
    Format("image/webp", (".webp",), "pictures", "images", Shown.DRAWN),
    Format("image/bmp", (".bmp",), "pictures", "images", Shown.DRAWN),
    Format("image/tiff", (".tiff", ".tif"), "pictures", "images", Shown.DRAWN),
)


class Formats(dict[str, Format]):
    """Formats by extension, in lower case with its dot. Those that other packages add are looked for when needed."""

    def __contains__(self, extension: object) -> bool:
        return super().__contains__(extension) or extension in _added()

    def __missing__(self, extension: str) -> Format:
        return _added()[extension]


@cache
def _added() -> Mapping[str, Format]:
    """The formats of entry points, which are named after an extension and name the module that reads it."""
    return {
        f".{point.name.lower()}": Format(
            mimetypes.guess_type(f"file.{point.name}")[0] or "application/octet-stream",
            (f".{point.name.lower()}",),
            point.name.upper(),
            point.module,
            Shown.DRAWN,
            serves_ocr=False,
            is_added=True,
        )
        for point in plugins.points_of(plugins.PARSERS)
    }


FORMATS = Formats({extension: format for format in TABLE for extension in format.extensions})
