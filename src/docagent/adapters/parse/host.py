"""The process that reading processes are forked from: `python -m docagent.adapters.parse.host`.

It has loaded what reads files and never sees a file. So a process for a file is there at once, and has nothing of any
other file. With each request come the ends of four things: the talk with the server, what libraries print, a line and
a folder. The exit code goes out on the line; when the server closes the line, nobody listens any more, and the process
is ended with all that it started.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple

from docagent.adapters.parse import child
from docagent.adapters.parse.parsers import load_common

REQUEST = b"\n"

_STDIN, _STDOUT, _STDERR, _ALIVE = range(4)
_OPEN_FILES = 1024
"""The most that the host has open. A new process closes them all, which takes long where there may be millions."""


class HandedOver(NamedTuple):
    """What the server hands over with a request, as file descriptors."""

    talk: int
    printed: int
    line: int
    folder: int


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(_OPEN_FILES, hard), hard))
    load_common()
    gc.collect()
    gc.freeze()
    if Host().serve():
        child.main()
        sys.stderr.flush()
        os._exit(0)


class Host:
    """Forks a process for each request, tells how it ended, and ends it when nobody listens."""

    def __init__(self) -> None:
        self._watched = DefaultSelector()
        self._forked: set[int] = set()

    def serve(self) -> bool:
        """Go on until the server is gone. True in a process that was forked."""
        self._watched.register(_STDIN, EVENT_READ, self._fork)
        while _STDIN in self._watched.get_map():
            for key, _ in self._watched.select():
                # What came before it may have settled it too, and its number may be another's by now.
                if self._watched.get_map().get(key.fd) is key and key.data():
                    return True
        return False

    def _fork(self) -> bool:
        with socket.socket(fileno=os.dup(_STDIN)) as server:
            request, descriptors, _, _ = socket.recv_fds(server, len(REQUEST), len(HandedOver._fields))
        if not request:
            for pid in self._forked:
                _kill(pid)
            self._watched.unregister(_STDIN)
            return False
        ends = HandedOver(*descriptors)
        ended, alive = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._watched.close()
            _leave_the_host(ends, alive)
            return True
        os.setpgid(pid, pid)
        for given_away in (ends.talk, ends.printed, ends.folder, alive):
            os.close(given_away)
        self._forked.add(pid)
        self._watched.register(ends.line, EVENT_READ, partial(self._hung_up, pid, ends.line))
        self._watched.register(ended, EVENT_READ, partial(self._bury, pid, ends.line, ended))
        return False

    def _hung_up(self, pid: int, line: int) -> None:
        self._watched.unregister(line)
        _kill(pid)

    def _bury(self, pid: int, line: int, ended: int) -> None:
        """Tell how the process ended, once nothing that it started is left."""
        # Until it is waited for, its number is nobody else's.
        _kill(pid)
        _, status = os.waitpid(pid, 0)
        self._forked.remove(pid)
        for watched in (line, ended):
            if watched in self._watched.get_map():
                self._watched.unregister(watched)
        with suppress(ConnectionError):
            os.write(line, b"%d" % os.waitstatus_to_exitcode(status))
        os.close(line)
        os.close(ended)


def _leave_the_host(ends: HandedOver, alive: int) -> None:
    """Hold nothing of the host any more but `alive`, which is closed when this process ends, however it does."""
    os.setpgid(0, 0)
    os.fchdir(ends.folder)
    os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.tempdir = str(Path.cwd())
    os.dup2(ends.talk, _STDIN)
    os.dup2(ends.talk, _STDOUT)
    os.dup2(ends.printed, _STDERR)
    os.dup2(alive, _ALIVE, inheritable=False)
    os.closerange(_ALIVE + 1, _OPEN_FILES)


def _kill(pid: int) -> None:
    """Kill the process and everything it started, which is all in one process group."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
