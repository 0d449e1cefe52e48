"""The one place that keeps organisations apart.

A statement on an owned table runs only with the id of one organisation. `scope` adds that condition, so that queries
are written without it. `unscoped` checks the finished statement, subqueries included, and names every owned table that
is not held to the id. A transaction refuses to run a statement for which a table is named.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.sql import operators
from sqlalchemy.sql.elements import BinaryExpression, BindParameter, BooleanClauseList, Grouping, TextClause
from sqlalchemy.sql.selectable import CTE, Alias, FromClause, Join

from docagent.store.engine.sqlalchemy_internals import (
    columns_of_select,
    conditions,
    has_rows_of_its_own,
    tables_left_to_the_outer_query,
    tables_selected_from,
    values_by_column,
)

OWNED = "belongs_to_organization"
"""Key in a table's `info`: true when every row belongs to one organisation."""

RAW_SQL = "raw SQL"
COLUMN = "organization_id"
HOLDER = "held_to_organization"
"""The parameter of a held statement that a transaction fills with the organisation's id."""
_NOBODY = "no organisation"
HELD: BindParameter[str] = sa.bindparam(HOLDER, _NOBODY)
"""The organisation's id, for subqueries of a held statement."""

_Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
Statement = TypeVar("Statement", bound=sa.Executable)


class UnscopedStatement(Exception):
    """A statement would reach rows of other organisations. This is a mistake in our code."""


def is_owned(table: object) -> bool:
    """True for an owned table and for an alias of one."""
    if isinstance(table, Alias):
        return is_owned(table.element)
    return isinstance(table, sa.Table) and bool(table.info.get(OWNED))


def scope(statement: Statement, organization_id: str | BindParameter[str]) -> Statement:
    """Return the statement held to one organisation in every owned table that it names at its top level.

    What an outer join may leave out must be held by its ON: a condition on the whole would leave those rows out.
    """
    if isinstance(statement, sa.Insert):
        if is_owned(statement.table) and not has_rows_of_its_own(statement) and statement.select is None:
            return cast(Statement, statement.values(organization_id=organization_id))
        return statement
    if isinstance(statement, sa.Update | sa.Delete):
        if is_owned(statement.table):
            return cast(Statement, statement.where(statement.table.c.organization_id == organization_id))
        return statement
    if isinstance(statement, sa.Select):
        sources = filter(is_owned, _always_there(tables_selected_from(statement)))
        return cast(Statement, statement.where(*(s.c.organization_id == organization_id for s in sources)))
    return statement


@dataclass(frozen=True, slots=True)
class Built:
    """A statement that is built once, with parameters for its values: building it costs more than running it."""

    statement: sa.Executable
    prepared: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)
    """What the drivers compiled the statement to, each under keys of its own."""


@dataclass(frozen=True, slots=True)
class Held(Built):
    """A built statement that is also scoped and checked.

    The transaction that runs it adds the organisation's id. Without an id it finds nothing.
    """

    is_owned: bool = True
    """Whether the statement names owned tables."""

    def parameters(self, organization_id: str, given: _Parameters) -> _Parameters:
        if not self.is_owned:
            return given
        if given is None or isinstance(given, Mapping):
            return _with_holder(given or {}, organization_id)
        return [_with_holder(row, organization_id) for row in given]


def _with_holder(row: Mapping[str, Any], organization_id: str) -> dict[str, Any]:
    if COLUMN in row or HOLDER in row:
        raise UnscopedStatement("a held statement gets its organisation from the transaction alone")
    return {**row, HOLDER: organization_id}


def held(statement: sa.Executable) -> Held:
    """Scope and check a statement that runs often, once, when its module is loaded. Raises UnscopedStatement."""
    scoped = scope(statement, HELD)
    if loose := unscoped(scoped, None, _NOBODY):
        raise UnscopedStatement(f"not held to an organisation: {', '.join(sorted(loose))}")
    return Held(scoped, is_owned=bool(unscoped(statement, None, None)))


def unscoped(statement: sa.Executable, parameters: _Parameters, organization_id: str | None) -> set[str]:
    """Return the names of owned tables that the statement does not hold to the organisation, and of unreadable SQL."""
    loose: set[Any] = set()
    if isinstance(statement, sa.Insert):
        if is_owned(statement.table) and not _inserts_only(statement, parameters, organization_id):
            loose.add(statement.table)
    elif isinstance(statement, sa.Update | sa.Delete):
        held = _held(conditions(statement), organization_id)
        named = {statement.table, *_tables_of_columns(statement)}
        loose.update(table for table in named if is_owned(table) and table not in held)
        if isinstance(statement, sa.Update) and is_owned(statement.table) and _moves(statement, parameters):
            loose.add(statement.table)
    loose.update(_loose(statement, organization_id, frozenset()))
    return {element if isinstance(element, str) else element.name for element in loose}


