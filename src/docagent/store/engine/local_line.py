"""The line on SQLite, for processes on one machine: it carries presence alone, by locks on files.

Who runs beside the server on the same file, a worker for instance, finds what happened by polling.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from docagent.domain.deliveries.line import AloneOnTheLine, on_the_line


class LocalLine(AloneOnTheLine):
    """A process holds a lock on a file of its name. The system frees it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    async def gone(self, names: Collection[str]) -> set[str]:
        return {name for name in on_the_line(names) if name != self.name and self._is_gone(name)}

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        file = self._folder / self.name
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            file.unlink(missing_ok=True)
            os.close(descriptor)

    def _is_gone(self, name: str) -> bool:
        try:
            descriptor = os.open(self._folder / Path(name).name, os.O_RDWR)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)
        (self._folder / Path(name).name).unlink(missing_ok=True)
        return True
