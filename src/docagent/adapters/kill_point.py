"""Points at which a test may kill the process: between any two steps of a turn that could be lost or doubled."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from docagent.domain.turns.events import Event

VARIABLE = "DOCAGENT_KILL_POINT"
"""The point at which the process kills itself, by number (from 1) or by name. For `make kill-test`."""


class KillAt:
    """Kills the process at one point without warning, and writes down every point it passes before."""

    def __init__(self, point: str) -> None:
        self._point = point
        self._passed = 0

    def reached(self, name: str, events: Sequence[Event] = ()) -> None:
        self._passed += 1
        if events:
            name += f" of {', '.join(event.type for event in events)}"
        sys.stderr.write(f"kill point {self._passed}: {name}\n")
        sys.stderr.flush()
        if self._point in (str(self._passed), name):
            os.kill(os.getpid(), signal.SIGKILL)
