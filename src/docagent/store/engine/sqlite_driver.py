"""SQLite's connections for code on the event loop.

A small statement takes some ten microseconds, less than it costs to hand it to a thread and back. So statements run
where they are called, and three things keep the loop from standing still:

- Nothing blocks on a lock. If the database is busy, the task sleeps and tries again, and others run meanwhile.
- A SELECT that takes too long is stopped and run again in a thread. A transaction that is announced as long runs
  all its statements in threads, and fetches the rows of each there too.
- The write-ahead log is copied back into the database in a thread.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, islice, repeat
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeVar

from sqlalchemy.util import await_only

from docagent.store.engine.sqlalchemy_internals import AsyncCursor

T = TypeVar("T")

SECONDS_ON_LOOP = 0.005
"""How long a SELECT, or statements in a row, may keep the loop from everything else."""
SECONDS_BUSY = 30.0
PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
STEPS_BETWEEN_LOOKS = 10_000
"""After so many instructions SQLite looks at the deadline. They take well below a millisecond."""
LOG_BYTES = 4 * 1024 * 1024
SECONDS_BETWEEN_INTERRUPTS = 0.01

_NOT_NOW = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY, sqlite3.SQLITE_SCHEMA})
"""Nothing was done, and the next try may do it: another connection holds a lock, or has just changed the tables. SQLite
tries again by itself after such a change, but only once, and then names a table that it has not read yet as missing."""
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="sqlite")


class _Deadline:
    """The time at which SQLite must stop.

    An object of its own: a handler that referred to the connection would keep the connection alive for ever.
    """

    def __init__(self) -> None:
        self.at = math.inf

    def is_over(self) -> bool:
        return monotonic() > self.at


class Connection(sqlite3.Connection):
    """One connection, used by one task at a time.

    Tasks call the methods of the first part, SQLAlchemy calls those of the second inside its greenlet.
    """

    seconds_held: ClassVar[float] = 0.0
    """How long transactions have kept the loop since other tasks last ran."""

    def __init__(self, database: str, **arguments: Any) -> None:
        super().__init__(database, **arguments)
        self.busy_seconds = SECONDS_BUSY
        self.writes = True
        self.in_thread = False
        self._log = Path(f"{database}-wal")
        self._deadline = _Deadline()
        self._since = monotonic()
        self._look_at_the_clock()

    # --- for tasks --------------------------------------------------------------------------------------------

    async def start(self, *, writes: bool, in_thread: bool) -> None:
        """Begin a transaction."""
        self.writes, self.in_thread, self._since = writes, in_thread, monotonic()
        statement = "BEGIN IMMEDIATE" if writes else "BEGIN"
        await self.run(lambda: sqlite3.Cursor(self).execute(statement), at_once=True)

    async def finish(self) -> None:
        """Commit, and copy the write-ahead log back if it has grown long."""
        await self.run(super().commit, at_once=not self.writes)
        if self.writes and self._log_is_long():
            await self._elsewhere(self._shorten_log)
        Connection.seconds_held += monotonic() - self._since

    async def fetch(self, sql: str, parameters: Any = (), *, many: bool = False) -> tuple[list[Any], int]:
        """Run a statement and return all its rows, and how many rows it changed.

        With `many`, run it once for each item of `parameters`; no rows are returned then.
        """
        cursor = sqlite3.Cursor(self)

        def errand() -> list[Any]:
            if many:
                cursor.executemany(sql, parameters)
                return []
            return cursor.execute(sql, parameters).fetchall()

        await self.let_others_run()
        found = await self.run(errand, repeatable=sql.startswith("SELECT"))
        return found, cursor.rowcount

    def fetch_now(self, sql: str, parameters: Any, *, many: bool) -> tuple[list[Any], int] | None:
        """Do the same as `fetch` without waiting. None: this would have to wait, so call `fetch` instead."""
        started = monotonic()
        if self.in_thread or Connection.seconds_held + started - self._since >= SECONDS_ON_LOOP:
            return None
        cursor = sqlite3.Cursor(self)
        try:
            if many:
                cursor.executemany(sql, parameters)
                return [], cursor.rowcount
            if not sql.startswith("SELECT"):
                return cursor.execute(sql, parameters).fetchall(), cursor.rowcount
            self._deadline.at = started + SECONDS_ON_LOOP
            try:
                return cursor.execute(sql, parameters).fetchall(), cursor.rowcount
            finally:
                self._deadline.at = math.inf
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in _NOT_NOW or error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                return None
            raise

    async def run(self, errand: Callable[[], T], *, at_once: bool = False, repeatable: bool = False) -> T:
        """Run the errand, and try again while another connection holds a lock that it needs.

        `at_once`: the errand takes no time. `repeatable`: it may be stopped in the middle and run again.
        """
        pauses: Iterator[float] | None = None
        while True:
            try:
                if at_once or not (repeatable or self.in_thread):
                    return errand()
                return await self._run_once(errand)
            except sqlite3.OperationalError as error:
                pauses = pauses or _pauses(self.busy_seconds)
                if error.sqlite_errorcode not in _NOT_NOW or (pause := next(pauses, None)) is None:
                    raise
            await asyncio.sleep(pause)

    async def let_others_run(self) -> None:
        """Let other tasks run if this one kept the loop for long. Statements do not await anything by themselves."""
        if Connection.seconds_held + monotonic() - self._since >= SECONDS_ON_LOOP and not self.in_thread:
            await asyncio.sleep(0)
            Connection.seconds_held, self._since = 0.0, monotonic()

    # --- for SQLAlchemy ---------------------------------------------------------------------------------------

    def cursor(self, factory: Any = None) -> Cursor:  # type: ignore[override]  # always of our own kind
        return super().cursor(Cursor)

    def commit(self) -> None:
        if self.in_transaction:
            await_only(self.finish())

    def close(self) -> None:
        """Roll back and close. SQLAlchemy closes connections of cancelled tasks, whose open cursors may hold locks."""
        with suppress(sqlite3.ProgrammingError):  # closed already
            self.rollback()
        super().close()

    # --- internals --------------------------------------------------------------------------------------------

    async def _run_once(self, errand: Callable[[], T]) -> T:
        """Run the errand in a thread, or on the loop until its time is up and then again in a thread."""
        if self.in_thread:
            return await self._elsewhere(errand)
        self._deadline.at = monotonic() + SECONDS_ON_LOOP
        try:
            return errand()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
        finally:
            self._deadline.at = math.inf
        return await self._elsewhere(errand)

    async def _elsewhere(self, errand: Callable[[], T]) -> T:
        """Run the errand in a thread. If the task is cancelled, interrupt the errand and wait until it has stopped."""
        # The thread would have to wait for the interpreter whenever it calls a handler.
        self.set_progress_handler(None, 0)
        job = _threads.submit(errand)
        done = asyncio.wrap_future(job)
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError:
            await self._stop(done, job.cancel)
            raise
        finally:
            self._look_at_the_clock()
        return done.result()

    async def _stop(self, done: asyncio.Future[Any], cancel: Callable[[], bool]) -> None:
        cancel()
        while not done.done():
            self.interrupt()
            try:
                await asyncio.wait([done], timeout=SECONDS_BETWEEN_INTERRUPTS)
            except asyncio.CancelledError:
                continue
        if not done.cancelled():
            done.exception()

    def _look_at_the_clock(self) -> None:
        self.set_progress_handler(self._deadline.is_over, STEPS_BETWEEN_LOOKS)

    def _log_is_long(self) -> bool:
        try:
            return self._log.stat().st_size > LOG_BYTES
        except FileNotFoundError:
            return False

    def _shorten_log(self) -> None:
        sqlite3.Cursor(self).execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


class Cursor(sqlite3.Cursor, AsyncCursor):
    """The cursor that SQLAlchemy uses. It fetches all rows at once, so that they outlive the transaction."""

    connection: Connection
    _rows: Iterator[Any] = iter(())

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        self._rows = iter(await_only(self._run(lambda: self._execute(sql, parameters), sql)))
        return self

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Cursor:
        await_only(self._run(lambda: super(Cursor, self).executemany(sql, parameters), sql))
        return self

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        return list(islice(self._rows, size))

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    async def _run(self, errand: Callable[[], T], sql: str) -> T:
        await self.connection.let_others_run()
        return await self.connection.run(errand, repeatable=sql.startswith("SELECT"))

    def _execute(self, sql: str, parameters: Any) -> list[Any]:
        super().execute(sql, parameters)
        return super().fetchall()


def _pauses(seconds: float) -> Iterator[float]:
    """Yield longer and longer pauses until the time is over, counted from the first pause."""
    end = monotonic() + seconds
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        if monotonic() > end:
            return
        yield pause
