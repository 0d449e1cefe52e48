"""Transactions on PostgreSQL, begun and ended on asyncpg's connections themselves.

A connection that was used a moment ago is taken as it is. One that lay idle for longer is asked first whether it still
lives. If one turns out dead before anything has happened on it, another is taken, opened again: the others that lay
idle have probably died with it. If the server cannot be reached, that is SQLAlchemy's OperationalError, whatever the
driver raised.

What only reads needs no transaction: with PostgreSQL's usual isolation every statement sees a moment of its own anyway.
So a reader's statements run one by one, which saves two ways to the server. Statements whose result nobody waits for
go together with the next one. SQLAlchemy knows of no transaction at all:
its view of a connection commits by itself, and sees what we have begun.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

import asyncpg
import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from docagent.store.engine.connections import Connections, Kept
from docagent.store.engine.one_way import MOST_PARTS, in_one
from docagent.store.engine.prepared import Prepared, Rows, is_many, prepared
from docagent.store.engine.sqlalchemy_internals import as_dbapi_error
from docagent.store.engine.tenancy import Built

T = TypeVar("T")

SECONDS_TRUSTED = 5.0
SECONDS_TO_CONNECT = 10.0
STATEMENTS_KEPT = 1000
"""How many statements a connection keeps prepared."""
KEEPALIVES = {"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3"}
"""So that the server notices a machine that was cut off, and frees its locks."""
SESSION = {"lock_timeout": "20s", "idle_in_transaction_session_timeout": "60s", **KEEPALIVES}
"""No statement waits for a lock for ever, and no process that hangs in a transaction keeps its locks."""
_OUT_OF_STEP = asyncpg.InternalClientError
"""Raised for a connection whose end the server has announced and the network not yet brought."""
_TROUBLE = (asyncpg.PostgresError, asyncpg.InterfaceError, _OUT_OF_STEP, OSError)


def open_postgres(url: URL, **options: Any) -> AsyncEngine:
    return create_async_engine(
        url.set(drivername="postgresql+asyncpg"),
        poolclass=sa.NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={
            "timeout": SECONDS_TO_CONNECT,
            "server_settings": SESSION,
            "statement_cache_size": STATEMENTS_KEPT,
            "max_cached_statement_lifetime": 0,
        },
        **options,
    )


class PostgresConnections(Connections[asyncpg.Connection]):
    """Keeps `pool_size` connections open, and as many more while there is much to do."""

    def __init__(self, engine: AsyncEngine, pool_size: int, all_through_sqlalchemy: bool = False) -> None:
        super().__init__(engine, 2 * pool_size, pool_size, all_through_sqlalchemy)

    def transaction(self, *, write: bool, snapshot: bool = False) -> PostgresTransaction:
        """With `snapshot` all statements see the same moment."""
        isolation = "REPEATABLE READ" if snapshot else "READ COMMITTED"
        return PostgresTransaction(self, write or snapshot, isolation)

    async def take(self) -> Kept[asyncpg.Connection]:
        """Take a connection that lives, as far as one can know."""
        while True:
            try:
                kept = await super().take()
            except _TROUBLE as error:  # SQLAlchemy passes on what the driver raises while it connects
                raise sa.exc.OperationalError("connect", None, error) from error
            if monotonic() - kept.used_at < SECONDS_TRUSTED or await self._lives(kept):
                return kept
            await self.give_back(kept, is_broken=True)

    async def replace(self, kept: Kept[asyncpg.Connection]) -> Kept[asyncpg.Connection]:
        """Take a new connection instead of one that is dead, and instead of those that lay idle beside it."""
        await self.give_back(kept, is_broken=True)
        await self.close(are_broken=True)
        return await self.take()

    async def _lives(self, kept: Kept[asyncpg.Connection]) -> bool:
        try:
            await kept.driver.execute("SELECT 1")
        except _TROUBLE:
            return False
        except BaseException:
            await self.give_back(kept, is_broken=True)
            raise
        return True


class PostgresTransaction:
    """One transaction. It commits at the end of its block, or rolls back on an error."""

    dialect = "postgresql"

    def __init__(self, connections: PostgresConnections, write: bool, isolation: str) -> None:
        self._connections = connections
        self._write = write
        self._isolation = isolation
        self._has_begun = False
        self._savepoints = 0
        self._later: list[tuple[str, Sequence[Any]]] = []

    async def __aenter__(self) -> Self:
        self._kept: Kept[asyncpg.Connection] | None = await self._connections.take()
        if self._write:
            try:
                await self._begin()
            except BaseException:
                await self._leave(is_broken=True)
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_broken = error is not None and not isinstance(error, Exception)  # perhaps within a statement
        try:
            if self._has_begun and not is_broken:
                is_broken = True
                await self._end(commit=error is None)
                is_broken = False
        finally:
            await self._leave(is_broken=is_broken)

    async def _leave(self, *, is_broken: bool) -> None:
        """Give the connection back, unless it was dead and no other could be had."""
        kept, self._kept = self._kept, None
        if kept is not None:
            await self._connections.give_back(kept, is_broken=is_broken or kept.driver.is_closed())

    @property
    def _used(self) -> Kept[asyncpg.Connection]:
        if self._kept is None:
            raise sa.exc.PendingRollbackError("the connection was lost earlier in the transaction")
        return self._kept

    async def execute_built(self, built: Built, parameters: Any) -> Rows | CursorResult[Any]:
        statement = None
        if not self._connections.all_through_sqlalchemy:
            statement = prepared(built, parameters, self._connections.dialect)
        if statement is None:
            return await self.execute(built.statement, parameters)
        found = statement
        await self._begin_unless_read(built.statement)
        return await self._on_a_living_one(lambda: self._run(found, parameters))

    async def execute_later(self, built: Built, parameters: Any) -> None:
        """Run a statement with the next one, or before the transaction ends."""
        statement = None
        if not self._connections.all_through_sqlalchemy:
            statement = prepared(built, parameters, self._connections.dialect)
        if statement is None or not self._has_begun:
            await self.execute_built(built, parameters)
            return
        values = statement.values(parameters)
        self._later += [(statement.sql, row) for row in (values if is_many(parameters) else [values])]
        if len(self._later) > MOST_PARTS:
            await self._do_now()

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> CursorResult[Any]:
        await self._do_now()
        await self._begin_unless_read(statement)
        return await self._on_a_living_one(lambda: self._through_sqlalchemy(statement, parameters))

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        self._savepoints += 1
        name = f"part_{self._savepoints}"
        await self._do_now()
        await self._command(f"SAVEPOINT {name}")
        try:
            yield
            await self._do_now()
        except BaseException:
            self._later.clear()
            await self._command(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        await self._command(f"RELEASE SAVEPOINT {name}")

    async def _begin_unless_read(self, statement: sa.Executable) -> None:
        if not (self._has_begun or isinstance(statement, sa.SelectBase)):
            await self._begin()

    async def _begin(self) -> None:
        await self._on_a_living_one(lambda: self._command(f"BEGIN ISOLATION LEVEL {self._isolation}"))
        self._has_begun = True

    async def _end(self, *, commit: bool) -> None:
        if commit:
            await self._do_now()
        done = await self._command("COMMIT" if commit else "ROLLBACK")
        if commit and done != "COMMIT":
            raise sa.exc.InvalidRequestError("The database has ended this transaction after an error.")

    async def _on_a_living_one(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work, and if its connection is dead and nothing depends on it yet, once more on another."""
        try:
            return await work()
        except sa.exc.DBAPIError as error:
            if self._has_begun or not error.connection_invalidated:
                raise
        dead, self._kept = self._used, None
        self._kept = await self._connections.replace(dead)
        return await work()

    async def _run(self, statement: Prepared, parameters: Any) -> Rows:
        values = statement.values(parameters)
        if statement.sql.startswith("WITH"):
            await self._do_now()
        if is_many(parameters):
            await self._do_now()
            await self._guarded(statement.sql, values, lambda to: to.executemany(statement.sql, values))
            return statement.rows((), -1)
        sql, all_values = in_one([*self._later, (statement.sql, values)])
        self._later.clear()
        if statement.row is None:
            status = await self._guarded(sql, all_values, lambda to: to.execute(sql, *all_values))
            return statement.rows((), _rowcount(status))
        found = await self._guarded(sql, all_values, lambda to: to.fetch(sql, *all_values))
        return statement.rows(found, len(found))

    async def _through_sqlalchemy(self, statement: sa.Executable, parameters: Any) -> CursorResult[Any]:
        try:
            return await self._used.view.execute(statement, parameters)
        except _OUT_OF_STEP as error:  # SQLAlchemy does not know it
            raise self._as_sqlalchemy(error, str(statement), parameters) from error

    async def _do_now(self) -> None:
        """Run what was left for later."""
        if self._later:
            sql, values = in_one(self._later)
            self._later.clear()
            await self._guarded(sql, values, lambda to: to.execute(sql, *values))

    async def _command(self, sql: str) -> str:
        return str(await self._guarded(sql, (), lambda to: to.execute(sql)))

    async def _guarded(
        self, sql: str, values: Any, work: Callable[[asyncpg.Connection], Awaitable[Any]]
    ) -> Any:
        try:
            return await work(self._used.driver)
        except _TROUBLE as error:
            raise self._as_sqlalchemy(error, sql, values) from error

    def _as_sqlalchemy(self, error: Exception, sql: str, values: Any) -> BaseException:
        """Return the error as SQLAlchemy would raise it: callers catch SQLAlchemy's IntegrityError."""
        if isinstance(error, OSError | _OUT_OF_STEP):
            return sa.exc.DBAPIError(sql, values, error, hide_parameters=True, connection_invalidated=True)
        return sa.exc.DBAPIError.instance(
            sql,
            values,
            as_dbapi_error(self._used.adapted, error),
            self._connections.dialect.loaded_dbapi.Error,
            hide_parameters=True,
            connection_invalidated=self._used.driver.is_closed(),
            dialect=self._connections.dialect,
        )


def _rowcount(status: str) -> int:
    """How many rows a statement touched, from what the server says of it: `UPDATE 1`, `INSERT 0 1`."""
    last = status.rpartition(" ")[2]
    return int(last) if last.isdigit() else -1
