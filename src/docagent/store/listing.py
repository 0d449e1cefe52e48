"""Turns a list query into SQL: conditions, order and one page with its total."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.listing import Filter, Filters, ListQuery, Operator
from docagent.store.engine.database import OrgTx

FEW = 5_000
"""So many keys are read in the time in which as many rows are looked at."""

Condition = sa.ColumnElement[bool]


@dataclass(frozen=True)
class Field:
    """A column that clients may sort and filter by."""

    column: sa.ColumnElement[Any]
    filter: Callable[[Filter], Condition | None]
    sortable: bool = True


def text_field(column: sa.ColumnElement[Any], folded: sa.ColumnElement[Any] | None = None) -> Field:
    """A text field that is compared regardless of case. `folded` is the column with the case-folded text, if any."""
    subject = folded if folded is not None else sa.func.lower(column)
    return Field(subject, lambda item: _text_condition(column, subject, item))


def number_field(column: sa.ColumnElement[Any]) -> Field:
    as_text = sa.cast(column, sa.Text)
    return Field(column, lambda item: _text_condition(as_text, as_text, item))


def time_field(column: sa.ColumnElement[Any]) -> Field:
    return Field(column, lambda item: _time_condition(column, item))


def contains(subject: sa.ColumnElement[Any], text: str) -> Condition:
    return subject.like(f"%{escape_like(text)}%", escape="\\")


def escape_like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def name_search(folded: sa.ColumnElement[Any], text: str) -> tuple[Condition, sa.ColumnElement[int]]:
    """The condition for a match, and its rank: whole names first, then beginnings, then the rest."""
    needle = text.casefold()
    rank = sa.case(
        (folded == needle, 0),
        (folded.like(f"{escape_like(needle)}%", escape="\\"), 1),
        else_=2,
    )
    return contains(folded, needle), rank


def where(filters: Filters, fields: Mapping[str, Field]) -> Condition | None:
    conditions = [
        condition
        for item in filters.items
        if item.field in fields and (condition := fields[item.field].filter(item)) is not None
    ]
    if not conditions:
        return None
    return sa.or_(*conditions) if filters.match_any else sa.and_(*conditions)


def order(
    query: ListQuery, fields: Mapping[str, Field], tiebreak: Sequence[sa.ColumnElement[Any]]
) -> list[sa.ColumnElement[Any]]:
    """Sort columns for a query; the tiebreak columns make the order complete.

    They run the way of the last sort column, so that one index gives both ways; without one, newest first.
    """
    columns, descending = [], True
    for entry in query.sort:
        field = fields.get(entry.field)
        if field is not None and field.sortable:
            descending = entry.descending
            columns.append(_ordered(field.column, descending=descending))
    return [*columns, *(_ordered(column, descending=descending) for column in tiebreak)]


def _ordered(column: sa.ColumnElement[Any], *, descending: bool) -> sa.ColumnElement[Any]:
    return column.desc() if descending else column.asc()


def counted(statement: sa.Select[Any]) -> sa.Select[int]:
    """A statement that counts the rows of this one."""
    return statement.with_only_columns(sa.func.count(), maintain_column_froms=True).order_by(None)


async def one_page_by_key(
    tx: OrgTx,
    key: sa.Column[Any],
    conditions: Sequence[Condition],
    ordering: Sequence[sa.ColumnElement[Any]],
    query: ListQuery,
) -> tuple[Sequence[Row[Any]], int]:
    """The same as `one_page` for a table of which much is stored: only the rows of the page are read.

    The page is found by the keys alone, for which an index is enough.
    """
    find = one_page_by_search if query.name_search else one_page
    found, total = await find(tx, sa.select(key).where(*conditions), ordering, query)
    keys = [row[0] for row in found]
    rows = await tx.rows(sa.select(key.table).where(key.in_(keys))) if keys else []
    by_key = {row._mapping[key.name]: row for row in rows}
    return [by_key[each] for each in keys if each in by_key], total


async def one_page(
    tx: OrgTx,
    statement: sa.Select[Any],
    ordering: Sequence[sa.ColumnElement[Any]],
    query: ListQuery,
    total: int | None = None,
) -> tuple[Sequence[Row[Any]], int]:
    """The requested page and the number of all rows, which is counted unless it is known already.

    A page past the middle is read from the end.
    """
    if total is None:
        total = int(await tx.scalar(counted(statement)))
    if query.skip >= total:
        return [], total
    size = min(query.limit, total - query.skip)
    from_end = total - query.skip - size
    if from_end < query.skip:
        rows = await tx.rows(
            statement.order_by(*(_reversed(column) for column in ordering)).offset(from_end).limit(size)
        )
        return list(reversed(rows)), total
    return await tx.rows(statement.order_by(*ordering).offset(query.skip).limit(size)), total


async def one_page_by_search(
    tx: OrgTx,
    keys: sa.Select[Any],
    ordering: Sequence[sa.ColumnElement[Any]],
    query: ListQuery,
) -> tuple[Sequence[Row[Any]], int]:
    """The same as `one_page` where every row has to be looked at, for which no index is of use.

    Mostly few are found: if all of them are read at once, none has to be looked at again to count them.
    """
    found = await tx.rows(keys.order_by(*ordering).limit(FEW))
    end = query.skip + query.limit
    if len(found) == FEW and end > FEW:
        return await one_page(tx, keys, ordering, query)
    total = len(found) if len(found) < FEW else int(await tx.scalar(counted(keys)))
    return found[query.skip : end], total


def _reversed(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    if isinstance(column, sa.UnaryExpression) and column.modifier is sa.sql.operators.nulls_last_op:
        return _reversed(column.element).nulls_first()
    if isinstance(column, sa.UnaryExpression) and column.modifier is sa.sql.operators.desc_op:
        return column.element.asc()
    if isinstance(column, sa.UnaryExpression) and column.modifier is sa.sql.operators.asc_op:
        return column.element.desc()
    return column.desc()


def _text_condition(
    column: sa.ColumnElement[Any], subject: sa.ColumnElement[Any], item: Filter
) -> Condition | None:
    if item.operator is Operator.IS_EMPTY:
        return sa.or_(column.is_(None), column == "")
    if item.operator is Operator.IS_NOT_EMPTY:
        return sa.and_(column.is_not(None), column != "")
    if item.operator is Operator.IS_ANY_OF:
        values = item.value if isinstance(item.value, list) else [item.value]
        return subject.in_([str(value).casefold() for value in values])
    value = str(item.value).casefold()
    escaped = escape_like(value)
    conditions: dict[Operator, Callable[[], Condition]] = {
        Operator.CONTAINS: lambda: contains(subject, value),
        Operator.NOT_CONTAINS: lambda: sa.or_(column.is_(None), sa.not_(contains(subject, value))),
        Operator.EQUALS: lambda: subject == value,
        Operator.NOT_EQUALS: lambda: sa.or_(column.is_(None), subject != value),
        Operator.STARTS_WITH: lambda: subject.like(f"{escaped}%", escape="\\"),
        Operator.ENDS_WITH: lambda: subject.like(f"%{escaped}", escape="\\"),
    }
    build = conditions.get(item.operator)
    return build() if build else None


def _time_condition(column: sa.ColumnElement[Any], item: Filter) -> Condition | None:
    if item.operator is Operator.IS_EMPTY:
        return column.is_(None)
    if item.operator is Operator.IS_NOT_EMPTY:
        return column.is_not(None)
    moment = _moment(item.value)
    if moment is None:
        return None
    start, end = moment
    conditions: dict[Operator, Callable[[], Condition]] = {
        Operator.EQUALS: lambda: sa.and_(column >= start, column < end),
        Operator.NOT_EQUALS: lambda: sa.or_(column < start, column >= end),
        Operator.AFTER: lambda: column >= end,
        Operator.ON_OR_AFTER: lambda: column >= start,
        Operator.BEFORE: lambda: column < start,
        Operator.ON_OR_BEFORE: lambda: column < end,
    }
    build = conditions.get(item.operator)
    return build() if build else None


def _moment(value: Any) -> tuple[datetime, datetime] | None:
    """The start and end of what the value means: a date is a whole day, a time without seconds a whole minute."""
    text = str(value)
    length = timedelta(microseconds=1)
    if len(text) <= len("2026-01-01"):
        length = timedelta(days=1)
    elif text.partition("+")[0].count(":") == 1:
        length = timedelta(minutes=1)
    try:
        start = datetime.fromisoformat(text)
        start = start.replace(tzinfo=UTC) if start.tzinfo is None else start.astimezone(UTC)
        return start, start + length
    except (ValueError, OverflowError):
        return None
