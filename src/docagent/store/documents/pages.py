"""Queries on the text of documents. Each reading of a document is a run; the document points to the one that counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from docagent.domain.documents.text import NO_TEXT, Box, PackedPage, Page
from docagent.reading.page_codec import decode_page
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.mapping import Mapped
from docagent.store.tables import document_pages, documents

_TEXTS = held(
    sa.select(document_pages.c.number, document_pages.c.text)
    .where(
        document_pages.c.document_id == sa.bindparam("given_document_id"),
        document_pages.c.run_id == sa.bindparam("given_run_id"),
        document_pages.c.number >= sa.bindparam("given_first"),
    )
    .order_by(document_pages.c.number)
    .limit(sa.bindparam("given_limit"))
)


_PAGE = Mapped(PackedPage, document_pages, besides=("document_id", "run_id"))


async def append(tx: OrgTx, document_id: str, run_id: str, pages: Sequence[PackedPage]) -> None:
    rows = [
        _PAGE.values(page, organization_id=tx.organization_id, document_id=document_id, run_id=run_id)
        for page in pages
    ]
    if rows:
        await tx.execute(sa.insert(document_pages), rows)


async def count(tx: OrgTx, document_id: str, run_id: str) -> int:
    statement = sa.select(sa.func.count()).select_from(document_pages).where(_of(document_id, run_id))
    return int(await tx.scalar(statement))


async def text(tx: OrgTx, document_id: str, run_id: str, number: int | None = None) -> list[str]:
    statement = sa.select(document_pages.c.text).where(_of(document_id, run_id))
    if number is not None:
        statement = statement.where(document_pages.c.number == number)
    return [row.text for row in await tx.rows(statement.order_by(document_pages.c.number))]


async def texts(tx: OrgTx, document_id: str, run_id: str, first: int, limit: int) -> list[tuple[int, str]]:
    """Numbers and texts of pages from `first` on."""
    given = {
        "given_document_id": document_id,
        "given_run_id": run_id,
        "given_first": first,
        "given_limit": limit,
    }
    return [(row.number, row.text) for row in await tx.rows(_TEXTS, given)]


async def pages(
    tx: OrgTx, document_id: str, run_id: str, first: int, limit: int, *, whole: bool = False
) -> list[Page]:
    """Pages from `first` on, without the words in private regions; with `whole`, for a person, with them."""
    rows = await tx.rows(
        sa.select(document_pages.c.layout, documents.c.private_regions)
        .join(documents, documents.c.id == document_pages.c.document_id)
        .where(_of(document_id, run_id), document_pages.c.number >= first)
        .order_by(document_pages.c.number)
        .limit(limit)
    )
    return [_page(row.layout, None if whole else row.private_regions) for row in rows]


async def of_several(tx: OrgTx, document_ids: Sequence[str], most: int) -> dict[str, list[Page]]:
    """The first pages of the reading that counts of each document that was read, without words in private regions."""
    rows = await tx.rows(
        sa.select(document_pages.c.document_id, document_pages.c.layout, documents.c.private_regions)
        .join(documents, documents.c.id == document_pages.c.document_id)
        .where(
            document_pages.c.document_id.in_(document_ids),
            document_pages.c.run_id == documents.c.text_run_id,
            document_pages.c.number <= most,
        )
        .order_by(document_pages.c.number)
    )
    found: dict[str, list[Page]] = {}
    for row in rows:
        found.setdefault(row.document_id, []).append(_page(row.layout, row.private_regions))
    return found


async def hide_private(tx: OrgTx, document_id: str, run_id: str, numbers: Collection[int]) -> None:
    """Write the text of these pages as the document's private regions leave it, for models and search.

    Layouts keep every word.
    """
    if not numbers:
        return
    rows = await tx.rows(
        sa.select(document_pages, documents.c.private_regions)
        .join(documents, documents.c.id == document_pages.c.document_id)
        .where(_of(document_id, run_id), document_pages.c.number.in_(numbers))
    )
    texts = [_page(row.layout, row.private_regions).text.replace("\x00", "") for row in rows]
    shown = [
        PackedPage(row.number, text, row.layout, row.note) for row, text in zip(rows, texts, strict=True)
    ]
    await put(tx, document_id, run_id, shown)


async def put(tx: OrgTx, document_id: str, run_id: str, changed: Sequence[PackedPage]) -> None:
    """Replace pages. They are deleted and written, because SQLite's index does not follow changes."""
    numbers = [page.number for page in changed]
    await tx.execute(
        sa.delete(document_pages).where(_of(document_id, run_id), document_pages.c.number.in_(numbers))
    )
    await append(tx, document_id, run_id, changed)


def _page(layout: bytes, private_regions: Sequence[Mapping[str, Any]] | None) -> Page:
    page = decode_page(layout)
    return page.without([Box(*one["box"]) for one in private_regions or () if one["page"] == page.number])


async def notes(tx: OrgTx, document_id: str, run_id: str) -> dict[int, str]:
    rows = await tx.rows(
        sa.select(document_pages.c.number, document_pages.c.note)
        .where(_of(document_id, run_id), document_pages.c.note.is_not(None))
        .order_by(document_pages.c.number)
    )
    return {row.number: row.note for row in rows}


async def without_text(tx: OrgTx, document_id: str, run_id: str) -> list[int]:
    """Numbers of the pages that show no text, though there may be hidden words on them."""
    blank = sa.or_(document_pages.c.text == "", document_pages.c.note == NO_TEXT)
    rows = await tx.rows(
        sa.select(document_pages.c.number)
        .where(_of(document_id, run_id), blank)
        .order_by(document_pages.c.number)
    )
    return [row.number for row in rows]


async def delete_other_runs(tx: OrgTx, document_id: str, keep_run_id: str) -> None:
    await tx.execute(
        sa.delete(document_pages).where(
            document_pages.c.document_id == document_id, document_pages.c.run_id != keep_run_id
        )
    )


def _of(document_id: str, run_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(document_pages.c.document_id == document_id, document_pages.c.run_id == run_id)
