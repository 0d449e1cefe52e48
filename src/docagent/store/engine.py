"""Connections and transactions.

SQLite: WAL, foreign keys, one writer at a time. Statements run on the event loop itself; those of a transaction that
is opened as `long` run in a thread, and so does a SELECT that turns out to be slow (`sqlite_driver.py`). A writer
begins with BEGIN IMMEDIATE, a reader with BEGIN.
PostgreSQL: a pool of asyncpg connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult, Row, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from docagent.domain.errors import Unavailable
from docagent.store.sqlite_dialect import DRIVER
from docagent.store.sqlite_driver import SECONDS_BUSY
from docagent.store.sqlite_driver import Connection as SqliteConnection
from docagent.store.tenancy import Held, UnscopedStatement, scope, unscoped

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
BUSY_TIMEOUT_MS = int(SECONDS_BUSY * 1000)
STATISTICS_SECONDS = 600
"""SQLite's connections plan with the statistics that they found when they were opened, so they are opened anew."""
ROWS_ANALYZED = 400

MOST_SHAPES = 2000

_held_shapes: set[Hashable] = set()
"""Shapes of statements that were looked at and reach no other organisation: looking costs as much as running."""
_joined: ContextVar[Tx | None] = ContextVar("_joined", default=None)


class Tx:
    """An open transaction for tables that belong to no organisation."""

    def __init__(self, connection: AsyncConnection, afterwards: list[Callable[[], None]]) -> None:
        self._connection = connection
        self._afterwards = afterwards
        self._joins = 0

    @property
    def dialect(self) -> str:
        return self._connection.dialect.name

    async def execute(
        self, statement: sa.Executable | Held, parameters: Parameters = None
    ) -> CursorResult[Any]:
        if isinstance(statement, Held):
            if statement.is_owned:
                raise UnscopedStatement("this statement runs in the transaction of an organisation only")
            return await self._connection.execute(statement.statement, parameters)
        return await self._run(statement, parameters, organization_id=None)

    async def across(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]:
        """Run a statement over all organisations: for sign-in, jobs and clean-up. A rule test lists the callers."""
        return await self._connection.execute(statement, parameters)

    async def take_turns(self, over: str) -> None:
        """Wait for every other transaction that takes turns over the same thing. SQLite has one writer anyway."""
        if self.dialect == "postgresql":
            key = sa.func.hashtext(sa.cast(over, sa.Text))
            await self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        """What happens inside is undone when it raises; the transaction goes on."""
        before = len(self._afterwards)
        try:
            async with self._connection.begin_nested():
                yield
        except BaseException:
            del self._afterwards[before:]
            raise

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Call back once the change is durable; never when it is undone. In a joined part: after the whole."""
        self._afterwards.append(callback)

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Inside, use cases that open a transaction of their own take part in this one.

        So that what a use case does and what is written about it are one commit.
        """
        token = _joined.set(self)
        self._joins += 1
        try:
            yield
        finally:
            self._joins -= 1  # also for tasks that were started inside and go on
            _joined.reset(token)

    async def rows(
        self, statement: sa.Executable | Held, parameters: Parameters = None
    ) -> Sequence[Row[Any]]:
        return (await self.execute(statement, parameters)).all()

    async def first(self, statement: sa.Executable | Held, parameters: Parameters = None) -> Row[Any] | None:
        return (await self.execute(statement, parameters)).first()

    async def scalar(self, statement: sa.Executable | Held, parameters: Parameters = None) -> Any:
        return (await self.execute(statement, parameters)).scalar()

    async def _run(
        self, statement: sa.Executable, parameters: Parameters, organization_id: str | None
    ) -> CursorResult[Any]:
        looked_at = parameters is not None and not isinstance(statement, sa.Select)
        shape = None if looked_at else _shape(statement, organization_id)
        if shape is None or shape not in _held_shapes:
            if loose := unscoped(statement, parameters, organization_id):
                raise UnscopedStatement(f"not held to an organisation: {', '.join(sorted(loose))}")
            _remember(shape)
        return await self._connection.execute(statement, parameters)


class OrgTx(Tx):
    """An open transaction for one organisation: every statement is held to its id."""

    def __init__(
        self, connection: AsyncConnection, afterwards: list[Callable[[], None]], organization_id: str
    ) -> None:
        super().__init__(connection, afterwards)
        self.organization_id = organization_id

    async def execute(
        self, statement: sa.Executable | Held, parameters: Parameters = None
    ) -> CursorResult[Any]:
        if isinstance(statement, Held):
            values = statement.parameters(self.organization_id, parameters)
            return await self._connection.execute(statement.statement, values)
        return await self._run(scope(statement, self.organization_id), parameters, self.organization_id)


