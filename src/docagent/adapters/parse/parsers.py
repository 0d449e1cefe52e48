"""Finds the module that reads and shows a file. It is loaded when needed, and only in the reading process.

`domain/documents/formats.py` names a module for each format. A parser has `lines(path, max_characters)`, if its text is
all that counts, or `read(request)`, which yields what is sent to the server, and `make_pdf(request)`, which writes the
request's target. Formats that LibreOffice converts need only `lines`, for servers that do not have it, and so do those
of other packages.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from docagent.adapters.parse.frames import Sent
from docagent.adapters.parse.request import Lines, ReadRequest
from docagent.domain.documents.formats import FORMATS, TABLE
from docagent.domain.errors import ReadFailed, ReadFailure

PICTURES = "pictures"
"""Draws pages of PDFs, of whatever kind the original is."""
_TEXT = "plain.text_pages"
_OFFICE = "office.documents"


def load_common() -> None:
    """Load what most files need. Office files need libraries as large as all of these, loaded for each of them."""
    named = {format.parser for format in TABLE if format.parser and not format.shown.is_converted}
    for name in (*sorted(named), _TEXT, PICTURES):
        module(name)


def module(name: str) -> Any:
    return import_module(f"{__package__}.{name}")


def read(request: ReadRequest) -> Iterator[Sent]:
    """Yield the pages of a file. Raises ReadFailed."""
    parser = _parser_of(request)
    lines: Lines | None = getattr(parser, "lines", None)
    if FORMATS[request.extension].shown.is_converted:
        yield from module(_OFFICE).read(request, lines)
    elif lines is not None:
        yield from module(_TEXT).read(request, lines)
    else:
        yield from parser.read(request)


def make_pdf(request: ReadRequest) -> None:
    """Write a PDF that shows the file. Raises ReadFailed."""
    if FORMATS[request.extension].shown.is_converted:
        module(_OFFICE).make_pdf(request)
    elif hasattr(parser := _parser_of(request), "lines"):
        module(_TEXT).make_pdf(request, parser.lines)
    else:
        parser.make_pdf(request)


def _parser_of(request: ReadRequest) -> Any:
    format = FORMATS[request.extension]
    if format.parser is None:
        return None
    return _added(format.parser, request.extension) if format.is_added else module(format.parser)


def _added(name: str, extension: str) -> Any:
    try:
        parser = import_module(name)
        if not callable(parser.lines):
            raise TypeError(f"{name}.lines is not a function")
    except Exception as error:
        raise ReadFailed(
            ReadFailure.UNSUPPORTED,
            f"The package that reads {extension} files cannot be used: {error}. "
            "An administrator must fix or remove it.",
        ) from error
    return parser
