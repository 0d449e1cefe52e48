"""Connections and transactions.

SQLite: WAL, foreign keys, one writer at a time. Statements run on the event loop itself; those of a transaction that
is opened as `long` run in a thread, and so does a SELECT that turns out to be slow (`sqlite_driver.py`). A writer
begins with BEGIN IMMEDIATE, a reader with BEGIN (`sqlite_transaction.py`).
PostgreSQL: asyncpg's connections (`postgres.py`).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, overload

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult, Row, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from docagent.domain.accounts.accounts import Member
from docagent.domain.deliveries.changes import Change, Noun
from docagent.domain.errors import DatabaseAway, Unavailable
from docagent.domain.proposals import Rehearsal
from docagent.store.engine.private_file import keep_private
from docagent.store.engine.sqlalchemy_internals import cache_key
from docagent.store.engine.sqlite_dialect import DRIVER
from docagent.store.engine.sqlite_driver import SECONDS_BUSY
from docagent.store.engine.sqlite_transaction import SqliteConnections, SqliteTransaction
from docagent.store.engine.tenancy import Built, Held, UnscopedStatement, scope, unscoped
from docagent.store.engine.trouble import DAMAGED, trouble_of

if TYPE_CHECKING:
    from docagent.store.engine.postgres import PostgresConnections, PostgresTransaction

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
BUSY_TIMEOUT_MS = int(SECONDS_BUSY * 1000)
ROWS_ANALYZED = 400
DATABASE_ERRORS = (sa.exc.SQLAlchemyError, OSError, Unavailable)
"""What is raised when the database is away or in trouble."""

MOST_SHAPES = 2000
SECONDS_BETWEEN_PROOFS = 5.0
SECONDS_FOR_A_PROOF = 2.0
_VERSION = sa.table("alembic_version", sa.column("version_num"))
_READ = sa.select(_VERSION.c.version_num)
_WRITTEN = sa.update(_VERSION).values(version_num=_VERSION.c.version_num)

_held_shapes: set[Hashable] = set()
"""Shapes of statements that were checked and reach no other organisation: a check costs as much as a run."""
_joined: ContextVar[Tx | None] = ContextVar("_joined", default=None)


class Result(Protocol):
    """What both databases give for a statement that was built beforehand."""

    @property
    def rowcount(self) -> int: ...
    def all(self) -> Sequence[Any]: ...
    def first(self) -> Any: ...
    def one(self) -> Any: ...
    def scalar(self) -> Any: ...
    def scalar_one(self) -> Any: ...


_Transaction: TypeAlias = "SqliteTransaction | PostgresTransaction"


@dataclass(eq=False, slots=True)
class _Whole:
    """What all parts of one transaction share."""

    database: Database
    open: _Transaction
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    at_the_end: list[Callable[[], Awaitable[object]]] = field(default_factory=list)


class Tx:
    """An open transaction for tables that belong to no organisation."""

    def __init__(self, whole: _Whole) -> None:
        self._whole = whole
        self._open = whole.open
        self._joins = 0

    @property
    def dialect(self) -> str:
        return self._open.dialect

    @overload
    async def execute(self, statement: Held, parameters: Parameters = None) -> Result: ...
    @overload
    async def execute(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]: ...
    async def execute(self, statement: sa.Executable | Held, parameters: Parameters = None) -> Any:
        if isinstance(statement, Held):
            if statement.is_owned:
                raise UnscopedStatement("this statement runs in the transaction of an organisation only")
            return await self._open.execute_built(statement, parameters)
        return await self._run(statement, parameters, organization_id=None)

    @overload
    async def across(self, statement: Built, parameters: Parameters = None) -> Result: ...
    @overload
    async def across(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]: ...
    async def across(self, statement: sa.Executable | Built, parameters: Parameters = None) -> Any:
        """Run a statement over all organisations: for sign-in, jobs and clean-up. A rule test lists the callers."""
        if isinstance(statement, Built):
            return await self._open.execute_built(statement, parameters)
        return await self._open.execute(statement, parameters)

    async def take_turns(self, over: str) -> None:
        """Wait until no other transaction takes turns over the same thing. SQLite has one writer anyway."""
        if self.dialect == "postgresql":
            key = sa.func.hashtext(sa.cast(over, sa.Text))
            await self._open.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        """If the block raises, undo what it did. The transaction continues."""
        afterwards, at_the_end = self._whole.afterwards, self._whole.at_the_end
        before, ends_before = len(afterwards), len(at_the_end)
        try:
            async with self._open.savepoint():
                yield
        except BaseException as error:
            del afterwards[before:], at_the_end[ends_before:]
            self._whole.database.explain(error)
            raise

    def before_commit(self, callback: Callable[[], Awaitable[object]]) -> None:
        """Do this as the last thing of the whole transaction: for what locks a row that many transactions want."""
        self._whole.at_the_end.append(callback)

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Call back after the commit of the whole transaction. If the change is undone, there is no call."""
        self._whole.afterwards.append(callback)

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Let use cases that open a transaction inside this block take part in this one.

        So what a use case does, and what is written about it, are one commit.
        """
        token = _joined.set(self)
        self._joins += 1
        try:
            yield
        finally:
            self._joins -= 1  # tasks that were started inside and continue must not join any longer
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
        if isinstance(statement, Built):
            raise UnscopedStatement("this statement reaches across organisations: see `across`")
        looked_at = parameters is not None and not isinstance(statement, sa.Select)
        shape = None if looked_at else _shape(statement, organization_id)
        if shape is None or shape not in _held_shapes:
            if loose := unscoped(statement, parameters, organization_id):
                raise UnscopedStatement(f"not held to an organisation: {', '.join(sorted(loose))}")
            if shape is not None:
                if len(_held_shapes) >= MOST_SHAPES:
                    _held_shapes.clear()
                _held_shapes.add(shape)
        return await self._open.execute(statement, parameters)


class OrgTx(Tx):
    """An open transaction for one organisation: every statement is held to its id.

    With a rehearsal it sees the schemas, prompts and results of that proposal too.
    """

    def __init__(self, whole: _Whole, organization_id: str, rehearsal: Rehearsal | None = None) -> None:
        super().__init__(whole)
        self.organization_id = organization_id
        self.rehearsal = rehearsal

    def tell(self, noun: Noun, id: str) -> None:
        """Let open pages know of a change, once it is committed."""
        change = Change(self.organization_id, noun, id)
        self.after_commit(lambda: self._whole.database.changed(change))

    def rehearsing(self, proposal_id: str) -> OrgTx:
        """The same transaction, for readers of a proposal."""
        return OrgTx(self._whole, self.organization_id, Rehearsal(proposal_id))

    @overload
    async def execute(self, statement: Held, parameters: Parameters = None) -> Result: ...
    @overload
    async def execute(self, statement: sa.Executable, parameters: Parameters = None) -> CursorResult[Any]: ...
    async def execute(self, statement: sa.Executable | Held, parameters: Parameters = None) -> Any:
        if isinstance(statement, Held):
            values = statement.parameters(self.organization_id, parameters)
            return await self._open.execute_built(statement, values)
        return await self._run(scope(statement, self.organization_id), parameters, self.organization_id)

    async def execute_later(self, statement: Held, parameters: Parameters = None) -> None:
        """Run a statement whose result nobody waits for. PostgreSQL gets it together with the next one.

        It must not depend on what statements right before or after it change.
        """
        await self._open.execute_later(statement, statement.parameters(self.organization_id, parameters))


class Database:
    """The engine and its two kinds of transaction.

    `long` is for statements that may take more than a few milliseconds: SQLite runs them in a thread. PostgreSQL
    takes no notice.
    """

    def __init__(self, engine: AsyncEngine, connections: SqliteConnections | PostgresConnections) -> None:
        self._engine = engine
        self._connections = connections
        self._is_in_trouble = self._is_damaged = False
        self._prove_again_at = 0.0
        self._told: list[Callable[[Change], None]] = []

    @property
    def dialect(self) -> str:
        return self._engine.dialect.name

    def on_change(self, listener: Callable[[Change], None]) -> None:
        """Call the listener with changes that transactions of this process told of, after their commit."""
        self._told.append(listener)

    def changed(self, change: Change) -> None:
        for listener in self._told:
            listener(change)

    def read(self, *, long: bool = False) -> AbstractAsyncContextManager[Tx]:
        return _Opening(self, Tx, write=False, long=long)

    def write(self, *, long: bool = False) -> AbstractAsyncContextManager[Tx]:
        return _Opening(self, Tx, write=True, long=long)

    def read_org(self, organization_id: str, *, long: bool = False) -> AbstractAsyncContextManager[OrgTx]:
        return _Opening(self, lambda whole: OrgTx(whole, organization_id), write=False, long=long)

    def write_org(self, organization_id: str, *, long: bool = False) -> AbstractAsyncContextManager[OrgTx]:
        return _Opening(self, lambda whole: OrgTx(whole, organization_id), write=True, long=long)

    def read_as(self, member: Member, *, long: bool = False) -> AbstractAsyncContextManager[OrgTx]:
        """For the member's organisation, and with the proposal that the member works on."""
        return _Opening(self, _held_to(member), write=False, long=long)

    def write_as(self, member: Member, *, long: bool = False) -> AbstractAsyncContextManager[OrgTx]:
        return _Opening(self, _held_to(member), write=True, long=long)

    def snapshot_org(self, organization_id: str) -> AbstractAsyncContextManager[OrgTx]:
        """A transaction whose statements all see the same moment. SQLite's readers always do."""
        return _Opening(
            self, lambda whole: OrgTx(whole, organization_id), write=False, long=True, snapshot=True
        )

    def in_org(self, tx: Tx, organization_id: str) -> OrgTx:
        """The same transaction, held to an organisation: for use cases that touch both kinds of table."""
        return OrgTx(tx._whole, organization_id)

    async def check(self) -> None:
        """Raise Unavailable, with the cause, unless the database can be read and written.

        A database that was found damaged stays so, since other parts of it may still be read.
        """
        if self._is_damaged:
            raise Unavailable(DAMAGED)
        async with self.read() as tx:
            await tx.scalar(_READ)
        if self._is_in_trouble or monotonic() > self._prove_again_at:
            self._prove_again_at = monotonic() + SECONDS_BETWEEN_PROOFS
            # A database that another process writes to for long is busy, and not in trouble.
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_FOR_A_PROOF), self.write() as tx:
                    await tx.execute(_WRITTEN)
            self._is_in_trouble = False

    def explain(self, error: BaseException) -> None:
        """Raise DatabaseAway if the error comes from a trouble of the database. `check` then tells of it too.

        One that is damaged does not come back by itself: that is Unavailable alone.
        """
        trouble = trouble_of(error)
        if trouble is not None:
            self._is_in_trouble = True
            self._is_damaged = self._is_damaged or trouble == DAMAGED
            raise (Unavailable if trouble == DAMAGED else DatabaseAway)(trouble) from error

    async def refresh_statistics(self) -> None:
        """Let SQLite sample its tables: without samples it plans badly. PostgreSQL samples by itself."""
        if isinstance(self._connections, SqliteConnections):
            async with self._connections.transaction(write=True, long=True) as transaction:
                await transaction.execute_text(f"PRAGMA analysis_limit={ROWS_ANALYZED}")
                await transaction.execute_text("ANALYZE")

    async def close(self) -> None:
        await self._connections.close()
        await self._engine.dispose()

    def transaction(
        self, *, write: bool, long: bool, snapshot: bool = False
    ) -> AbstractAsyncContextManager[_Transaction]:
        """A transaction of its own, even if another one is joined."""
        if isinstance(self._connections, SqliteConnections):
            return self._connections.transaction(write=write, long=long)
        return self._connections.transaction(write=write, snapshot=snapshot)


