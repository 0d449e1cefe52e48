"""Queries on sheets: the newest result of each document for one prompt, by the values in it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import sqlalchemy as sa

from docagent.domain.extraction.results import Origin
from docagent.domain.extraction.sheets import Column, ColumnKind, SheetResult, SheetTemplate
from docagent.domain.listing import Filter, ListQuery, Operator
from docagent.store import listing
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import put
from docagent.store.extraction.results import NEWEST, STORED_WITH_DATA
from docagent.store.mapping import Mapped, Part
from docagent.store.named_fields import tag_field
from docagent.store.search import entry_search
from docagent.store.search.entry_search import EntryKind
from docagent.store.tables import (
    document_tags,
    documents,
    extraction_results,
    extraction_revisions,
    prompt_revisions,
    sheet_templates,
)

_data = extraction_revisions.c.data
JOINED = (extraction_results, extraction_revisions, documents)
_BEYOND_ALL_MEASURE = 1e100
_NUMBERS = {"sqlite": ("integer", "real"), "postgresql": ("number",)}
_COMPARED = {
    Operator.EQUALS: "__eq__",
    Operator.NOT_EQUALS: "__ne__",
    Operator.AFTER: "__gt__",
    Operator.ON_OR_AFTER: "__ge__",
    Operator.BEFORE: "__lt__",
    Operator.ON_OR_BEFORE: "__le__",
}
_OF_RESULT = ("id", "document_id", "prompt_revid", "prompt_version", "revision", "updated_at")
_OF_REVISION = ("data", "model_data", "is_verified", "grounding", "is_rejected", "auto_verified")
_RESULT = Part(
    SheetResult,
    extraction_results,
    columns={"document_name": "name"},
    joined=("document_name", "upload_date", *_OF_REVISION),
    computed={**STORED_WITH_DATA, "is_edited": lambda row: row.origin != Origin.MODEL},
)


async def page(
    tx: OrgTx, prompt_id: str, columns: Sequence[Column], query: ListQuery, whole: int
) -> tuple[list[SheetResult], int]:
    """The requested part of the sheet's documents, and how many there are in all.

    `whole`: how many the sheet has. They are not counted again unless some are left out.
    """
    chosen, ordering = _chosen(tx, prompt_id, columns, query)
    if query.name_search or query.filters.items:
        rows, total = await listing.one_page_by_search(tx, chosen, ordering, query)
    else:
        rows, total = await listing.one_page(tx, chosen, ordering, query, total=whole)
    return await results(tx, [row.id for row in rows]), total


async def newest(tx: OrgTx, prompt_id: str, count: int) -> list[SheetResult]:
    """The results of the documents that were uploaded last."""
    chosen, ordering = _chosen(tx, prompt_id, (), ListQuery())
    rows = await tx.rows(chosen.order_by(*ordering).limit(count))
    return await results(tx, [row.id for row in rows])


async def all_ids(tx: OrgTx, prompt_id: str, columns: Sequence[Column], query: ListQuery) -> list[str]:
    """The ids of all results of the sheet, in the order that was asked for."""
    chosen, ordering = _chosen(tx, prompt_id, columns, query)
    return [row.id for row in await tx.rows(chosen.order_by(*ordering))]


async def results(tx: OrgTx, ids: Sequence[str]) -> list[SheetResult]:
    """The results with these ids, in this order. Those that are gone are left out."""
    heads, revisions = extraction_results.c, extraction_revisions.c
    rows = await tx.rows(
        sa.select(
            *(heads[name] for name in _OF_RESULT),
            documents.c.name,
            documents.c.upload_date,
            *(revisions[name] for name in (*_OF_REVISION, "origin", *STORED_WITH_DATA)),
        )
        .select_from(with_values())
        .where(heads.id.in_(ids), documents.c.deleted_at.is_(None))
    )
    found = {row.id: _RESULT.of(row) for row in rows}
    return [found[result_id] for result_id in ids if result_id in found]


_TEMPLATE = Mapped(SheetTemplate, sheet_templates, besides=("prompt_id",))


async def template(tx: OrgTx, prompt_id: str) -> SheetTemplate:
    return await _TEMPLATE.first(tx, sheet_templates.c.prompt_id == prompt_id) or SheetTemplate()


async def set_template(tx: OrgTx, prompt_id: str, wanted: SheetTemplate) -> None:
    await put(tx, sheet_templates, _TEMPLATE.values(wanted, prompt_id=prompt_id))


async def repeated(
    tx: OrgTx, prompt_id: str, number: Column, issuer: Column | None, among: Sequence[str] | None = None
) -> dict[tuple[str, str], int]:
    """Of all numbers, or of these, those that several documents of one issuer have, and how many do.

    The index of words names the few documents that can have one of some numbers; only their values are read.
    """
    paper = sa.cast(_text_at(tx, number), sa.Text)
    by = sa.cast(_text_at(tx, issuer), sa.Text) if issuer is not None else sa.literal("")
    ours = [table.c.organization_id == tx.organization_id for table in JOINED]
    looked_at = [paper != ""]
    if among is not None:
        holds = entry_search.parts_with_any(tx, EntryKind.VALUE, among)
        looked_at = [extraction_results.c.id.in_(holds), paper.in_(among)]
    found = (
        sa.select(paper.label("paper"), sa.func.coalesce(by, "").label("issuer"))
        .select_from(with_values())
        .where(*ours, *newest_results(tx, prompt_id), *looked_at)
        .subquery()
    )
    rows = await tx.rows(
        sa.select(found.c.paper, found.c.issuer, sa.func.count().label("times"))
        .group_by(found.c.paper, found.c.issuer)
        .having(sa.func.count() > 1)
    )
    return {(row.paper, row.issuer): row.times for row in rows}


async def summed(
    tx: OrgTx, prompt_id: str, label: Column, amount: Column | None, most: int
) -> list[tuple[str, float]]:
    """The sum of the amounts, or the number of documents, for each value of a column; of dates, for each month.

    Months come in their order, other values with the highest first.
    """
    is_date = label.kind is ColumnKind.DATE
    text = sa.cast(_text_at(tx, label), sa.Text)
    ours = [table.c.organization_id == tx.organization_id for table in JOINED]
    found = (
        sa.select(
            (sa.func.substr(text, 1, 7) if is_date else text).label("label"),
            (amount_at(tx, amount) if amount else sa.literal(1.0)).label("amount"),
        )
        .select_from(with_values())
        .where(
            *ours,
            *newest_results(tx, prompt_id),
            text != "",
            *([text.like("____-__-__%")] if is_date else []),
        )
        .subquery()
    )
    total = sa.func.sum(found.c.amount)
    order = found.c.label.desc() if is_date else total.desc()
    rows = await tx.rows(
        sa.select(found.c.label, total.label("total"))
        .where(found.c.amount.is_not(None))
        .group_by(found.c.label)
        .order_by(order, found.c.label)
        .limit(most)
    )
    made = [(row.label, float(row.total)) for row in rows]
    return made[::-1] if is_date else made


def odd(
    tx: OrgTx, number: Column | None, issuer: Column | None, past: Sequence[Column], today: date
) -> sa.ColumnElement[bool]:
    """Whether a result's document has the number of another one, or a date that is yet to come. Not if verified."""
    found = []
    if number is not None:
        paper = sa.cast(_text_at(tx, number), sa.Text)
        by = [sa.cast(_text_at(tx, issuer), sa.Text)] if issuer is not None else []
        times = sa.func.count().over(partition_by=[paper, *by])
        found.append(sa.and_(sa.func.coalesce(paper, "") != "", times > 1, ~_is_verified(number)))
    for column in past:
        text = _text_at(tx, column)
        is_late = sa.and_(sa.func.substr(text, 1, 10) > today.isoformat(), text.like("____-__-__%"))
        found.append(sa.and_(sa.func.coalesce(is_late, sa.false()), ~_is_verified(column)))
    return sa.or_(sa.false(), *found)


