"""Which module handles which kind of file. Modules are loaded when needed, and only in the reading process.

Each module has `read(request)`, which yields what is sent to the server. All but the one for PDFs also have
`make_pdf(request)`, which writes the request's target.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of files that are all read in the same way."""

    module: str
    may_convert: bool = False
    """Whether LibreOffice may be started for it."""


_PDF = Kind("docagent.adapters.parse.pdf.pages")
_IMAGE = Kind("docagent.adapters.parse.images")
_TEXT = Kind("docagent.adapters.parse.plain.plain_text")
_OFFICE = Kind("docagent.adapters.parse.office.documents", may_convert=True)

PICTURES = "docagent.adapters.parse.pictures"
"""Draws pages of PDFs, of whatever kind the original is."""

COMMON = (_PDF.module, _IMAGE.module, _TEXT.module, PICTURES)
"""What most files need. Office files need libraries as large as all of these, which are loaded for each of them."""

KINDS = {
    ".pdf": _PDF,
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tiff", ".tif"), _IMAGE),
    **dict.fromkeys((".txt", ".md", ".csv"), _TEXT),
    **dict.fromkeys((".docx", ".doc", ".xlsx", ".xls"), _OFFICE),
}
