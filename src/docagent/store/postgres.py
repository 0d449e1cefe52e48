"""Transactions on PostgreSQL: a pool of asyncpg connections.

A connection that was used a moment ago is taken as it is. One that lay idle for longer is asked first whether it still
lives. If one turns out dead at the first statement, nothing has happened yet, and the statement runs on another.
If the server cannot be reached, that is SQLAlchemy's OperationalError, whatever the driver raised.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from docagent.store.tenancy import Built

SECONDS_TRUSTED = 5.0
SECONDS_TO_CONNECT = 10.0
_USED_AT = "used_at"


def open_postgres(url: URL, pool_size: int, **options: Any) -> AsyncEngine:
    engine = create_async_engine(
        url.set(drivername="postgresql+asyncpg"),
        pool_size=pool_size,
        max_overflow=pool_size,
        connect_args={"timeout": SECONDS_TO_CONNECT},
        **options,
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
        if commit:
            await self._transaction.commit()
        elif (
            self._transaction.is_active
        ):  # it is not, if no other connection was found for the first statement
            await self._transaction.rollback()

    async def _execute_first(self, statement: sa.Executable, parameters: Any) -> CursorResult[Any]:
        try:
            return await self._connection.execute(statement, parameters)
        except sa.exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise
        await self._transaction.rollback()
        with _reaching(self._connection.engine):
            self._transaction = await self._connection.begin()
            return await self._connection.execute(statement, parameters)


@asynccontextmanager
async def postgres_transaction(
    engine: AsyncEngine, *, snapshot: bool = False
) -> AsyncIterator[PostgresTransaction]:
    """With `snapshot` all statements see the same moment."""
    async with AsyncExitStack() as stack:
        with _reaching(engine):
            connection = await stack.enter_async_context(engine.connect())
        if snapshot:
            await connection.execution_options(isolation_level="REPEATABLE READ")
        transaction = PostgresTransaction(connection, await connection.begin())
        try:
            yield transaction
        except BaseException:
            await transaction.end(commit=False)
            raise
        await transaction.end(commit=True)


@contextmanager
def _reaching(engine: AsyncEngine) -> Iterator[None]:
    """SQLAlchemy passes on what the driver raises while it connects."""
    driver = engine.dialect.loaded_dbapi.asyncpg
    try:
        yield
    except (OSError, driver.PostgresError, driver.InterfaceError) as error:
        raise sa.exc.OperationalError("connect", None, error) from error


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
