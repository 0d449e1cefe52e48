"""Several files as one zip, written while they are read: nothing is held but the chunk at hand."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

EARLIEST = datetime(1980, 1, 1)
"""Zip files know no earlier year."""


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    name: str
    modified: datetime
    open: Callable[[], AsyncGenerator[bytes]]


async def zipped(files: Iterable[ArchivedFile]) -> AsyncIterator[bytes]:
    """Stored as they are: most documents are compressed already, and the event loop is no place to try again."""
    target = _Target()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for file in files:
            moment = max(file.modified.replace(tzinfo=None), EARLIEST)
            entry = zipfile.ZipInfo(file.name, moment.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as written:
                async with aclosing(file.open()) as chunks:
                    async for chunk in chunks:
                        written.write(chunk)
                        yield target.take()
            yield target.take()
    yield target.take()


class _Target:
    """Where the zip is written: it cannot go back, and gives what is there."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is kept back."""

    def close(self) -> None:
        """There is nothing to close."""

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken
