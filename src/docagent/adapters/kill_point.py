"""Where a test may kill the process: between any two steps of a turn that could be lost or doubled."""

from __future__ import annotations

import os
import signal
import sys

VARIABLE = "DOCAGENT_KILL_POINT"
"""Kill the process when it reaches this point for the first time, counted from 1. For `make kill-test`."""


class NoKill:
    """Nothing happens: what every deployment uses."""

    def reached(self, name: str) -> None:
        del name


class KillAt:
    """Ends the process without a word at one point; writes every point that it passes."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._passed = 0

    def reached(self, name: str) -> None:
        self._passed += 1
        sys.stderr.write(f"kill point {self._passed}: {name}\n")
        sys.stderr.flush()
        if self._passed == self._number:
            os.kill(os.getpid(), signal.SIGKILL)
