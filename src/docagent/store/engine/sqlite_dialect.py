"""SQLAlchemy's dialect for SQLite, over connections of our own. It overrides only what these do differently."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.pool import AsyncAdaptedQueuePool, Pool

from docagent.store.engine.sqlite_driver import Connection

DRIVER = "sqlite+docagent"
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "foreign_keys=ON",
    # Our driver copies the write-ahead log back when its file has grown long, so SQLite must not do it, and must cut
    # the file once it is copied.
    "wal_autocheckpoint=0",
    "journal_size_limit=0",
)


class SqliteDialect(SQLiteDialect_pysqlite):
    driver = "docagent"
    is_async = True
    supports_statement_cache = True

    @classmethod
    def get_pool_class(cls, url: URL) -> type[Pool]:
        return AsyncAdaptedQueuePool

    def connect(self, *arguments: Any, busy_seconds: float, **options: Any) -> Any:
        """Open a connection without sqlite3's own handling of transactions and its wait for locks, which blocks."""
        options |= {"isolation_level": None, "timeout": 0, "check_same_thread": False}
        connection = sqlite3.connect(*arguments, factory=Connection, **options)
        connection.busy_seconds = busy_seconds
        return connection

    def on_connect(self) -> Callable[[Any], None]:
        add_functions = super().on_connect()

        def prepare(connection: Any) -> None:
            add_functions(connection)
            for pragma in PRAGMAS:
                connection.cursor().execute(f"PRAGMA {pragma}").close()

        return prepare

    def do_begin(self, dbapi_connection: Any) -> None:
        """Do nothing: `sqlite_transaction.py` begins and ends transactions around everything SQLAlchemy does."""


registry.register(DRIVER.replace("+", "."), __name__, SqliteDialect.__name__)
