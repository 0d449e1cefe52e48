"""Transactions on SQLite, begun and ended by the driver itself.

SQLAlchemy's way to a transaction (a pool, a connection, events, greenlets) costs more than the statements in it. So
open connections are kept here, each with SQLAlchemy's view of it. A transaction uses the view only for statements that
were not built beforehand.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from docagent.store.sqlite_driver import Connection
from docagent.store.sqlite_prepared import Rows, as_sqlalchemy, prepared
from docagent.store.tenancy import Built

STATISTICS_SECONDS = 600
"""A connection plans queries with the statistics of the moment it was opened, so it is reopened after this time."""
SECONDS_FOR_A_CONNECTION = 30


@dataclass(frozen=True, slots=True)
class _Kept:
    """A connection, and SQLAlchemy's view of it."""

    driver: Connection
    view: AsyncConnection
    opened_at: float


class SqliteConnections:
    """Keeps up to `most` connections open and hands out the last used first. Only one transaction writes at a time."""

    def __init__(self, engine: AsyncEngine, most: int, all_through_sqlalchemy: bool = False) -> None:
        self.dialect = engine.dialect
        self.all_through_sqlalchemy = all_through_sqlalchemy
        self.writer = asyncio.Lock()
        self._engine = engine
        self._idle: list[_Kept] = []
        self._unopened = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    def transaction(self, *, write: bool, long: bool) -> SqliteTransaction:
        return SqliteTransaction(self, write, long)

    async def take(self) -> _Kept:
        while not self._idle:
            if self._unopened:
                return await self._open()
            await self._wait()
        return self._idle.pop()

    async def give_back(self, kept: _Kept, *, is_broken: bool) -> None:
        if is_broken or monotonic() - kept.opened_at > STATISTICS_SECONDS:
            self._unopened += 1
            await kept.view.close()
        else:
            self._idle.append(kept)
        self._wake_one()

    async def close(self) -> None:
        while self._idle:
            self._unopened += 1
            await self._idle.pop().view.close()

    async def _open(self) -> _Kept:
        self._unopened -= 1
        try:
            view = await self._engine.connect()
            driver: Any = (await view.get_raw_connection()).dbapi_connection
        except BaseException:
            self._unopened += 1
            self._wake_one()
            raise
        assert isinstance(driver, Connection)
        return _Kept(driver, view, monotonic())

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


class SqliteTransaction:
    """One transaction. It begins with `async with` and commits at the end of the block, or rolls back on an error."""

    dialect = "sqlite"

    def __init__(self, connections: SqliteConnections, write: bool, long: bool) -> None:
        self._connections = connections
        self._write = write
        self._long = long
        self._view_is_used = False
        self._savepoints = 0

    async def __aenter__(self) -> Self:
        if self._write:
            await self._connections.writer.acquire()
        try:
            self._kept = await self._connections.take()
            self._driver = self._kept.driver
            try:
                await self._driver.start(writes=self._write, in_thread=self._long)
            except BaseException as error:
                await self._connections.give_back(self._kept, is_broken=False)
                if isinstance(error, sqlite3.Error):
                    raise as_sqlalchemy(error, "BEGIN", ()) from error
                raise
        except BaseException:
            self._let_others_write()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                await self._commit()
            else:
                self._roll_back()
        finally:
            try:
                is_broken = self._is_broken
                if self._view_is_used and not is_broken:
                    await self._kept.view.rollback()  # in SQLAlchemy's books only: the transaction is over
                await self._connections.give_back(self._kept, is_broken=is_broken)
            finally:
                self._let_others_write()

    async def execute_built(self, built: Built, parameters: Any) -> Rows | CursorResult[Any]:
        if self._connections.all_through_sqlalchemy:
            return await self.execute(built.statement, parameters)
        found = prepared(built, parameters, self._connections.dialect)
        if found is None:
            return await self.execute(built.statement, parameters)
        self._check_that_it_lasts()
        return await found.run(self._driver, parameters)

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> CursorResult[Any]:
        self._check_that_it_lasts()
        if not self._view_is_used:
            self._view_is_used = True
            self._begin_in_the_view()
        return await self._kept.view.execute(statement, parameters)

    async def execute_text(self, sql: str) -> None:
        self._check_that_it_lasts()
        await self._driver.fetch(sql)

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        self._savepoints += 1
        name = f"part_{self._savepoints}"
        await self.execute_text(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            if self._driver_has_it:
                await self.execute_text(f"ROLLBACK TO {name}")
                await self.execute_text(f"RELEASE {name}")
            raise
        await self.execute_text(f"RELEASE {name}")

    @contextmanager
    def in_thread(self) -> Iterator[None]:
        """Run the statements of the block in threads, because they take long."""
        before, self._driver.in_thread = self._driver.in_thread, True
        try:
            yield
        finally:
            self._driver.in_thread = before

    def _begin_in_the_view(self) -> None:
        """Begin in SQLAlchemy's books only. Otherwise SQLAlchemy would roll back after a statement it cannot build."""
        connection = self._kept.view.sync_connection
        assert connection is not None
        connection.begin()

    async def _commit(self) -> None:
        try:
            self._check_that_it_lasts()
            await self._driver.finish()
        except BaseException as error:
            self._roll_back()
            if isinstance(error, sqlite3.Error):
                raise as_sqlalchemy(error, "COMMIT", ()) from error
            raise

    def _roll_back(self) -> None:
        if not self._is_broken:
            self._driver.rollback()

    def _check_that_it_lasts(self) -> None:
        """Raise if SQLite has ended the transaction, as it does after some errors: what follows would not be in it."""
        if not self._driver_has_it:
            raise sa.exc.InvalidRequestError("The database has ended this transaction after an error.")

    @property
    def _driver_has_it(self) -> bool:
        return not self._is_broken and self._driver.in_transaction

    @property
    def _is_broken(self) -> bool:
        """True if SQLAlchemy has given up the connection: its task was cancelled in the middle of a statement."""
        return self._view_is_used and self._kept.view.invalidated

    def _let_others_write(self) -> None:
        if self._write:
            self._connections.writer.release()
