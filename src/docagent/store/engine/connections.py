"""Open connections that wait for the next transaction, each with SQLAlchemy's view of it.

SQLAlchemy's way to a connection (a pool, events, greenlets) costs more than the statements of a small transaction.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

SECONDS_FOR_A_CONNECTION = 30

Driver = TypeVar("Driver")


@dataclass(slots=True)
class Kept(Generic[Driver]):
    """A connection of the driver, and SQLAlchemy's view of it."""

    driver: Driver
    adapted: Any
    """The driver's connection as SQLAlchemy adapts it."""
    view: AsyncConnection
    opened_at: float
    used_at: float


class Connections(Generic[Driver]):
    """Opens up to `most` connections, keeps up to `idle` of them for later, and hands out the last used first."""

    def __init__(self, engine: AsyncEngine, most: int, idle: int, all_through_sqlalchemy: bool) -> None:
        self.dialect = engine.dialect
        self.all_through_sqlalchemy = all_through_sqlalchemy
        self._engine = engine
        self._idle: list[Kept[Driver]] = []
        self._most_idle = idle
        self._unopened = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> Kept[Driver]:
        while not self._idle:
            if self._unopened:
                return await self._open()
            await self._wait()
        return self._idle.pop()

    async def give_back(self, kept: Kept[Driver], *, is_broken: bool) -> None:
        kept.used_at = monotonic()
        try:
            if is_broken or len(self._idle) >= self._most_idle or self.is_outdated(kept):
                self._unopened += 1
                await self._let_go(kept, is_broken=is_broken)
            else:
                self._idle.append(kept)
        finally:
            self._wake_one()

    def is_outdated(self, kept: Kept[Driver]) -> bool:
        """Whether the connection should be opened again. Connections live for ever unless a database says otherwise."""
        return False

    async def close(self, *, are_broken: bool = False) -> None:
        """Close what lies idle."""
        while self._idle:
            self._unopened += 1
            await self._let_go(self._idle.pop(), is_broken=are_broken)

    async def _let_go(self, kept: Kept[Driver], *, is_broken: bool) -> None:
        if is_broken:
            await kept.view.invalidate()
        await kept.view.close()

    async def _open(self) -> Kept[Driver]:
        self._unopened -= 1
        try:
            view = await self._engine.connect()
            pooled = await view.get_raw_connection()
            driver: Any = pooled.driver_connection
            adapted = pooled.dbapi_connection
        except BaseException:
            self._unopened += 1
            self._wake_one()
            raise
        return Kept(driver, adapted, view, monotonic(), monotonic())

    async def _wait(self) -> None:
        """Wait until a connection is given back. Another task may take it first, so look again afterwards."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(SECONDS_FOR_A_CONNECTION):
                await waiting
        except TimeoutError as error:
            raise sa.exc.TimeoutError("All connections to the database are in use.") from error
        except asyncio.CancelledError:
            self._wake_one()
            raise

    def _wake_one(self) -> None:
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