def _is_verified(column: Column) -> sa.ColumnElement[bool]:
    return listing.contains(
        sa.cast(extraction_revisions.c.verified_paths, sa.Text), json.dumps(str(column.path))
    )


def newest_results(tx: OrgTx, *prompt_ids: str) -> list[sa.ColumnElement[bool]]:
    """Conditions that leave, of each live document, the result of the highest version of each prompt."""
    heads = extraction_results.c
    later = extraction_results.alias("later")
    versions = prompt_revisions.c
    last_version = sa.select(sa.func.max(versions.version)).where(
        versions.organization_id == tx.organization_id
    )
    if len(prompt_ids) == 1:  # the same for all rows, so it is looked up once
        last_version = last_version.where(versions.head_id == prompt_ids[0])
    else:
        last_version = last_version.where(versions.head_id == heads.prompt_id).correlate(extraction_results)
    has_later = sa.exists().where(
        later.c.organization_id == tx.organization_id,
        later.c.document_id == heads.document_id,
        later.c.prompt_id == heads.prompt_id,
        later.c.prompt_version > heads.prompt_version,
        ~later.c.proposed,
    )
    return [
        heads.prompt_id.in_(prompt_ids),
        ~heads.proposed,
        documents.c.deleted_at.is_(None),
        # Most results are of the last version: for those nothing has to be looked up.
        sa.or_(heads.prompt_version >= last_version.scalar_subquery(), ~has_later),
    ]


