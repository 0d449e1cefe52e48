"""SQLite's connections, each with a thread of its own that does a whole statement in one go.

aiosqlite sends its thread four errands for a statement: make a cursor, execute, fetch, close. Each errand costs the
event loop more than a small statement costs SQLite, and all rows are fetched at once anyway.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import aiosqlite

_ROWS_PER_FETCH = 64


class SqliteConnection(aiosqlite.Connection):
    """What SQLAlchemy's dialect for aiosqlite needs of a connection."""

    def cursor(self) -> StatementCursor:  # type: ignore[override]
        return StatementCursor(self)

    async def rollback(self) -> None:
        """SQLAlchemy closes connections whose caller gave up in the middle, so that nothing is running here."""
        if self.in_transaction:
            await super().rollback()

    async def run(self, work: Callable[[sqlite3.Connection], StatementResult]) -> StatementResult:
        """Do the work in the connection's thread."""
        result: StatementResult = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


class StatementResult:
    """All that a statement gave, taken from its cursor before that was closed."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self.description = cursor.description
        self.rows: list[Any] = cursor.fetchall() if self.description else []
        self.rowcount = cursor.rowcount
        self.lastrowid = cursor.lastrowid
        cursor.close()


class StatementCursor:
    """A cursor that exists only while its statement runs."""

    arraysize = 1

    def __init__(self, connection: SqliteConnection) -> None:
        self._connection = connection
        self._result: StatementResult | None = None

    async def __aenter__(self) -> StatementCursor:
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        self._result = await self._connection.run(
            lambda connection: StatementResult(connection.execute(sql, parameters))
        )

    async def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        self._result = await self._connection.run(
            lambda connection: StatementResult(connection.executemany(sql, parameters))
        )

    async def fetchall(self) -> list[Any]:
        return self._result.rows if self._result else []

    async def close(self) -> None:
        """Nothing is open."""

    @property
    def description(self) -> Any:
        return self._result.description if self._result else None

    @property
    def rowcount(self) -> int:
        return self._result.rowcount if self._result else -1

    @property
    def lastrowid(self) -> int | None:
        return self._result.lastrowid if self._result else None


def connect(database: str, **options: Any) -> SqliteConnection:
    """To be awaited, like what `aiosqlite.connect` gives. Its thread does not keep the program alive."""
    connection = SqliteConnection(partial(sqlite3.connect, database, **options), _ROWS_PER_FETCH)
    connection._thread.daemon = True
    return connection
