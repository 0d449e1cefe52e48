"""Reads text files: .txt and .md as they are, .csv as a table."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator

from docagent.adapters.parse.frames import PageStarted, Sent
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.plain.plain_pdf import write_pdf
from docagent.adapters.parse.plain.plainlayout import HEIGHT, WIDTH, lay_out, paginate
from docagent.adapters.parse.plain.tables import table_lines
from docagent.adapters.parse.request import ReadRequest
from docagent.adapters.parse.tokens import TokenPage
from docagent.domain.documents.text import NO_TEXT
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
_DELIMITERS = ",;\t|"
_NOT_TEXT = "This file does not hold text. Check that it is what its name says, and upload it again."


def read(request: ReadRequest) -> Iterator[Sent]:
    """Yield the pages of a text file. Raises ReadFailed."""
    return read_lines(_lines(request), request)


def make_pdf(request: ReadRequest) -> None:
    """Write a PDF that shows the text. Raises ReadFailed."""
    assert request.target is not None
    write_pdf(paginated(_lines(request), request.limits), request.target)


def read_lines(lines: list[str], request: ReadRequest) -> Iterator[Sent]:
    """Yield the pages of text that was taken out of a file."""
    pages = paginated(lines, request.limits)
    yield Opened(len(pages))
    for number in range(request.first_page, len(pages) + 1):
        yield PageStarted(number, WIDTH, HEIGHT)
        tokens = [[word.token() for word in line] for line in lay_out(pages[number - 1])]
        yield TokenPage(number, WIDTH, HEIGHT, tokens, None if tokens else NO_TEXT)


def paginated(lines: list[str], limits: ReadLimits) -> list[list[str]]:
    """Split lines into pages. Raises ReadFailed if there are too many."""
    pages = paginate(lines)
    if len(pages) > limits.max_pages:
        raise ReadFailed(
            ReadFailure.TOO_MANY_PAGES,
            f"The text fills {len(pages):,} pages; at most {limits.max_pages:,} are read. "
            "Split the file and upload the parts.",
        )
    return pages


def _lines(request: ReadRequest) -> list[str]:
    limit = request.limits.max_characters
    if request.path.stat().st_size > 4 * limit:
        raise ReadFailed(
            ReadFailure.TOO_LARGE,
            f"The text is longer than {limit:,} characters. Split it and upload the parts.",
        )
    text = decoded(request.path.read_bytes())
    if request.extension == ".csv":
        return table_lines(_rows(text))
    return text.split("\n")


def decoded(content: bytes) -> str:
    """Return the text of a file in an unknown encoding. Raises ReadFailed if it is not text."""
    text = _decoded(content).replace("\r\n", "\n").replace("\r", "\n")
    sample = text[:_SAMPLE]
    strange = sum(not (character.isprintable() or character in "\n\t\f") for character in sample)
    if 10 * strange > len(sample):
        raise ReadFailed(ReadFailure.UNSUPPORTED, _NOT_TEXT)
    return text.replace("\0", "")


def _decoded(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    sample = content[:_SAMPLE]
    if sample[1::2].count(0) > len(sample) // 8:
        return content.decode("utf-16-le", errors="replace")
    if sample[::2].count(0) > len(sample) // 8:
        return content.decode("utf-16-be", errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _rows(text: str) -> Iterator[list[str]]:
    lines = text.split("\n")
    sample = lines[:20]
    delimiter = max(_DELIMITERS, key=lambda candidate: sum(line.count(candidate) for line in sample))
    csv.field_size_limit(len(text) + 1)
    return csv.reader(lines, delimiter=delimiter)
