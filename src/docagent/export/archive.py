"""Several files as one zip, written while they are read. Only the current chunk is in memory."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

EARLIEST = datetime(1980, 1, 1)
"""Zip files cannot hold earlier dates."""


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    name: str
    modified: datetime
    open: Callable[[], AsyncGenerator[bytes]]


async def zipped(files: Iterable[ArchivedFile]) -> AsyncIterator[bytes]:
    """Yield the zip. Files are not compressed: most documents already are, and it would block the event loop."""
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
    """What the zip is written to. It cannot seek, and hands out the bytes written so far."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken
