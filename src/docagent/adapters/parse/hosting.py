"""Keeps the host of reading processes, one for the whole of this process, and asks it for a process."""

from __future__ import annotations

import asyncio
import atexit
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import docagent
from docagent.adapters.parse.host import REQUEST

_SECONDS_WITHOUT_WORK = 60.0
"""Then the host is ended, and its memory given back, until there is work again."""

_SECONDS_TO_END = 5.0


class Ends(NamedTuple):
    """Our ends of what connects us with a reading process and its host."""

    talk: socket.socket
    printed: socket.socket
    line: socket.socket


@contextmanager
def reading_process(folder: str) -> Iterator[Ends]:
    """Have a process that works in the folder. It ends when the line is closed."""
    with _host.at_work():
        ours, theirs = zip(*(socket.socketpair() for _ in Ends._fields), strict=True)
        working_folder = os.open(folder, os.O_RDONLY)
        try:
            _host.hand_over([*(end.fileno() for end in theirs), working_folder])
        finally:
            os.close(working_folder)
            for end in theirs:
                end.close()
        try:
            yield Ends(*ours)
        finally:
            for end in ours:
                end.close()


class _Host:
    """The process that loads what reads files, and forks. It is started when the first file comes."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._at_work = 0
        self._rest: asyncio.TimerHandle | None = None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        if self._rest is not None:
            self._rest.cancel()
        self._at_work += 1
        try:
            yield
        finally:
            self._at_work -= 1
            if not self._at_work:
                self._rest = asyncio.get_running_loop().call_later(_SECONDS_WITHOUT_WORK, self.end)

    def hand_over(self, ends: list[int]) -> None:
        try:
            socket.send_fds(self._control or self._start(), [REQUEST], ends)
        except ConnectionError:
            self.end()
            socket.send_fds(self._start(), [REQUEST], ends)

    def _start(self) -> socket.socket:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "docagent.adapters.parse.host"],
                stdin=theirs.fileno(),
                cwd="/",
                env=_environment(),
                start_new_session=True,
            )
        return self._control

    def end(self) -> None:
        if self._process is None or self._control is None:
            return
        self._control.close()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _environment() -> dict[str, str]:
    """Return the environment of reading processes: where programs and packages are, and no secrets."""
    packages = [str(Path(docagent.__file__).parent.parent), os.environ.get("PYTHONPATH")]
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "OMP_THREAD_LIMIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "PYTHONPATH": os.pathsep.join(filter(None, packages)),
    }


def end_host() -> None:
    """End the host and every process that it forked. The next file starts another."""
    _host.end()


_host = _Host()
atexit.register(end_host)
