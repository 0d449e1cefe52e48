"""Lays out the lines of a text as pages, to read and to look at."""

from __future__ import annotations

from collections.abc import Iterator

from docagent.adapters.parse.frames import PageStarted, Sent
from docagent.adapters.parse.plain.plain_pdf import write_pdf
from docagent.adapters.parse.plain.plainlayout import HEIGHT, WIDTH, lay_out, paginate
from docagent.adapters.parse.request import Lines, ReadRequest
from docagent.adapters.parse.tokens import TokenPage
from docagent.domain.documents.text import NO_TEXT
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened


def read(request: ReadRequest, lines: Lines) -> Iterator[Sent]:
    """Yield the pages of a file's lines. Raises ReadFailed."""
    pages = _pages(request, lines)
    yield Opened(len(pages))
    for number in range(request.first_page, len(pages) + 1):
        yield PageStarted(number, WIDTH, HEIGHT)
        tokens = [[word.token() for word in line] for line in lay_out(pages[number - 1])]
        yield TokenPage(number, WIDTH, HEIGHT, tokens, None if tokens else NO_TEXT)


def make_pdf(request: ReadRequest, lines: Lines) -> None:
    """Write a PDF that shows a file's lines. Raises ReadFailed."""
    assert request.target is not None
    write_pdf(_pages(request, lines), request.target)


def _pages(request: ReadRequest, lines: Lines) -> list[list[str]]:
    pages = paginate(lines(request.path, request.limits.max_characters))
    if len(pages) > request.limits.max_pages:
        raise ReadFailed(
            ReadFailure.TOO_MANY_PAGES,
            f"The text fills {len(pages):,} pages; at most {request.limits.max_pages:,} are read. "
            "Split the file and upload the parts.",
        )
    return pages