def _loose(element: Any, organization_id: str | None, outer: frozenset[Any]) -> Iterator[Any]:
    """Yield what is not held to the organisation below this element.

    `outer` are the held tables that a subquery here may refer to.
    """
    if isinstance(element, TextClause):
        yield RAW_SQL
        return
    if isinstance(element, sa.Select):
        froms = tables_selected_from(element)
        sources = list(_sources(froms))
        held = _held(conditions(element), organization_id) | _held_by_joins(froms, organization_id)
        correlated = {
            source
            for source in sources
            if source in outer and (source in tables_left_to_the_outer_query(element) or set(sources) - outer)
        }
        yield from (source for source in sources if is_owned(source) and source not in held | correlated)
        outer |= held
    elif isinstance(element, FromClause):
        outer = frozenset()
        if isinstance(element, CTE) and isinstance(element.element, sa.Insert):
            inserted = element.element
            if is_owned(inserted.table) and not _inserts_only(inserted, None, organization_id):
                yield inserted.table
    elif isinstance(element, sa.Update | sa.Delete):
        outer = frozenset(_held(conditions(element), organization_id))
        moves = isinstance(element, sa.Update) and _moves(element, None)
        if is_owned(element.table) and (moves or element.table not in outer):
            yield element.table
    if not isinstance(element, sa.ColumnClause):
        for child in element.get_children():
            yield from _loose(child, organization_id, outer)


def _sources(froms: Iterable[Any]) -> Iterator[Any]:
    for source in froms:
        if isinstance(source, Join):
            yield from _sources([source.left, source.right])
        else:
            yield source


def _always_there(froms: Iterable[Any]) -> Iterator[Any]:
    """Yield the sources of which every row of the result has a row."""
    for source in froms:
        if not isinstance(source, Join):
            yield source
        elif not source.full:
            yield from _always_there([source.left] if source.isouter else [source.left, source.right])


def _held(criteria: Iterable[Any], organization_id: str | None) -> set[Any]:
    """Return the tables that one of the conditions holds to the organisation. A row must meet all conditions."""
    held: set[Any] = set()
    for condition in criteria:
        if isinstance(condition, Grouping):
            held |= _held([condition.element], organization_id)
        elif isinstance(condition, BooleanClauseList) and condition.operator is operators.and_:
            held |= _held(condition.clauses, organization_id)
        elif isinstance(condition, BinaryExpression) and condition.operator is operators.eq:
            column, value = condition.left, condition.right
            if (
                organization_id is not None
                and isinstance(column, sa.Column)
                and column.name == COLUMN
                and isinstance(value, BindParameter)
                and value.value == organization_id
            ):
                held.add(column.table)
    return held


def _held_by_joins(froms: Iterable[Any], organization_id: str | None) -> set[Any]:
    """Do the same as `_held` for ON conditions. An outer join keeps all rows of its left side, whatever ON says."""
    held: set[Any] = set()
    for source in froms:
        if isinstance(source, Join):
            fixed = _held([source.onclause], organization_id)
            if source.full:
                fixed = set()
            elif source.isouter:
                fixed &= set(_sources([source.right]))
            held |= fixed | _held_by_joins([source.left, source.right], organization_id)
    return held


def _tables_of_columns(element: Any) -> Iterator[Any]:
    """Yield the tables whose columns are named outside subqueries."""
    for child in element.get_children():
        if isinstance(child, sa.Column):
            yield child.table
        elif not isinstance(child, FromClause | sa.SelectBase):
            yield from _tables_of_columns(child)


def _rows(parameters: _Parameters) -> list[Mapping[str, Any]]:
    return [parameters] if isinstance(parameters, Mapping) else list(parameters or ())


def _moves(statement: sa.Update, parameters: _Parameters) -> bool:
    """Whether an UPDATE could hand rows to another organisation."""
    return COLUMN in values_by_column(statement) or any(COLUMN in row for row in _rows(parameters))


def _inserts_only(statement: sa.Insert, parameters: _Parameters, organization_id: str | None) -> bool:
    if organization_id is None or has_rows_of_its_own(statement):
        return False
    if statement.select is not None:
        return _selects_only(statement, organization_id)
    rows, given = _rows(parameters), values_by_column(statement)
    # A parameter given at the execution overrides a value in the statement.
    if any(row.get(COLUMN, organization_id) != organization_id for row in rows):
        return False
    if COLUMN in given:
        return bool(given[COLUMN] == organization_id)
    return bool(rows) and all(COLUMN in row for row in rows)


def _selects_only(statement: sa.Insert, organization_id: str) -> bool:
    """Whether the SELECT from which rows are inserted gives each of them the organisation's id."""
    names = columns_of_select(statement)
    if COLUMN not in names or not isinstance(statement.select, sa.Select):
        return False
    value = list(statement.select.selected_columns)[names.index(COLUMN)]
    return isinstance(value, BindParameter) and value.value == organization_id