class Database:
    """The engine and its two kinds of transaction.

    `long` is for statements that may take more than a few milliseconds: SQLite runs them in a thread. PostgreSQL
    takes no notice.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writer = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @property
    def dialect(self) -> str:
        return self._engine.dialect.name

    @asynccontextmanager
    async def read(self, *, long: bool = False) -> AsyncIterator[Tx]:
        async with self._transaction(write=False, long=long) as (connection, afterwards):
            yield Tx(connection, afterwards)

    @asynccontextmanager
    async def write(self, *, long: bool = False) -> AsyncIterator[Tx]:
        async with self._transaction(write=True, long=long) as (connection, afterwards):
            yield Tx(connection, afterwards)

    @asynccontextmanager
    async def read_org(self, organization_id: str, *, long: bool = False) -> AsyncIterator[OrgTx]:
        async with self._transaction(write=False, long=long) as (connection, afterwards):
            yield OrgTx(connection, afterwards, organization_id)

    @asynccontextmanager
    async def snapshot_org(self, organization_id: str) -> AsyncIterator[OrgTx]:
        """For many statements that must see the same moment. SQLite's readers always do."""
        if self._writer is not None:
            async with self.read_org(organization_id, long=True) as tx:
                yield tx
            return
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            async with connection.begin():
                yield OrgTx(connection, [], organization_id)

    @asynccontextmanager
    async def write_org(self, organization_id: str, *, long: bool = False) -> AsyncIterator[OrgTx]:
        async with self._transaction(write=True, long=long) as (connection, afterwards):
            yield OrgTx(connection, afterwards, organization_id)

    def in_org(self, tx: Tx, organization_id: str) -> OrgTx:
        """The same transaction, held to an organisation: for use cases that touch both kinds of table."""
        return OrgTx(tx._connection, tx._afterwards, organization_id)

    async def check(self) -> None:
        try:
            async with self.read() as tx:
                await tx.scalar(sa.select(sa.literal(1)))
        except (sa.exc.SQLAlchemyError, OSError) as error:
            raise Unavailable("The database does not answer. See the setting database.url.") from error

    async def refresh_statistics(self) -> None:
        """Let SQLite look at samples of its tables, without which it plans badly. PostgreSQL does so by itself."""
        if self.dialect == "sqlite":
            async with self._transaction(write=True, long=True) as (connection, _):
                await connection.exec_driver_sql(f"PRAGMA analysis_limit={ROWS_ANALYZED}")
                await connection.exec_driver_sql("ANALYZE")

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def _transaction(
        self, *, write: bool, long: bool
    ) -> AsyncIterator[tuple[AsyncConnection, list[Callable[[], None]]]]:
        outer = _joined.get()
        if outer is not None and outer._joins and outer._connection.engine is self._engine:
            with _in_thread(outer._connection, long):
                yield outer._connection, outer._afterwards
            return
        afterwards: list[Callable[[], None]] = []
        if self._writer is None:
            async with self._engine.connect() as connection, connection.begin():
                yield connection, afterwards
        else:
            async with self._writer if write else nullcontext():
                begun = await greenlet_spawn(_begin_on_sqlite, self._engine.sync_engine, write, long)
                try:
                    yield AsyncConnection(self._engine, begun), afterwards
                except BaseException:
                    begun.close()
                    raise
                await greenlet_spawn(_commit_and_close, begun)
        for callback in afterwards:
            callback()


def open_database(url: str, pool_size: int = 10, *, busy_seconds: float = SECONDS_BUSY) -> Database:
    """A database of either kind; connects at first use. SQLite's writers wait `busy_seconds` for other processes."""
    parsed = make_url(url)
    json = {"json_serializer": lambda value: orjson.dumps(value).decode(), "json_deserializer": orjson.loads}
    if parsed.get_backend_name() == "sqlite":
        engine = create_async_engine(
            parsed.set(drivername=DRIVER),
            connect_args={"busy_seconds": busy_seconds},
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_use_lifo=True,
            pool_recycle=STATISTICS_SECONDS,
            **json,
        )
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


def _shape(statement: sa.Executable, organization_id: str | None) -> Hashable | None:
    """All that `unscoped` looks at: the statement without its values, and which of those are the organisation's id.

    SQLAlchemy needs the same key to find the compiled statement, so it costs little. None for the few without one.
    """
    key = statement._generate_cache_key()  # type: ignore[attr-defined]  # every executable clause has it
    if key is None:
        return None
    return key.key, organization_id is None, tuple(value.value == organization_id for value in key.bindparams)


def _remember(shape: Hashable | None) -> None:
    if shape is not None:
        if len(_held_shapes) >= MOST_SHAPES:
            _held_shapes.clear()
        _held_shapes.add(shape)


def _begin_on_sqlite(engine: sa.Engine, write: bool, long: bool) -> sa.Connection:
    """In one go: SQLAlchemy's own way takes four greenlets and a task, which is more than a statement costs."""
    connection = engine.connect()
    try:
        driver = _sqlite(connection)
        driver.writes, driver.in_thread = write, long
        connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def _commit_and_close(connection: sa.Connection) -> None:
    try:
        connection.commit()
    finally:
        connection.close()


def _sqlite(connection: sa.Connection) -> SqliteConnection:
    driver: Any = connection.connection.dbapi_connection
    assert isinstance(driver, SqliteConnection)
    return driver


@contextmanager
def _in_thread(connection: AsyncConnection, long: bool) -> Iterator[None]:
    """A part of an open transaction that is long."""
    if not long or connection.dialect.name != "sqlite" or connection.sync_connection is None:
        yield
        return
    driver = _sqlite(connection.sync_connection)
    before, driver.in_thread = driver.in_thread, True
    try:
        yield
    finally:
        driver.in_thread = before
