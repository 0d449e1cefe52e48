"""What is asked of the database: every statement of a block or of a request, on both databases."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.sqlite_driver import Connection

_COUNTED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
"""How statements begin. What begins and ends transactions is not counted."""
_VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b|\?(?:, \?)+|\$\d+")
MOST_REPEATED = 20
"""A request that only reads asks the same thing no more often: what it shows is read for all at once."""
_asked: ContextVar[Asked | None] = ContextVar("_asked", default=None)


@dataclass
class Asked:
    """The statements of one block, in their order, with their values on PostgreSQL. SQLite has them in the text."""

    statements: list[tuple[str, Sequence[Any]]] = field(default_factory=list)
    around: Asked | None = None
    is_over: bool = False

    def __len__(self) -> int:
        return len(self.statements)

    def add(self, sql: str, values: Sequence[Any]) -> None:
        if not self.is_over and sql.lstrip("( ").startswith(_COUNTED):
            self.statements.append((" ".join(sql.split()), values))
        if self.around is not None:
            self.around.add(sql, values)

    def repeated(self) -> tuple[str, int]:
        """The statement that was asked most often, whatever its values, and how often."""
        texts = Counter(_VALUE.sub("?", sql) for sql, _ in self.statements)
        return texts.most_common(1)[0] if texts else ("", 0)


@contextmanager
def asked() -> Iterator[Asked]:
    """Note what this task, and those that it starts, ask of databases until the block ends."""
    noted = Asked(around=_asked.get())
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
    """Statements that skip SQLAlchemy, which prepares its own: those the driver does not tell of."""
    if (noted := _asked.get()) is not None:
        noted.add(query.query, query.args)


def _of_sqlalchemy(
    connection: sa.Connection, cursor: object, sql: str, values: Any, context: object, many: bool
) -> None:
    del cursor, context, many
    if connection.dialect.name == "postgresql" and (noted := _asked.get()) is not None:
        noted.add(sql, values)


def _listen(connection: Any, record: object) -> None:
    del record
    if isinstance(connection, Connection):
        connection.set_trace_callback(_OfSqlite())
    elif (
        add := getattr(getattr(connection, "driver_connection", None), "add_query_logger", None)
    ) is not None:
        add(_of_postgres)


sa.event.listen(sa.Engine, "connect", _listen)
sa.event.listen(sa.Engine, "before_cursor_execute", _of_sqlalchemy)


def counting(app: Any, but: Sequence[str] = ()) -> Any:
    """The application, which fails in a test if a request to read repeats a statement, as n + 1 queries do.

    `but` are patterns of paths that go on for as long as somebody listens.
    """

    async def counted(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await app(scope, receive, send)
            return
        with asked() as noted:
            await app(scope, receive, send)
        sql, times = noted.repeated()
        if times > MOST_REPEATED and not any(re.search(pattern, scope["path"]) for pattern in but):
            raise AssertionError(f"GET {scope['path']} asked {times} times: {sql}")

    return counted
