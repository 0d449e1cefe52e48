"""Lines that a person types while other things go on. The terminal stays in its usual mode, so that whatever ends the
command leaves it as it was."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from types import TracebackType
from typing import Self

import typer

AT_ONCE = 65_536


class Interrupted(Exception):
    """Ctrl-C came while a line was waited for."""


class Keyboard:
    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        self._begun = b""
        self._lines: deque[str] = deque()
        self._waiting: asyncio.Future[str | None] | None = None
        self._ended = False

    def __enter__(self) -> Self:
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)

    async def line(self, prompt: str) -> str | None:
        """The next line; None once there are no more (Ctrl-D). Raises Interrupted on Ctrl-C."""
        typer.echo(prompt, nl=False, err=True)
        if self._lines:
            return self._lines.popleft()
        if self._ended:
            return None
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            return await self._waiting
        finally:
            self._waiting = None

    async def fresh_line(self, prompt: str) -> str | None:
        """The next line that is typed from now on: nothing typed before it was asked may count as a yes."""
        self._lines.clear()
        return await self.line(prompt)

    def interrupt(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(Interrupted())

    def _read(self) -> None:
        arrived = os.read(self._descriptor, AT_ONCE)
        *whole, self._begun = (self._begun + arrived).split(b"\n")
        self._lines.extend(line.decode(errors="replace").rstrip("\r") for line in whole)
        if not arrived:
            self._ended = True
            asyncio.get_running_loop().remove_reader(self._descriptor)
        if self._waiting is not None and not self._waiting.done():
            if self._lines:
                self._waiting.set_result(self._lines.popleft())
            elif self._ended:
                self._waiting.set_result(None)
