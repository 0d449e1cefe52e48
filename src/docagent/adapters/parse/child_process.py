"""Starts a reading process, listens to it, and makes sure that it ends."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path

import docagent
from docagent.adapters.parse.failures import CRASHED, OUT_OF_MEMORY, TIMED_OUT
from docagent.adapters.parse.frames import HEADER, MAX_FRAME_BYTES, BadFrame, Finished, PageStarted, decode
from docagent.adapters.parse.request import ReadRequest
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.domain.text import PackedPage

Answer = Opened | PageStarted | PackedPage

log = logging.getLogger(__name__)

_KEPT_STDERR = 8 * 1024
_STREAM_BUFFER = 1024 * 1024
_SECONDS_TO_END = 5.0
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
    with tempfile.TemporaryDirectory(prefix="docagent-read-", ignore_cleanup_errors=True) as folder:
        process = await _start(folder)
        stderr = asyncio.create_task(_tail(process))
        try:
            async with aclosing(_messages(process, request, quiet_seconds, deadline)) as messages:
                async for message in messages:
                    yield message
        except TimeoutError:
            raise ReaderLost(ReadFailure.TIMED_OUT, TIMED_OUT) from None
        except (asyncio.IncompleteReadError, BadFrame, ConnectionError) as error:
            if isinstance(error, BadFrame):
                raise ReaderLost(ReadFailure.CRASHED, CRASHED) from error
            raise _post_mortem(await _end(process), await stderr) from error
        finally:
            _kill(process)
            await process.wait()
            await stderr


async def _start(folder: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "docagent.adapters.parse.child",
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
        limit=_STREAM_BUFFER,
    )


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of the reading process: where programs and our package are, and no secrets."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        "OMP_THREAD_LIMIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "PYTHONPATH": str(Path(docagent.__file__).parent.parent),
    }


async def _messages(
    process: Process, request: ReadRequest, quiet_seconds: float, deadline: float
) -> AsyncGenerator[Answer]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(request.encoded())
    await process.stdin.drain()
    process.stdin.close()
    clock = asyncio.get_running_loop().time
    quiet_until = clock() + quiet_seconds
    while True:
        async with asyncio.timeout_at(min(quiet_until, deadline)):
            (size,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
            if size > MAX_FRAME_BYTES:
                raise BadFrame
            message = decode(await process.stdout.readexactly(size))
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


async def _tail(process: Process) -> bytes:
    """Return the end of what the process printed. All output is read, so that the process never blocks on it."""
    assert process.stderr is not None
    kept = b""
    while chunk := await process.stderr.read(_KEPT_STDERR):
        kept = (kept + chunk)[-_KEPT_STDERR:]
    return kept


async def _end(process: Process) -> int:
    """Return the exit code of a process that has closed its output. Kill it if it does not end soon."""
    try:
        async with asyncio.timeout(_SECONDS_TO_END):
            return await process.wait()
    except TimeoutError:
        _kill(process)
        return await process.wait()


def _kill(process: Process) -> None:
    """Kill the process and everything it started, which is all in one process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


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
