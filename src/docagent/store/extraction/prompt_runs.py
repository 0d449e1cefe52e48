"""Queries on the documents that a prompt still has to be run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.domain.documents.documents import Document
from docagent.domain.extraction.runs import Selection
from docagent.domain.ids import is_id
from docagent.store.documents.documents import DOCUMENT
from docagent.store.engine.database import OrgTx
from docagent.store.tables import document_pages, document_tags, documents, extraction_results

SAMPLED = 20


@dataclass(frozen=True, slots=True)
class Due:
    """Documents that a run would be about, counted."""

    by_pages: Sequence[tuple[int, int]]
    """Numbers of pages, and how many documents have so many."""
    unread: int
    last: str
    """The newest of the documents that can be run."""

    @property
    def documents(self) -> int:
        return sum(count for _, count in self.by_pages)

    @property
    def pages(self) -> int:
        return sum(pages * count for pages, count in self.by_pages)


async def due(tx: OrgTx, prompt_id: str, version: int, selection: Selection) -> Due:
    chosen = _chosen(tx, prompt_id, version, selection)
    pages = sa.func.coalesce(documents.c.page_count, 1)
    rows = await tx.rows(
        sa.select(
            pages.label("pages"), sa.func.count().label("number"), sa.func.max(documents.c.id).label("last")
        )
        .where(*chosen, documents.c.text_run_id.is_not(None))
        .group_by(pages)
    )
    unread = (
        sa.select(sa.func.count()).select_from(documents).where(*chosen, documents.c.text_run_id.is_(None))
    )
    return Due(
        [(row.pages, row.number) for row in rows],
        int(await tx.scalar(unread)),
        max((row.last for row in rows), default=""),
    )


async def next_due(
    tx: OrgTx, prompt_id: str, version: int, selection: Selection, *, after: str, last: str, limit: int
) -> list[Document]:
    """The next documents in the order of their ids."""
    left = (*_chosen(tx, prompt_id, version, selection), *_between(after, last))
    rows = await tx.rows(sa.select(documents).where(*left).order_by(documents.c.id).limit(limit))
    return DOCUMENT.each(rows)


async def number_left(
    tx: OrgTx, prompt_id: str, version: int, selection: Selection, *, after: str, last: str
) -> int:
    left = (*_chosen(tx, prompt_id, version, selection), *_between(after, last))
    return int(await tx.scalar(sa.select(sa.func.count()).select_from(documents).where(*left)))


def _between(after: str, last: str) -> tuple[sa.ColumnElement[bool], ...]:
    return documents.c.text_run_id.is_not(None), documents.c.id > after, documents.c.id <= last


async def characters_per_page(tx: OrgTx, prompt_id: str, version: int, selection: Selection) -> int:
    """About how much text a page has, from the newest of the documents."""
    return await average_page(tx, _chosen(tx, prompt_id, version, selection))


async def average_page(tx: OrgTx, chosen: Sequence[sa.ColumnElement[Any]]) -> int:
    """How many characters a page of the newest of these documents has."""
    newest = (
        sa.select(documents.c.id, documents.c.text_run_id)
        .where(
            documents.c.organization_id == tx.organization_id, *chosen, documents.c.text_run_id.is_not(None)
        )
        .order_by(documents.c.id.desc())
        .limit(SAMPLED)
        .subquery()
    )
    average = sa.select(sa.func.avg(sa.func.length(document_pages.c.text))).where(
        document_pages.c.document_id == newest.c.id, document_pages.c.run_id == newest.c.text_run_id
    )
    return int(await tx.scalar(average) or 0)


def _chosen(tx: OrgTx, prompt_id: str, version: int, selection: Selection) -> list[sa.ColumnElement[Any]]:
    """Live documents of the selection without a result, or without one of this version."""
    result = extraction_results.alias("there")
    there = [
        result.c.organization_id == tx.organization_id,
        result.c.document_id == documents.c.id,
        result.c.prompt_id == prompt_id,
        ~result.c.proposed,
    ]
    if selection.mode == "outdated":
        there.append(result.c.prompt_version >= version)
    conditions: list[sa.ColumnElement[Any]] = [documents.c.deleted_at.is_(None), ~sa.exists().where(*there)]
    if selection.document_ids is not None:
        conditions.append(documents.c.id.in_([one for one in selection.document_ids if is_id(one)]))
    if selection.tag_id is not None:
        conditions.append(
            sa.exists().where(
                document_tags.c.organization_id == tx.organization_id,
                document_tags.c.document_id == documents.c.id,
                document_tags.c.tag_id == selection.tag_id,
            )
        )
    return conditions