T = TypeVar("T", bound=Tx)


@dataclass(eq=False)
class _Opening(AbstractAsyncContextManager[T]):
    """Opens a transaction or takes part in the joined one. No generator: that would cost as much as a statement."""

    database: Database
    make: Callable[[_Whole], T]
    write: bool
    long: bool
    snapshot: bool = False
    part: AbstractContextManager[None] | None = None
    """Of the joined transaction, if there is one."""

    async def __aenter__(self) -> T:
        outer = _joined.get()
        if outer is not None and outer._joins and outer._whole.database is self.database:
            self.part = _in_thread(outer._open, self.long)
            self.part.__enter__()
            return self.make(outer._whole)
        self._transaction = self.database.transaction(
            write=self.write, long=self.long, snapshot=self.snapshot
        )
        try:
            self._whole = _Whole(self.database, await self._transaction.__aenter__())
        except (sa.exc.SQLAlchemyError, sqlite3.Error) as error:
            self.database.explain(error)
            raise
        return self.make(self._whole)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.part is not None:
            self.part.__exit__(kind, error, trace)
            if error is not None:
                self.database.explain(error)
            return
        if error is None:
            try:
                for callback in self._whole.at_the_end:
                    await callback()
            except BaseException as failure:
                await self._end(type(failure), failure, failure.__traceback__)
                raise
        await self._end(kind, error, trace)

    async def _end(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._transaction.__aexit__(kind, error, trace)
        except (sa.exc.SQLAlchemyError, sqlite3.Error) as failure:
            self.database.explain(failure)
            raise
        if error is not None:
            self.database.explain(error)
        else:
            for told in self._whole.afterwards:
                told()


def _held_to(member: Member) -> Callable[[_Whole], OrgTx]:
    return lambda whole: OrgTx(whole, member.organization_id, member.rehearsal)


def open_database(
    url: str,
    pool_size: int = 10,
    *,
    busy_seconds: float = SECONDS_BUSY,
    all_through_sqlalchemy: bool = False,
) -> Database:
    """A database of either kind; connects at first use.

    SQLite's writers wait `busy_seconds` for other processes. With `all_through_sqlalchemy` statements that were built
    beforehand do not skip SQLAlchemy.
    """
    parsed = make_url(url)
    json = {"json_serializer": lambda value: orjson.dumps(value).decode(), "json_deserializer": orjson.loads}
    if parsed.get_backend_name() == "sqlite":
        if parsed.database and not parsed.database.startswith((":memory:", "file:")):
            keep_private(Path(parsed.database))
        engine = create_async_engine(
            parsed.set(drivername=DRIVER),
            connect_args={"busy_seconds": busy_seconds},
            poolclass=sa.NullPool,
            hide_parameters=True,
            **json,
        )
        return Database(engine, SqliteConnections(engine, 2 * pool_size, all_through_sqlalchemy))
    from docagent.store.engine.postgres import PostgresConnections, open_postgres  # noqa: PLC0415  # asyncpg takes long to load

    engine = open_postgres(parsed, **json)
    return Database(engine, PostgresConnections(engine, pool_size, all_through_sqlalchemy))


def sync_url(url: str) -> URL:
    """The same database for code that is not async: migrations and the job queue."""
    parsed = make_url(url)
    driver = "sqlite" if parsed.get_backend_name() == "sqlite" else "postgresql+psycopg"
    return parsed.set(drivername=driver)


def _shape(statement: sa.Executable, organization_id: str | None) -> Hashable | None:
    """All that `unscoped` looks at: the statement without its values, and which values are the organisation's id.

    SQLAlchemy needs the same key to find the compiled statement, so it costs little. None if there is no key.
    """
    key = cache_key(statement)
    if key is None:
        return None
    return key.key, organization_id is None, tuple(value.value == organization_id for value in key.bindparams)


def _in_thread(transaction: _Transaction, long: bool) -> AbstractContextManager[None]:
    """For a long part of an open transaction: SQLite runs its statements in a thread."""
    if long and isinstance(transaction, SqliteTransaction):
        return transaction.in_thread()
    return nullcontext()
