"""Asks for a reading process, listens to it, and makes sure that it ends."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

from docagent.adapters.parse.frames import HEADER, MAX_FRAME_BYTES, BadFrame, Finished, PageStarted, decode
from docagent.adapters.parse.hosting import reading_process
from docagent.adapters.parse.limits import CRASHED, OUT_OF_MEMORY, TIMED_OUT
from docagent.adapters.parse.request import ReadRequest
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened

Answer = Opened | PageStarted | PackedPage
_Stream = tuple[StreamReader, StreamWriter]

log = logging.getLogger(__name__)

_KEPT_STDERR = 8 * 1024
_STREAM_BUFFER = 1024 * 1024
_SECONDS_TO_END = 5.0
_HOST_LOST = -signal.SIGABRT
"""Taken as the exit code of a process that died with its host."""
_MEMORY_WORDS = (
    b"MemoryError",
    b"bad_alloc",
    b"out of memory",
    b"Out of memory",
    b"annot allocate memory",
    b"failed to map segment",
)


class ReaderLost(Exception):
    """The reading process ended without saying why. The file, or one page of it, may be to blame."""

    def __init__(self, failure: ReadFailure, detail: str) -> None:
        super().__init__(detail)
        self.failure = failure
        self.detail = detail


async def converse(request: ReadRequest, *, deadline: float) -> AsyncGenerator[Answer]:
    """Yield what a reading process sends, until it has finished. Raises ReadFailed if it reports a failure.

    The process ends when it has used its processor time, and is killed at `deadline` (by the loop's clock), or
    when it has finished nothing for much longer than its processor time. Then, or if it dies by itself,
    ReaderLost is raised. However the caller stops listening, no process is left behind.
    """
    quiet_seconds = request.seconds_per_step * request.limits.patience
    with (
        tempfile.TemporaryDirectory(prefix="docagent-read-", ignore_cleanup_errors=True) as folder,
        reading_process(folder) as ends,
    ):
        async with _open(ends.talk) as talk, _open(ends.printed) as printed, _open(ends.line) as line:
            process = _Process(talk, printed, line)
            try:
                async with aclosing(_messages(process, request, quiet_seconds, deadline)) as messages:
                    async for message in messages:
                        yield message
            except TimeoutError:
                raise ReaderLost(ReadFailure.TIMED_OUT, TIMED_OUT) from None
            except BadFrame as error:
                raise ReaderLost(ReadFailure.CRASHED, CRASHED) from error
            except (asyncio.IncompleteReadError, ConnectionError) as error:
                raise _post_mortem(await process.ended(), await process.printed) from error
            finally:
                await process.end()


@asynccontextmanager
async def _open(end: socket.socket) -> AsyncIterator[_Stream]:
    """Read and write there, until it is let go with whatever is still unsent."""
    reader, writer = await asyncio.open_connection(sock=end, limit=_STREAM_BUFFER)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


class _Process:
    """A reading process: the talk with it, what it prints, and the line on which its host tells how it ended."""

    def __init__(self, talk: _Stream, printed: _Stream, line: _Stream) -> None:
        self.answers, self.questions = talk
        self.printed = asyncio.create_task(_tail(printed[0]))
        self._line = line

    async def ended(self) -> int:
        """Return the exit code of a process that has closed its talk. Have it killed if it does not end soon."""
        code = asyncio.create_task(self._code())
        await asyncio.wait([code], timeout=_SECONDS_TO_END)
        self._hang_up()
        return await code

    async def end(self) -> None:
        """Have the process killed with all that it started, and wait until nothing of it is left."""
        self._hang_up()
        await self._code()
        await self.printed

    def _hang_up(self) -> None:
        self._line[1].write_eof()

    async def _code(self) -> int:
        return int(await self._line[0].read() or _HOST_LOST)


async def _messages(
    process: _Process, request: ReadRequest, quiet_seconds: float, deadline: float
) -> AsyncGenerator[Answer]:
    process.questions.write(request.encoded())
    await process.questions.drain()
    clock = asyncio.get_running_loop().time
    quiet_until = clock() + quiet_seconds
    while True:
        async with asyncio.timeout_at(min(quiet_until, deadline)):
            (size,) = HEADER.unpack(await process.answers.readexactly(HEADER.size))
            if size > MAX_FRAME_BYTES:
                raise BadFrame
            message = decode(await process.answers.readexactly(size))
        match message:
            case Finished():
                return
            case ReadFailed(failure=ReadFailure.OUT_OF_MEMORY):
                raise ReaderLost(message.failure, message.detail)
            case ReadFailed():
                raise message
        yield message
        if isinstance(message, PackedPage | Opened):
            quiet_until = clock() + quiet_seconds


async def _tail(printed: StreamReader) -> bytes:
    """Return the end of what the process printed. All output is read, so that the process never blocks on it."""
    kept = b""
    while chunk := await printed.read(_KEPT_STDERR):
        kept = (kept + chunk)[-_KEPT_STDERR:]
    return kept


def _post_mortem(return_code: int, printed: bytes) -> ReaderLost:
    log.warning(
        "A reading process ended with code %d: %s",
        return_code,
        printed.decode(errors="replace").strip() or "no output",
    )
    if return_code == -signal.SIGXCPU:
        return ReaderLost(ReadFailure.TIMED_OUT, TIMED_OUT)
    if return_code == -signal.SIGKILL or any(word in printed for word in _MEMORY_WORDS):
        return ReaderLost(ReadFailure.OUT_OF_MEMORY, OUT_OF_MEMORY)
    return ReaderLost(ReadFailure.CRASHED, CRASHED)