def _chosen(
    tx: OrgTx, prompt_id: str, columns: Sequence[Column], query: ListQuery
) -> tuple[sa.Select[Any], list[sa.ColumnElement[Any]]]:
    reads_values = query.name_search or query.filters.items or query.sort
    statement = (
        sa.select(extraction_results.c.id)
        .select_from(with_values() if reads_values else with_documents())
        .where(*newest_results(tx, prompt_id))
    )
    fields = _fields(tx, columns)
    if query.name_search:
        statement = statement.where(_holds(tx, columns, query.name_search))
    condition = listing.where(query.filters, fields)
    if condition is not None:
        statement = statement.where(condition)
    return statement, _order(query, fields)


def _order(query: ListQuery, fields: dict[str, listing.Field]) -> list[sa.ColumnElement[Any]]:
    """Documents without a value come last, whichever way the values run."""
    columns: list[sa.ColumnElement[Any]] = []
    for entry in query.sort:
        field = fields.get(entry.field)
        if field is not None and field.sortable:
            ordered = field.column.desc() if entry.descending else field.column.asc()
            columns.append(ordered.nulls_last())
    return [*columns, extraction_results.c.document_id.desc()]


def with_values() -> sa.Join:
    return with_documents().join(extraction_revisions, NEWEST)


def with_documents() -> sa.Join:
    return extraction_results.join(documents, documents.c.id == extraction_results.c.document_id)


def _holds(tx: OrgTx, columns: Sequence[Column], text: str) -> listing.Condition:
    """Whether the document's name or one of its values has the text. The whole data is looked through first: cheap."""
    needle = text.casefold()
    values = [
        listing.contains(sa.func.lower(sa.cast(_text_at(tx, column), sa.Text)), needle)
        for column in columns
        if column.within is None
    ]
    anywhere = listing.contains(sa.func.lower(sa.cast(_data, sa.Text)), needle)
    return sa.or_(
        listing.contains(documents.c.name_folded, needle), sa.and_(anywhere, sa.or_(sa.false(), *values))
    )


def _fields(tx: OrgTx, columns: Sequence[Column]) -> dict[str, listing.Field]:
    """What can be sorted and filtered by. The values of an unfolded list cannot: they are rows, not documents."""
    heads, revisions = extraction_results.c, extraction_revisions.c
    fields: dict[str, listing.Field] = {}
    for column in columns:
        if column.within is None:
            field, path = _field(tx, column), column.path
            fields |= {path.pointer: field, str(path): field}
            fields.setdefault(path.dotted, field)
    return fields | {
        "$document": listing.text_field(documents.c.name, documents.c.name_folded),
        "$uploaded": listing.time_field(documents.c.upload_date),
        "$updated": listing.time_field(heads.updated_at),
        "$version": listing.number_field(heads.prompt_version),
        "$standing": listing.text_field(heads.standing),
        "$certainty": listing.Field(heads.certainty, lambda item: _number_condition(heads.certainty, item)),
        "$verified": listing.text_field(sa.case((revisions.is_verified, "true"), else_="false")),
        "$tags": tag_field(tx.organization_id, document_tags, "document_id", documents.c.id),
    }


