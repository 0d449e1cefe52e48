"""SQLite's connections for code on the event loop.

A small statement takes some ten microseconds, less than it costs to hand it to a thread and to be told of its end.
So statements run where they are called, and three things keep the loop from standing still:

- Nothing waits for a lock. A busy database is asked again after a pause that belongs to the loop.
- A SELECT that takes too long is stopped and run again in a thread. A transaction that says beforehand that it is
  long has all its statements there, each with its rows as one errand.
- The write-ahead log is copied back into the database in a thread.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, islice, repeat
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeVar

from sqlalchemy.util import await_only

T = TypeVar("T")

SECONDS_ON_LOOP = 0.005
"""How long a SELECT, or a row of statements, may keep the loop from everything else."""
SECONDS_BUSY = 30.0
PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
STEPS_BETWEEN_LOOKS = 10_000
"""Instructions of SQLite's machine, well below a millisecond."""
LOG_BYTES = 4 * 1024 * 1024
SECONDS_BETWEEN_INTERRUPTS = 0.01

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY})
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="sqlite")


class _Nothing:
    """An awaitable that is there at once."""

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


_NOTHING = _Nothing()


class _Deadline:
    """Tells SQLite to stop. Apart from the connection, which would otherwise hold itself alive."""

    def __init__(self) -> None:
        self.at = math.inf

    def is_over(self) -> bool:
        return monotonic() > self.at


class Connection(sqlite3.Connection):
    """Used by one task at a time, inside SQLAlchemy's greenlet."""

    others_ran_at: ClassVar[float] = 0.0

    def __init__(self, database: str, **arguments: Any) -> None:
        super().__init__(database, **arguments)
        self.busy_seconds = SECONDS_BUSY
        self.writes = True
        self.in_thread = False
        self._log = Path(f"{database}-wal")
        self._deadline = _Deadline()
        self._look_at_the_clock()

    def cursor(self, factory: Any = None) -> Cursor:  # type: ignore[override]  # always of our own kind
        del factory
        return super().cursor(Cursor)

    def begin(self) -> None:
        statement = "BEGIN IMMEDIATE" if self.writes else "BEGIN"
        self.run(lambda: sqlite3.Cursor(self).execute(statement), at_once=True)

    def commit(self) -> None:
        self.run(super().commit, at_once=not self.writes)
        if self.writes and self._log_is_long():
            await_only(self._elsewhere(self._shorten_log))

    def close(self) -> None:
        """SQLAlchemy closes what was cancelled. A cursor that is still referred to would keep its locks."""
        with suppress(sqlite3.ProgrammingError):  # closed already
            self.rollback()
        super().close()

    def run(self, errand: Callable[[], T], *, at_once: bool = False, repeatable: bool = False) -> T:
        """Do the errand, again and again while another connection is in its way.

        `at_once`: takes no time. `repeatable`: may be stopped in the middle and done again.
        """
        pauses = _pauses(self.busy_seconds)
        while True:
            try:
                return errand() if at_once else self._run_once(errand, repeatable)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode not in _BUSY or (pause := next(pauses, None)) is None:
                    raise
            await_only(asyncio.sleep(pause))

    def let_others_run(self) -> None:
        """Nothing here waits by itself, so a task of many statements would never let go of the loop.

        SQLAlchemy takes a driver that awaits nothing for a mistake, so nothing is awaited, too.
        """
        if self.in_thread or monotonic() - Connection.others_ran_at < SECONDS_ON_LOOP:
            await_only(_NOTHING)
            return
        await_only(asyncio.sleep(0))
        Connection.others_ran_at = monotonic()

    def _run_once(self, errand: Callable[[], T], repeatable: bool) -> T:
        if self.in_thread:
            return await_only(self._elsewhere(errand))
        if not repeatable:
            return errand()
        self._deadline.at = monotonic() + SECONDS_ON_LOOP
        try:
            return errand()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
        finally:
            self._deadline.at = math.inf
        return await_only(self._elsewhere(errand))

    async def _elsewhere(self, errand: Callable[[], T]) -> T:
        """Do the errand in a thread. Who is cancelled meanwhile stops it, and goes on when it has stopped."""
        self.set_progress_handler(None, 0)  # it would have the thread wait for the interpreter
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


class Cursor(sqlite3.Cursor):
    """Has all rows when a statement has run: they outlive the transaction, and one errand is enough in a thread."""

    connection: Connection
    _rows: Iterator[Any] = iter(())

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        self.connection.let_others_run()
        self._rows = self.connection.run(
            lambda: self._execute(sql, parameters), repeatable=sql.startswith("SELECT")
        )
        return self

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Cursor:
        self.connection.let_others_run()
        self.connection.run(lambda: super(Cursor, self).executemany(sql, parameters))
        return self

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        return list(islice(self._rows, size))

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def _execute(self, sql: str, parameters: Any) -> Iterator[Any]:
        super().execute(sql, parameters)
        return iter(super().fetchall())

    async def _async_soft_close(self) -> None:
        """SQLAlchemy asks for it before it hands a result out of its greenlet."""


def _pauses(seconds: float) -> Iterator[float]:
    """Growing ones, until the time is over. It begins with the first."""
    end = monotonic() + seconds
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        if monotonic() > end:
            return
        yield pause
