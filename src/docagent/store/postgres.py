"""Transactions on PostgreSQL: a pool of asyncpg connections.

A connection that was used a moment ago is taken as it is. One that lay idle for longer is asked first whether it still
lives. If one turns out dead at the first statement, nothing has happened yet, and the statement runs on another.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from docagent.store.tenancy import Built

SECONDS_TRUSTED = 5.0
_USED_AT = "used_at"


def open_postgres(url: URL, pool_size: int, **options: Any) -> AsyncEngine:
    engine = create_async_engine(
        url.set(drivername="postgresql+asyncpg"), pool_size=pool_size, max_overflow=pool_size, **options
    )
    sa.event.listen(engine.sync_engine, "checkin", _note_use)
    sa.event.listen(engine.sync_engine, "checkout", _ask_the_idle(engine))
    return engine


class PostgresTransaction:
    """An open transaction. Everything goes through SQLAlchemy."""

    dialect = "postgresql"

    def __init__(self, connection: AsyncConnection, transaction: AsyncTransaction) -> None:
        self._connection = connection
        self._transaction = transaction
        self._has_begun = False
        """Whether the server knows of the transaction: it hears of it with the first statement."""

    async def execute_built(self, built: Built, parameters: Any) -> CursorResult[Any]:
        return await self.execute(built.statement, parameters)

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> CursorResult[Any]:
        if self._has_begun:
            return await self._connection.execute(statement, parameters)
        result = await self._execute_first(statement, parameters)
        self._has_begun = True
        return result

    def savepoint(self) -> AbstractAsyncContextManager[Any]:
        return self._connection.begin_nested()

    async def end(self, *, commit: bool) -> None:
        await (self._transaction.commit() if commit else self._transaction.rollback())

    async def _execute_first(self, statement: sa.Executable, parameters: Any) -> CursorResult[Any]:
        try:
            return await self._connection.execute(statement, parameters)
        except sa.exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise
        await self._transaction.rollback()
        self._transaction = await self._connection.begin()
        return await self._connection.execute(statement, parameters)


@asynccontextmanager
async def postgres_transaction(engine: AsyncEngine) -> AsyncIterator[PostgresTransaction]:
    async with engine.connect() as connection:
        transaction = PostgresTransaction(connection, await connection.begin())
        try:
            yield transaction
        except BaseException:
            await transaction.end(commit=False)
            raise
        await transaction.end(commit=True)


def _note_use(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[_USED_AT] = monotonic()


def _ask_the_idle(engine: AsyncEngine) -> Callable[[DBAPIConnection, ConnectionPoolEntry, Any], None]:
    dialect = engine.sync_engine.dialect

    def ask(connection: DBAPIConnection, entry: ConnectionPoolEntry, _: Any) -> None:
        used_at = entry.info.get(_USED_AT)
        if used_at is None or monotonic() - used_at < SECONDS_TRUSTED:
            return
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise sa.exc.InvalidatePoolError("the connection is dead") from error

    return ask
