"""Reads a file with the real reader, and watches it from outside."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psutil

from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import Page, Word
from docagent.domain.errors import ReadFailed
from docagent.domain.ports import Opened
from docagent.reading.page_codec import decode_page

_MIB = 1024 * 1024
_GLANCE_SECONDS = 0.05


@dataclass
class Reading:
    """The outcome of reading one file."""

    pages: list[Page] = field(default_factory=list)
    page_count: int = 0
    failed: ReadFailed | None = None
    seconds: float = 0.0
    peak_mib: float = 0.0
    used_network: bool = False

    @property
    def text(self) -> str:
        return "\n".join(page.text for page in self.pages)

    @property
    def notes(self) -> list[str]:
        return [page.note for page in self.pages if page.note]

    def page(self, number: int) -> Page | None:
        return next((page for page in self.pages if page.number == number), None)

    def words(self, number: int = 1) -> tuple[Word, ...]:
        page = self.page(number)
        return page.words if page else ()


def read(path: Path, *, password: str | None = None) -> Reading:
    """Read a whole file in a child process, as the product does. A file that stays as it is is read once."""
    return _read_once(path, path.stat().st_mtime_ns, password)


@cache
def _read_once(path: Path, _changed_at: int, password: str | None) -> Reading:
    return asyncio.run(_read_watched(path, password))


async def _read_watched(path: Path, password: str | None) -> Reading:
    reading = Reading()
    watcher = asyncio.create_task(_watch(reading))
    started = time.monotonic()
    try:
        pages = ChildProcessReader().read(path, path.suffix.lower(), password=password)
        async with aclosing(pages) as found:
            async for item in found:
                if isinstance(item, Opened):
                    reading.page_count = item.page_count
                else:
                    reading.pages.append(decode_page(item.layout))
    except ReadFailed as failure:
        reading.failed = failure
    reading.seconds = time.monotonic() - started
    watcher.cancel()
    with suppress(asyncio.CancelledError):
        await watcher
    return reading


async def _watch(reading: Reading) -> None:
    """Record the peak memory of all child processes together, and whether they open a network socket."""
    me = psutil.Process()
    while True:
        total = 0.0
        for child in me.children(recursive=True):
            with suppress(psutil.Error):
                total += child.memory_info().rss / _MIB
                reading.used_network |= bool(child.net_connections("inet"))
        reading.peak_mib = max(reading.peak_mib, total)
        await asyncio.sleep(_GLANCE_SECONDS)
