"""How many connections there may be, and when one has been idle or slow for too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

SECONDS_BETWEEN_LOOKS = 1.0


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    in_all: int
    per_place: int
    head_seconds: float
    """For the headers of a request, from its first byte on; for those of the first from the beginning."""
    idle_seconds: float
    """Between two requests."""
    bytes_per_second: int
    """The least that a client sends of a body or takes of an answer."""
    body_seconds: float
    """The time over which the sending is measured."""
    answer_seconds: float
    """The time over which the taking is measured."""
    leaving_seconds: float = 30.0
    """For a client to see an answer that came before it had sent all of its body."""


class Connection(Protocol):
    """One connection, as the list of all sees it."""

    place: str | None
    """Where it comes from; None for a proxy, which stands for many people."""

    def is_idle(self) -> bool:
        """Whether no request is under way, so that ending it costs nobody an answer."""

    def is_overdue(self, now: float) -> bool:
        """Whether it was idle or slow for too long."""

    def cut(self) -> None:
        """End it at once."""


class Connections:
    """All connections of this process, oldest first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._by_place: dict[str | None, dict[Connection, None]] = {}
        self.count = 0

    def admit(self, connection: Connection) -> bool:
        """Add a connection. When there are too many, the oldest idle one goes; False if none is idle."""
        same_place = self._by_place.get(connection.place, {})
        if connection.place is not None and len(same_place) >= self.limits.per_place:
            if not self._cut_oldest_idle(same_place):
                return False
        elif self.count >= self.limits.in_all:
            most = max(self._by_place.values(), key=len)
            if not self._cut_oldest_idle(most):
                return False
        self._by_place.setdefault(connection.place, {})[connection] = None
        self.count += 1
        return True

    def remove(self, connection: Connection) -> None:
        same_place = self._by_place.get(connection.place, {})
        if connection in same_place:
            del same_place[connection]
            self.count -= 1
            if not same_place:
                del self._by_place[connection.place]

    def cut_overdue(self, now: float) -> None:
        overdue = [
            connection
            for same_place in self._by_place.values()
            for connection in same_place
            if connection.is_overdue(now)
        ]
        for connection in overdue:
            self._cut(connection)

    async def keep_looking(self, clock: Callable[[], float]) -> None:
        """Cut what is overdue, again and again."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            self.cut_overdue(clock())

    def _cut_oldest_idle(self, connections: dict[Connection, None]) -> bool:
        oldest = next((connection for connection in connections if connection.is_idle()), None)
        if oldest is None:
            return False
        self._cut(oldest)
        return True

    def _cut(self, connection: Connection) -> None:
        self.remove(connection)
        connection.cut()
