"""A command in a terminal of its own, as a person uses it: it sees a screen and a keyboard."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.polling import SECONDS

DOCAGENT = str(Path(sys.executable).with_name("docagent"))
END_OF_INPUT = "\x04"
INTERRUPT = "\x03"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    def __init__(self, process: int, screen: int) -> None:
        self._process = process
        self._screen = screen
        self._unread = ""
        self.shown = ""
        """Everything so far, without colours."""

    def until(self, text: str) -> str:
        """Read what comes until this text has come, and return that."""
        while text not in self._unread:
            if not self._read():
                raise AssertionError(f"The command ended before it said {text!r}:\n{self.shown}")
        before, _, self._unread = self._unread.partition(text)
        return before

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def exit_code(self) -> int:
        """Wait for the end."""
        while self._read():
            pass
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        os.close(self._screen)
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._screen], [], [], SECONDS)
        if not ready:
            raise AssertionError(f"Nothing more was shown for {SECONDS} seconds:\n{self.shown}")
        try:
            arrived = os.read(self._screen, 65_536)
        except OSError:  # how a terminal says that its last process is gone
            return False
        plain = _COLOURS.sub("", arrived.decode(errors="replace")).replace("\r\n", "\n")
        self._unread += plain
        self.shown += plain
        return bool(arrived)


@contextmanager
def terminal(*arguments: str | Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """Run `docagent` with these arguments; whatever is left of it at the end is killed."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process, screen = pty.fork()
    if process == 0:
        os.execve(DOCAGENT, [DOCAGENT, *map(str, arguments)], {**kept, "TERM": "xterm", **environment})
    opened = Terminal(process, screen)
    try:
        yield opened
    finally:
        opened.close()
