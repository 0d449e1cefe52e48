"""The line between the processes of a deployment: short messages, and who is still there."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Collection
from typing import Protocol

from docagent.domain.ids import new_id

Listener = Callable[[str], None]

TURN = "docagent_turn"
"""The topic of what happened to a turn: an event in its log, a stop, a message for it. The text is its id."""
JOB = "docagent_job"
"""The topic of jobs that were written. The text is empty: whoever hears it looks at the table."""
CHANGED = "docagent_changed"
"""The topic of changes that open pages must load. The text is a `Change`."""

_ON_THE_LINE = "@"


def process_name() -> str:
    """A name for this process that no other ever has."""
    host = re.sub(r"[^\w-]", "_", socket.gethostname())[:30]
    return f"{_ON_THE_LINE}{host}.{os.getpid()}.{new_id()[-6:]}"


def on_the_line(names: Collection[str]) -> set[str]:
    """Those of the names that processes on the line have. Older versions called themselves something else."""
    return {name for name in names if name.startswith(_ON_THE_LINE)}


class Line(Protocol):
    """Nothing depends on it: a message that is lost is found a little later by a poll of the database."""

    @property
    def name(self) -> str:
        """The name of this process, which its leases carry."""

    @property
    def is_open(self) -> bool:
        """Whether others can be heard now."""

    def hear(self, topic: str, listener: Listener) -> None:
        """Call the listener with everything that other processes say on the topic. Before the line is held."""

    def say(self, topic: str, text: str) -> None:
        """Say something at once. It never waits and may be lost."""

    async def gone(self, names: Collection[str]) -> set[str]:
        """Which of these processes exist no longer. One of which nothing is known counts as present."""

    async def others(self) -> int:
        """How many other processes hear what is said now."""


class AloneOnTheLine:
    """For a process that shares its database with nobody."""

    def __init__(self) -> None:
        self.name = process_name()
        self.is_open = True

    def hear(self, topic: str, listener: Listener) -> None:
        """Nobody speaks on this line."""

    def say(self, topic: str, text: str) -> None:
        """Nobody listens on this line."""

    async def gone(self, names: Collection[str]) -> set[str]:
        return set()

    async def others(self) -> int:
        return 0


def spoken(teller: str, text: str) -> str:
    """A message as it travels. With an empty teller it is for all processes, else for all but the teller."""
    return f"{teller} {text}"


def heard(message: str) -> tuple[str, str]:
    teller, _, text = message.partition(" ")
    return teller, text
