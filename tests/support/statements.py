"""What is asked of the database: every statement of a block or of a request, on both databases."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.sqlite_driver import Connection

_COUNTED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
"""How statements begin. What begins and ends transactions is not counted."""
_asked: ContextVar[Asked | None] = ContextVar("_asked", default=None)


@dataclass
class Asked:
    """The statements of one block, in their order, with their values on PostgreSQL. SQLite has them in the text."""

    statements: list[tuple[str, Sequence[Any]]] = field(default_factory=list)
    is_over: bool = False

    def __len__(self) -> int:
        return len(self.statements)

    def add(self, sql: str, values: Sequence[Any]) -> None:
        if not self.is_over and sql.lstrip("( ").startswith(_COUNTED):
            self.statements.append((" ".join(sql.split()), values))


@contextmanager
def asked() -> Iterator[Asked]:
    """Note what this task, and those that it starts, ask of databases until the block ends."""
    noted = Asked()
    token = _asked.set(noted)
    try:
        yield noted
    finally:
        noted.is_over = True
        _asked.reset(token)


class _OfSqlite:
    """The statements of one connection. Some run in threads, which know no context: the BEGIN told whose they are."""

    def __init__(self) -> None:
        self._noted: Asked | None = None
        self._last = ""

    def __call__(self, sql: str) -> None:
        if sql.startswith("BEGIN"):
            self._noted = _asked.get()
        elif self._noted is not None:
            in_thread = threading.current_thread() is not threading.main_thread()
            if not (in_thread and sql == self._last):  # stopped on the loop, and run again
                self._noted.add(sql, ())
        self._last = sql


def _of_postgres(query: Any) -> None:
    if (noted := _asked.get()) is not None:
        noted.add(query.query, query.args)


def _listen(connection: Any, record: object) -> None:
    del record
    if isinstance(connection, Connection):
        connection.set_trace_callback(_OfSqlite())
    elif hasattr(driver := getattr(connection, "driver_connection", None), "add_query_logger"):
        driver.add_query_logger(_of_postgres)


sa.event.listen(sa.Engine, "connect", _listen)