def value_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    """The column's value as it is sorted by: a number, or text."""
    return _field(tx, column).column


def _field(tx: OrgTx, column: Column) -> listing.Field:
    if column.kind is ColumnKind.NUMBER:
        value = number_at(tx, column)
        return listing.Field(value, lambda item: _number_condition(value, item))
    if column.kind is ColumnKind.YES_NO:
        return listing.text_field(_yes_no_at(tx, column))
    text = _text_at(tx, column)
    if column.kind is ColumnKind.DATE:
        return listing.Field(text, lambda item: _date_condition(text, item))
    return listing.text_field(text)


def _text_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    if tx.dialect == "sqlite":
        return _sqlite_at(column, "value")
    return sa.func.json_extract_path_text(_data, *column.path, type_=sa.Text).collate("C")


def _type_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    if tx.dialect == "sqlite":
        return _sqlite_at(column, "type")
    return sa.func.json_typeof(sa.func.json_extract_path(_data, *column.path), type_=sa.Text)


def _yes_no_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    """`true`, `false` or null."""
    found = _type_at(tx, column) if tx.dialect == "sqlite" else _text_at(tx, column)
    return sa.case((found.in_(("true", "false")), found))


def number_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    is_number = _type_at(tx, column).in_(_NUMBERS[tx.dialect])
    return sa.case((is_number, sa.cast(_text_at(tx, column), sa.Double)))


def amount_at(tx: OrgTx, column: Column) -> sa.ColumnElement[Any]:
    """A number that can be added up. PostgreSQL refuses a sum that no number can hold."""
    number = number_at(tx, column)
    return sa.case((sa.func.abs(number) < _BEYOND_ALL_MEASURE, number))


def _sqlite_at(column: Column, part: Literal["value", "type"]) -> sa.ColumnElement[Any]:
    """SQLite's own paths cannot name keys with quotation marks, backslashes or control characters."""
    names = [str(step) for step in column.path]
    if not any(character in '"\\' or character < " " for name in names for character in name):
        function = sa.func.json_extract if part == "value" else sa.func.json_type
        return function(_data, "$" + "".join(f'."{name}"' for name in names), type_=sa.Text)
    source: sa.ColumnElement[Any] = _data
    chosen = sa.select()
    for name in names:
        each = sa.func.json_each(source).table_valued("key", "value", "type", joins_implicitly=True)
        chosen = chosen.with_only_columns(sa.type_coerce(each.c[part], sa.Text)).where(each.c.key == name)
        source = sa.case((each.c.type == "object", each.c.value))
    return chosen.scalar_subquery()


def _number_condition(value: sa.ColumnElement[Any], item: Filter) -> listing.Condition | None:
    if item.operator is Operator.IS_EMPTY:
        return value.is_(None)
    if item.operator is Operator.IS_NOT_EMPTY:
        return value.is_not(None)
    if item.operator is Operator.IS_ANY_OF:
        wanted = [_number(one) for one in (item.value if isinstance(item.value, list) else [item.value])]
        return value.in_([number for number in wanted if number is not None])
    number = _number(item.value)
    if number is None:
        return sa.false()
    compare = _COMPARED.get(item.operator)
    return getattr(value, compare)(number) if compare else None


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _date_condition(value: sa.ColumnElement[Any], item: Filter) -> listing.Condition | None:
    """Dates are kept as 2026-11-16, so they can be compared as texts."""
    if item.operator in (Operator.IS_EMPTY, Operator.IS_NOT_EMPTY, Operator.CONTAINS, Operator.IS_ANY_OF):
        return listing.text_field(value).filter(item)
    compare = _COMPARED.get(item.operator)
    return getattr(value, compare)(str(item.value)[:10]) if compare else None
