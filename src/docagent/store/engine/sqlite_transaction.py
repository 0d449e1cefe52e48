"""Transactions on SQLite, begun and ended by the driver itself.

A transaction uses SQLAlchemy's view of its connection only for statements that were not built beforehand.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.engine import CursorResult
from sqlalchemy.ext.asyncio import AsyncEngine

from docagent.store.engine.connections import Connections, Kept
from docagent.store.engine.prepared import Prepared, Rows, is_many, prepared
from docagent.store.engine.sqlite_driver import Connection
from docagent.store.engine.tenancy import Built

STATISTICS_SECONDS = 600
"""A connection plans queries with the statistics of the moment it was opened, so it is reopened after this time."""


async def _run(statement: Prepared, connection: Connection, parameters: Any) -> Rows:
    many, values = is_many(parameters), statement.values(parameters)
    try:
        given = connection.fetch_now(statement.sql, values, many=many)
        found, rowcount = given or await connection.fetch(statement.sql, values, many=many)
    except sqlite3.Error as error:
        raise as_sqlalchemy(error, statement.sql, values) from error
    return statement.rows(found, rowcount)


def as_sqlalchemy(error: sqlite3.Error, sql: str, values: Any) -> BaseException:
    """Return the error as SQLAlchemy would raise it: callers catch SQLAlchemy's IntegrityError."""
    return sa.exc.DBAPIError.instance(sql, values, error, sqlite3.Error, hide_parameters=True)


class SqliteConnections(Connections[Connection]):
    """Only one transaction writes at a time."""

    def __init__(self, engine: AsyncEngine, most: int, all_through_sqlalchemy: bool = False) -> None:
        super().__init__(engine, most, most, all_through_sqlalchemy)
        self.writer = asyncio.Lock()

    def transaction(self, *, write: bool, long: bool) -> SqliteTransaction:
        return SqliteTransaction(self, write, long)

    def is_outdated(self, kept: Kept[Connection]) -> bool:
        return monotonic() - kept.opened_at > STATISTICS_SECONDS


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
        return await _run(found, self._driver, parameters)

    async def execute_later(self, built: Built, parameters: Any) -> None:
        """Run a statement, at once: there is no way to save."""
        await self.execute_built(built, parameters)

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
