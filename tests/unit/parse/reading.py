"""Reading a whole file in a test."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from docagent.adapters.parse.limits import MIB, ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import Box, PackedPage, Page, Word
from docagent.domain.errors import ReadFailed
from docagent.domain.ports import Opened
from docagent.reading.page_codec import decode_page

ONE_READER = ReadLimits(memory_bytes=700 * MIB)
"""Too little memory for the second reader, which has tests of its own."""


@dataclass(frozen=True)
class Read:
    """All that a reader said of a file."""

    opened: Opened
    pages: list[Page]

    @property
    def page(self) -> Page:
        assert len(self.pages) == 1
        return self.pages[0]

    @property
    def texts(self) -> list[str]:
        return [page.text for page in self.pages]


async def read(
    path: Path,
    limits: ReadLimits | None = None,
    *,
    password: str | None = None,
    first_page: int = 1,
    careful: bool = False,
) -> Read:
    reader = ChildProcessReader(limits or (None if careful else ONE_READER), careful=careful)
    pages: list[Page] = []
    opened: Opened | None = None
    async with aclosing(reader.read(path, path.suffix, password=password, first_page=first_page)) as messages:
        async for message in messages:
            if isinstance(message, PackedPage):
                assert opened is not None
                pages.append(decode_page(message.layout))
            else:
                assert opened is None
                opened = message
    assert opened is not None
    return Read(opened, pages)


async def failure_of(
    path: Path, limits: ReadLimits | None = None, *, password: str | None = None
) -> ReadFailed:
    with pytest.raises(ReadFailed) as raised:
        await read(path, limits, password=password)
    return raised.value


def hosts_of(process: psutil.Process) -> list[psutil.Process]:
    """The hosts of reading processes that a process has started."""
    return [child for child in process.children() if "docagent.adapters.parse.host" in child.cmdline()]


def reading_processes() -> list[psutil.Process]:
    return [child for host in hosts_of(psutil.Process()) for child in host.children(recursive=True)]


def word(page: Page, text: str) -> Word:
    found = [word for word in page.words if word.text == text]
    assert len(found) == 1, f"{text!r} is {len(found)} times on the page: {page.text!r}"
    return found[0]


def close_to(
    box: Box, left: float, top: float, right: float, bottom: float, tolerance: float = 0.004
) -> bool:
    pairs = zip((box.left, box.top, box.right, box.bottom), (left, top, right, bottom), strict=True)
    return all(abs(one - other) <= tolerance for one, other in pairs)
