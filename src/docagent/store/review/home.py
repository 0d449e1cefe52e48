"""Queries for Home: the newest documents of each kind, what they come to by month, pages by day. One statement each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.sheets import Column
from docagent.store.engine.database import OrgTx
from docagent.store.review.sheets import (
    JOINED,
    amount_at,
    newest_results,
    value_at,
    with_documents,
    with_values,
)
from docagent.store.tables import documents, extraction_results

_heads = extraction_results.c


@dataclass(frozen=True, slots=True)
class Arrival:
    """A document with a result of the prompt."""

    prompt_id: str
    document_id: str
    name: str
    upload_date: datetime


@dataclass(frozen=True, slots=True)
class Measure:
    """What is added up of a prompt's results, and by which date. Without a date, the day of the upload counts."""

    prompt_id: str
    amount: Column | None = None
    dated: Column | None = None
    currency: Column | None = None


@dataclass(frozen=True, slots=True)
class Month:
    prompt_id: str
    month: str
    currency: str
    documents: int
    amount: float | None


@dataclass(frozen=True, slots=True)
class ReadDay:
    day: str
    documents: int
    pages: int


async def newest_documents(tx: OrgTx, prompt_ids: Sequence[str], count: int) -> list[Arrival]:
    """Of each prompt, the documents that were uploaded last; the prompt with the newest first."""
    place = sa.func.row_number().over(partition_by=_heads.prompt_id, order_by=_heads.document_id.desc())
    chosen = sa.select(
        _heads.prompt_id, _heads.document_id, documents.c.name, documents.c.upload_date, place.label("place")
    ).select_from(with_documents())
    ours = [table.c.organization_id == tx.organization_id for table in (extraction_results, documents)]
    found = chosen.where(*ours, *newest_results(tx, *prompt_ids)).subquery()
    rows = await tx.rows(
        sa.select(found).where(found.c.place <= count).order_by(found.c.place, found.c.document_id.desc())
    )
    return [Arrival(row.prompt_id, row.document_id, row.name, row.upload_date) for row in rows]


async def by_month(tx: OrgTx, measures: Sequence[Measure], today: date) -> list[Month]:
    """Documents and sums of each prompt by month and currency, in the order of the months, none that is yet to come."""
    if not measures:
        return []
    each = sa.union_all(*(_months_of(tx, measure) for measure in measures)).subquery()
    rows = await tx.rows(sa.select(each).where(each.c.month <= today.isoformat()[:7]).order_by(each.c.month))
    return [Month(row.prompt_id, row.month, row.currency, row.documents, row.amount) for row in rows]


def _months_of(tx: OrgTx, measure: Measure) -> sa.Select[Any]:
    month: sa.ColumnElement[Any] = sa.func.substr(_day(tx), 1, 7)
    if measure.dated is not None:
        printed = value_at(tx, measure.dated)
        month = sa.case((printed.like("____-__-__%"), sa.func.substr(printed, 1, 7)), else_=month)
    currency = (
        sa.func.coalesce(sa.func.upper(value_at(tx, measure.currency)), "")
        if measure.currency
        else sa.literal("")
    )
    amount = amount_at(tx, measure.amount) if measure.amount else sa.cast(sa.null(), sa.Double)
    ours = [table.c.organization_id == tx.organization_id for table in JOINED]
    inner = (
        sa.select(
            sa.cast(month, sa.Text).label("month"),
            sa.cast(currency, sa.Text).label("currency"),
            amount.label("amount"),
        )
        .select_from(with_values())
        .where(*ours, *newest_results(tx, measure.prompt_id))
        .subquery()
    )
    return sa.select(
        sa.literal(measure.prompt_id).label("prompt_id"),
        inner.c.month,
        inner.c.currency,
        sa.func.count().label("documents"),
        sa.func.sum(inner.c.amount).label("amount"),
    ).group_by(inner.c.month, inner.c.currency)


async def pages_by_day(tx: OrgTx, first: datetime) -> list[ReadDay]:
    """Documents uploaded since then, and their pages, by day."""
    read = (
        sa.select(_day(tx).label("day"), sa.func.coalesce(documents.c.page_count, 0).label("pages"))
        .where(
            documents.c.organization_id == tx.organization_id,
            documents.c.upload_date >= first,
            documents.c.deleted_at.is_(None),
        )
        .subquery()
    )
    counted = (sa.func.count().label("documents"), sa.func.sum(read.c.pages).label("pages"))
    rows = await tx.rows(sa.select(read.c.day, *counted).group_by(read.c.day).order_by(read.c.day))
    return [ReadDay(row.day, row.documents, int(row.pages)) for row in rows]


def _day(tx: OrgTx) -> sa.ColumnElement[str]:
    """The day of a document's upload: 2026-11-15."""
    if tx.dialect == "sqlite":
        return sa.func.substr(sa.type_coerce(documents.c.upload_date, sa.Text), 1, 10)
    return sa.func.to_char(sa.func.timezone("UTC", documents.c.upload_date), "YYYY-MM-DD", type_=sa.Text)
