"""Everything that we use of SQLAlchemy and that SQLAlchemy does not promise to keep.

Each function here wraps one private name. No other file uses private names, and a rule test checks that. An upgrade of
SQLAlchemy must pass tests/store/test_sqlalchemy_internals.py, which checks each function against the public API.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.cache_key import CacheKey
from sqlalchemy.sql.compiler import ResultColumnsEntry, SQLCompiler
from sqlalchemy.sql.selectable import FromClause, SelectState
from sqlalchemy.types import TypeEngine

Convert = Callable[[Any], Any]


# --- what a statement says -----------------------------------------------------------------------------------------


def cache_key(statement: sa.Executable) -> CacheKey | None:
    """Return a key that is equal for statements that differ only in their values. A few statements have none."""
    key: CacheKey | None = cast(Any, statement)._generate_cache_key()
    return key


def conditions(statement: sa.Select[Any] | sa.Update | sa.Delete) -> Sequence[sa.ColumnElement[Any]]:
    """Return what was given to `where`. A row must meet all these conditions."""
    return statement._where_criteria


def tables_selected_from(select: sa.Select[Any]) -> Sequence[FromClause]:
    """Return the same as `get_final_froms`, which compiles the whole statement only to have a compiler at hand."""
    return SelectState(select, cast(SQLCompiler, None))._get_display_froms()


def tables_left_to_the_outer_query(select: sa.Select[Any]) -> Collection[FromClause]:
    """Return what was given to `correlate`."""
    return select._correlate or ()


def has_rows_of_its_own(insert: sa.Insert) -> bool:
    """True for an INSERT whose `values` got a list of rows."""
    return bool(insert._multi_values)


def values_by_column(statement: sa.Insert | sa.Update) -> Mapping[str, Any]:
    """Return what was given to `values` or `ordered_values`, by the name of the column."""
    given: Mapping[Any, Any] = statement._values or {}
    return {
        getattr(column, "name", column): getattr(value, "value", value) for column, value in given.items()
    }


def columns_of_select(insert: sa.Insert) -> Sequence[str]:
    """Return the names of the columns that an INSERT fills from a SELECT, in the order of the SELECT."""
    return insert._select_names or ()


# --- what a compiled statement does with values --------------------------------------------------------------------


def value_conversions(compiled: SQLCompiler) -> Mapping[str, Any]:
    """Return the functions that convert parameters to what the driver takes, by name. Most parameters need none."""
    return compiled._bind_processors


def columns_given(compiled: SQLCompiler) -> Sequence[ResultColumnsEntry]:
    """Return the columns of the result, in order."""
    return compiled._result_columns


def column_conversion(kind: TypeEngine[Any], dialect: Dialect) -> Convert | None:
    """Return the function that converts what the driver gives to a value of the type. None: nothing to convert."""
    return kind._cached_result_processor(dialect, None)


# --- what SQLAlchemy asks of a driver ------------------------------------------------------------------------------


class AsyncCursor:
    """A cursor that has all its rows, so that nothing is left to do when its result leaves SQLAlchemy's greenlet."""

    async def _async_soft_close(self) -> None:
        """SQLAlchemy awaits this before it hands out a result."""


def as_dbapi_error(connection: Any, error: Exception) -> Exception:
    """Return an error of asyncpg as SQLAlchemy's adapter of the connection would raise it."""
    try:
        connection._handle_exception(error)
    except (connection.dbapi.Error, type(error)) as raised:
        return raised
    raise AssertionError("it only raises")
