"""Fields that hold ids of named things: clients may filter by the id or by the name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from docagent.domain.listing import Filter, Operator
from docagent.store.listing import Condition, Field, contains, escape_like
from docagent.store.tables import schemas, tags

_OPPOSITES = {Operator.NOT_CONTAINS: Operator.CONTAINS, Operator.NOT_EQUALS: Operator.EQUALS}


def tag_field(organization_id: str, links: sa.Table, owner: str, subject: sa.ColumnElement[Any]) -> Field:
    """The tags of a thing. `links` ties tags to its column `owner`; `subject` is the thing's id."""
    linked = sa.select(links.c[owner]).where(links.c.organization_id == organization_id)

    def condition(item: Filter) -> Condition | None:
        if item.operator is Operator.IS_EMPTY:
            return subject.not_in(linked)
        if item.operator is Operator.IS_NOT_EMPTY:
            return subject.in_(linked)
        matching = _id_or_name(item, tags.c.id, tags.c.name_folded)
        if matching is None:
            return None
        found = linked.join(tags, tags.c.id == links.c.tag_id).where(
            tags.c.organization_id == organization_id, matching
        )
        return subject.not_in(found) if item.operator in _OPPOSITES else subject.in_(found)

    return Field(subject, condition, sortable=False)


def schema_field(organization_id: str, subject: sa.ColumnElement[Any]) -> Field:
    """The schema of a thing; `subject` is the schema's id, or null."""

    def condition(item: Filter) -> Condition | None:
        if item.operator is Operator.IS_EMPTY:
            return subject.is_(None)
        if item.operator is Operator.IS_NOT_EMPTY:
            return subject.is_not(None)
        matching = _id_or_name(item, schemas.c.id, schemas.c.name_folded)
        if matching is None:
            return None
        found = sa.select(schemas.c.id).where(
            schemas.c.organization_id == organization_id,
            schemas.c.deleted_at.is_(None),
            schemas.c.proposal_id.is_(None),
            matching,
        )
        if item.operator in _OPPOSITES:
            return sa.or_(subject.is_(None), subject.not_in(found))
        return subject.in_(found)

    return Field(subject, condition)


def _id_or_name(
    item: Filter, id_column: sa.ColumnElement[Any], folded: sa.ColumnElement[Any]
) -> Condition | None:
    """The named things that the filter's value means. A negative filter is read as its opposite."""
    values = item.value if isinstance(item.value, list) else [item.value]
    texts = [str(value).casefold() for value in values]
    first = texts[0]
    by_name: dict[Operator, Callable[[], Condition]] = {
        Operator.CONTAINS: lambda: contains(folded, first),
        Operator.EQUALS: lambda: folded.in_(texts),
        Operator.STARTS_WITH: lambda: folded.like(f"{escape_like(first)}%", escape="\\"),
        Operator.ENDS_WITH: lambda: folded.like(f"%{escape_like(first)}", escape="\\"),
        Operator.IS_ANY_OF: lambda: folded.in_(texts),
    }
    build = by_name.get(_OPPOSITES.get(item.operator, item.operator))
    return sa.or_(id_column.in_(texts), build()) if build else None
