"""Connections and transactions.

SQLite: WAL, foreign keys, one writer at a time. The driver's own idea of transactions is switched off, because
it starts none before a SELECT and loses updates; a writer begins with BEGIN IMMEDIATE, a reader with BEGIN.
PostgreSQL: a pool of asyncpg connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult, Row, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from docagent.domain.errors import Unavailable
from docagent.store.tenancy import UnscopedStatement, scope, unscoped

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
BUSY_TIMEOUT_MS = 30_000
STATISTICS_SECONDS = 600
"""SQLite's connections plan with the statistics that they found when they were opened, so they are opened anew."""
ROWS_ANALYZED = 400


class Tx:
    """An open transaction for tables that belong to no organisation."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> str:
        return self._connection.dialect.name

    async def execute(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]:
        return await self._run(statement, parameters, organization_id=None)

    async def across(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]:
        """Run a statement over all organisations: for sign-in, jobs and clean-up. A rule test lists the callers."""
        return await self._connection.execute(statement, parameters)

    async def take_turns(self, over: str) -> None:
        """Wait for every other transaction that takes turns over the same thing. SQLite has one writer anyway."""
        if self.dialect == "postgresql":
            key = sa.func.hashtext(sa.cast(over, sa.Text))
            await self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))

    async def rows(self, statement: sa.Executable) -> Sequence[Row[Any]]:
        return (await self.execute(statement)).all()

    async def first(self, statement: sa.Executable) -> Row[Any] | None:
        return (await self.execute(statement)).first()

    async def scalar(self, statement: sa.Executable) -> Any:
        return (await self.execute(statement)).scalar()

    async def _run(
        self, statement: sa.Executable, parameters: Parameters, organization_id: str | None
    ) -> CursorResult[Any]:
        if loose := unscoped(statement, parameters, organization_id):
            raise UnscopedStatement(f"not held to an organisation: {', '.join(sorted(loose))}")
        return await self._connection.execute(statement, parameters)


class OrgTx(Tx):
    """An open transaction for one organisation: every statement is held to its id."""

    def __init__(self, connection: AsyncConnection, organization_id: str) -> None:
        super().__init__(connection)
        self.organization_id = organization_id

    async def execute(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]:
        return await self._run(scope(statement, self.organization_id), parameters, self.organization_id)


class Database:
    """The engine and its two kinds of transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writer = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @property
    def dialect(self) -> str:
        return self._engine.dialect.name

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Tx]:
        async with self._transaction(write=False) as connection:
            yield Tx(connection)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Tx]:
        async with self._transaction(write=True) as connection:
            yield Tx(connection)

    @asynccontextmanager
    async def read_org(self, organization_id: str) -> AsyncIterator[OrgTx]:
        async with self._transaction(write=False) as connection:
            yield OrgTx(connection, organization_id)

    @asynccontextmanager
    async def write_org(self, organization_id: str) -> AsyncIterator[OrgTx]:
        async with self._transaction(write=True) as connection:
            yield OrgTx(connection, organization_id)

    def in_org(self, tx: Tx, organization_id: str) -> OrgTx:
        """The same transaction, held to an organisation: for use cases that touch both kinds of table."""
        return OrgTx(tx._connection, organization_id)

    async def check(self) -> None:
        try:
            async with self.read() as tx:
                await tx.scalar(sa.select(sa.literal(1)))
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise Unavailable("The database does not answer. See the setting database.url.") from error

    async def refresh_statistics(self) -> None:
        """Let SQLite look at samples of its tables, without which it plans badly. PostgreSQL does so by itself."""
        if self.dialect == "sqlite":
            async with self._transaction(write=True) as connection:
                await connection.exec_driver_sql(f"PRAGMA analysis_limit={ROWS_ANALYZED}")
                await connection.exec_driver_sql("ANALYZE")

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def _transaction(self, *, write: bool) -> AsyncIterator[AsyncConnection]:
        gate: AbstractAsyncContextManager[Any] = nullcontext()
        if write and self._writer is not None:
            gate = self._writer
        async with gate, self._engine.connect() as connection:
            await connection.execution_options(writes=write)
            async with connection.begin():
                yield connection


def open_database(url: str, pool_size: int = 10) -> Database:
    """A database of either kind; connects at first use."""
    parsed = make_url(url)
    json = {"json_serializer": lambda value: orjson.dumps(value).decode(), "json_deserializer": orjson.loads}
    if parsed.get_backend_name() == "sqlite":
        engine = create_async_engine(
            parsed.set(drivername="sqlite+aiosqlite"),
            connect_args={"isolation_level": None, "timeout": BUSY_TIMEOUT_MS / 1000},
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_use_lifo=True,
            pool_recycle=STATISTICS_SECONDS,
            **json,
        )
        sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
    else:
        engine = create_async_engine(
            parsed.set(drivername="postgresql+asyncpg"),
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_pre_ping=True,
            **json,
        )
    return Database(engine)


def sync_url(url: str) -> URL:
    """The same database for code that is not async: migrations and the job queue."""
    parsed = make_url(url)
    driver = "sqlite" if parsed.get_backend_name() == "sqlite" else "postgresql+psycopg"
    return parsed.set(drivername=driver)


def _prepare_sqlite(connection: Any, record: object) -> None:
    del record
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
