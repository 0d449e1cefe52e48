"""Compiles statements that were built once, so that drivers can run them without SQLAlchemy.

SQLAlchemy needs a hundred microseconds and more to run such a statement, SQLite six. So SQLAlchemy compiles the
statement once, to its text, the order of its values and the conversions of its types, and only these are used from then
on. The result is the same as SQLAlchemy's: the same conversions, the same names, the same errors.

Two kinds of statement are left to SQLAlchemy: those whose text depends on their values (IN with a list as parameter),
and those for which Python computes the value of a column.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler

from docagent.store.engine.sqlalchemy_internals import (
    Convert,
    column_conversion,
    columns_given,
    value_conversions,
)
from docagent.store.engine.tenancy import Built


class Rows:
    """The rows of a statement, with those methods of SQLAlchemy's result that our queries use."""

    __slots__ = ("_found", "rowcount")

    def __init__(self, found: list[Any], rowcount: int) -> None:
        self._found = found
        self.rowcount = rowcount

    def all(self) -> list[Any]:
        return self._found

    def first(self) -> Any:
        return self._found[0] if self._found else None

    def one(self) -> Any:
        if len(self._found) != 1:
            wrong = sa.exc.MultipleResultsFound if self._found else sa.exc.NoResultFound
            raise wrong(f"one row was expected, and {len(self._found)} came")
        return self._found[0]

    def scalar(self) -> Any:
        return self._found[0][0] if self._found else None

    def scalar_one(self) -> Any:
        return self.one()[0]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A compiled statement: its text, how its parameters are filled in, and how its rows are made."""

    sql: str
    names: Sequence[str]
    """The names of the parameters, in the order of their places in the text."""
    defaults: Mapping[str, Any]
    """Values of the parameters that need not be given."""
    to_driver: Sequence[tuple[int, Convert]]
    """Conversions of the values that the driver does not take as they are, by place."""
    row: Callable[[Any], Any] | None
    """Makes a row of the driver's values; None for a statement without rows."""
    from_driver: Sequence[tuple[int, Convert]]
    """Conversions of the columns that the driver does not give as they are, by index."""

    def values(self, parameters: Any) -> list[Any]:
        """The values in the order of their places; one such list for each row if rows are given."""
        if is_many(parameters):
            return [self._values(row) for row in parameters]
        return self._values(parameters or {})

    def rows(self, found: Iterable[Any], rowcount: int) -> Rows:
        """The result, from the rows that the driver gave."""
        return Rows([] if self.row is None else self._rows(found, self.row), rowcount)

    def _values(self, given: Mapping[str, Any]) -> list[Any]:
        if self.defaults:
            given = {**self.defaults, **given}
        try:
            values = [given[name] for name in self.names]
        except KeyError as error:
            raise sa.exc.InvalidRequestError(f"A value is required for bind parameter {error}") from error
        for place, convert in self.to_driver:
            values[place] = convert(values[place])
        return values

    def _rows(self, found: Iterable[Any], row: Callable[[Any], Any]) -> list[Any]:
        if not self.from_driver:
            return [row(values) for values in found]
        made = []
        for values in map(list, found):
            for index, convert in self.from_driver:
                values[index] = convert(values[index])
            made.append(row(values))
        return made


def prepared(built: Built, parameters: Any, dialect: Dialect) -> Prepared | None:
    """Return the statement compiled for the names of these parameters. None: SQLAlchemy must run it.

    It is compiled at the first use of these names.
    """
    many = is_many(parameters)
    first = parameters[0] if many else parameters or {}
    key = (dialect.name, many, *first)
    try:
        found: Prepared | None = built.prepared[key]
    except KeyError:
        found = built.prepared[key] = _prepare(built.statement, list(first), many, dialect)
    return found


def is_many(parameters: Any) -> bool:
    return bool(parameters) and type(parameters) is not dict and not isinstance(parameters, Mapping)


def _prepare(statement: sa.Executable, given: list[str], many: bool, dialect: Dialect) -> Prepared | None:
    if isinstance(statement, sa.Insert) and not many:
        statement = statement.inline()  # PostgreSQL need not return the keys that were given
    compiled = cast(Any, statement).compile(dialect=dialect, column_keys=given, for_executemany=many)
    assert isinstance(compiled, SQLCompiler)
    if compiled.insert_prefetch or compiled.update_prefetch or compiled.implicit_returning:
        return None
    late = compiled.post_compile_params | compiled.literal_execute_params
    if any(parameter.key in given or parameter.required for parameter in late):
        return None
    if any(parameter.callable is not None for parameter in compiled.binds.values()):
        return None
    state = compiled.construct_expanded_state(dict.fromkeys(given), escape_names=False)
    converts: dict[str, Any] = {**value_conversions(compiled), **state.processors}
    names: list[str] = []
    defaults: dict[str, Any] = {}
    to_driver: list[tuple[int, Convert]] = []
    for place, name in enumerate(state.positiontup or ()):
        parameter = compiled.binds.get(name)
        if parameter is None:  # an item of a list that stands in the statement itself
            names.append(name)
            defaults[name] = state.parameters[name]
        else:
            names.append(parameter.key)
            if not parameter.required and parameter.key not in given:
                defaults[parameter.key] = parameter.effective_value
        if name in converts:
            to_driver.append((place, converts[name]))
    columns = columns_given(compiled)
    from_driver = [column_conversion(column.type, dialect) for column in columns]
    return Prepared(
        state.statement,
        names,
        defaults,
        to_driver,
        _row_class([column.keyname for column in columns])._make if columns else None,
        [(index, convert) for index, convert in enumerate(from_driver) if convert is not None],
    )


def _row_class(names: Sequence[str]) -> Any:
    plain = namedtuple("plain", names, rename=True)  # type: ignore[misc]  # the names come from the statement

    class Row(plain):
        __slots__ = ()

        @property
        def _mapping(self) -> dict[str, Any]:
            return dict(zip(names, self, strict=True))

    return Row
