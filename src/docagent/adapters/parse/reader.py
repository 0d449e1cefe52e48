"""Implements the port FileReader. Each file gets a process of its own, which may die without harm."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from docagent.adapters.parse.child_process import ReaderLost, converse
from docagent.adapters.parse.frames import PageStarted
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.request import ReadRequest, Task
from docagent.domain.documents.formats import FORMATS
from docagent.domain.documents.pictures import Drawing
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.reading.page_codec import pack_words

_A4 = (595.0, 842.0)
_LOST_PAGE = {
    ReadFailure.TIMED_OUT: "This page took too long to read and was left out.",
    ReadFailure.OUT_OF_MEMORY: "This page needs more memory than one file may use and was left out.",
    ReadFailure.CRASHED: "This page could not be read and was left out.",
}


class ChildProcessReader:
    """Reads files and makes PDFs of them in child processes with limits."""

    def __init__(self, limits: ReadLimits | None = None, *, careful: bool = False) -> None:
        """`careful`: two readers read every picture, and say where they disagree."""
        self._limits = limits or ReadLimits()
        self._careful = careful

    async def read(
        self,
        path: Path,
        extension: str,
        *,
        password: str | None = None,
        first_page: int = 1,
        pictures: Path | None = None,
    ) -> AsyncGenerator[Opened | PackedPage]:
        """Yield Opened, then each page from `first_page` on, in order. Raises ReadFailed.

        If the process dies on a page, that page comes without words and with a note, and a new process
        continues after it.
        """
        extension = _supported(extension)
        deadline = self._deadline()
        processor_seconds_left = self._limits.seconds_per_file
        opened: Opened | None = None
        next_page = first_page
        any_page_read = first_page > 1
        crashes = 0
        while opened is None or next_page <= opened.page_count:
            limits = replace(self._limits, seconds_per_file=processor_seconds_left)
            request = ReadRequest(
                Task.READ,
                path,
                extension,
                limits,
                password,
                next_page,
                careful=self._careful,
                pictures=pictures,
            )
            size = _A4
            used = 0.0
            try:
                async with aclosing(converse(request, deadline=deadline)) as messages:
                    async for message in messages:
                        match message:
                            case Opened() if opened is None:
                                opened = message
                                yield opened
                            case PageStarted():
                                size = (message.width, message.height)
                                used = message.processor_seconds
                            case PackedPage():
                                next_page = message.number + 1
                                any_page_read = True
                                yield message
                return
            except ReaderLost as lost:
                crashes += 1
                if lost.failure is ReadFailure.TIMED_OUT:
                    used += request.seconds_per_step
                processor_seconds_left -= used
                if opened is not None and next_page > opened.page_count:
                    return
                out_of_time = processor_seconds_left < 1 or asyncio.get_running_loop().time() >= deadline
                gave_up = out_of_time or crashes > self._limits.crashes_per_file
                if opened is None or gave_up or (next_page == opened.page_count and not any_page_read):
                    raise ReadFailed(lost.failure, lost.detail) from lost
                yield pack_words(next_page, *size, (), _LOST_PAGE[lost.failure])
                next_page += 1

    async def make_pdf(
        self, path: Path, extension: str, target: Path, *, password: str | None = None
    ) -> None:
        """Write a PDF that shows the file. Raises ReadFailed."""
        extension = _supported(extension)
        if extension == ".pdf":
            await asyncio.to_thread(shutil.copyfile, path, target)
            return
        await self._done(ReadRequest(Task.MAKE_PDF, path, extension, self._limits, password, target=target))

    async def draw(
        self,
        pdf: Path,
        pictures: Path,
        *,
        strip: int | None = None,
        drawings: Sequence[Drawing] = (),
        password: str | None = None,
    ) -> None:
        """Draw these pictures of a PDF into the folder; without any, those of its first page, or a strip of its pages.

        Raises ReadFailed.
        """
        await self._done(
            ReadRequest(
                Task.DRAW,
                pdf,
                ".pdf",
                self._limits,
                password,
                pictures=pictures,
                strip=strip,
                drawings=tuple(drawings),
            )
        )

    async def reread(
        self, pdf: Path, drawings: Sequence[Drawing], *, password: str | None = None
    ) -> list[PackedPage]:
        """Read parts of pages closely, with every reader. Each comes as a page of its own. Raises ReadFailed."""
        request = ReadRequest(Task.REREAD, pdf, ".pdf", self._limits, password, drawings=tuple(drawings))
        try:
            async with aclosing(converse(request, deadline=self._deadline())) as messages:
                return [message async for message in messages if isinstance(message, PackedPage)]
        except ReaderLost as lost:
            raise ReadFailed(lost.failure, lost.detail) from lost

    async def _done(self, request: ReadRequest) -> None:
        try:
            async with aclosing(converse(request, deadline=self._deadline())) as messages:
                async for _ in messages:
                    pass
        except ReaderLost as lost:
            raise ReadFailed(lost.failure, lost.detail) from lost

    def _deadline(self) -> float:
        limits = self._limits
        return asyncio.get_running_loop().time() + limits.seconds_per_file * limits.patience


def _supported(extension: str) -> str:
    """Return the extension as our table has it, in lower case with a dot. Raises ReadFailed for unknown ones."""
    extension = "." + extension.lower().lstrip(".")
    if extension not in FORMATS:
        raise ReadFailed(
            ReadFailure.UNSUPPORTED,
            f"Files of the kind {extension} cannot be read. Save the document as PDF and upload that.",
        )
    return extension
