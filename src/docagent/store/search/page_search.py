"""Finding pages by their words: FTS5 on SQLite, a GIN index on PostgreSQL. `search_words.py` says what a word is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.database import OrgTx
from docagent.store.search import search_words
from docagent.store.tables import document_pages, documents

_index = sa.table("page_search", sa.column("rowid", sa.Integer))
_rows = sa.table(
    "page_search_rows",
    sa.column("id", sa.Integer),
    sa.column("document_id", sa.String),
    sa.column("run_id", sa.String),
    sa.column("number", sa.Integer),
)
_newest = sa.and_(
    documents.c.id == document_pages.c.document_id,
    documents.c.text_run_id == document_pages.c.run_id,
    documents.c.deleted_at.is_(None),
)
_same = sa.and_(documents.c.id == _rows.c.document_id, documents.c.text_run_id == _rows.c.run_id)


@dataclass(frozen=True, slots=True)
class Place:
    document_id: str
    number: int


@dataclass(frozen=True, slots=True)
class FoundPage:
    document_id: str
    document_name: str
    number: int
    text: str


async def holding(tx: OrgTx, word: str, document_ids: Sequence[str], most: int) -> list[Place]:
    """Pages of these documents that hold the word, in order. The word is folded as in the index."""
    if not search_words.is_word(word) or not document_ids:
        return []
    statement = _on_postgresql(word) if tx.dialect == "postgresql" else _on_sqlite(word)
    statement = statement.where(documents.c.id.in_(document_ids))
    rows = await tx.rows(statement.order_by(documents.c.id, sa.column("number")).limit(most))
    return [Place(row.id, row.number) for row in rows]


async def matching(tx: OrgTx, words: Sequence[str], most: int) -> list[Place]:
    """Pages of any document that hold all of the words, given as they were typed.

    If there are more than `most`, SQLite gives those that were read last, and PostgreSQL any. Only if there are too
    few, the last word counts as a beginning.
    """
    if not words or not all(map(search_words.is_word, words)):
        return []
    found = await _matching(tx, words, most, begins=False)
    if len(found) < most and search_words.is_beginning(words[-1]):
        found = await _matching(tx, words, most, begins=True)
    return found


async def _matching(tx: OrgTx, words: Sequence[str], most: int, *, begins: bool) -> list[Place]:
    if tx.dialect == "postgresql":
        holds = sa.func.page_words(document_pages.c.text).op("@@", return_type=sa.Boolean())
        statement = (
            sa.select(documents.c.id, document_pages.c.number)
            .join_from(document_pages, documents, _newest)
            .where(holds(search_words.all_on_postgresql(words, begins=begins)))
        )
    else:
        found = sa.column("page_search").op("MATCH")(search_words.all_on_sqlite(words, begins=begins))
        statement = (
            sa.select(documents.c.id, _rows.c.number)
            .select_from(_index)
            .join(_rows, _rows.c.id == _index.c.rowid)
            .join(documents, _same)
            .where(found, documents.c.deleted_at.is_(None))
            .order_by(_index.c.rowid.desc())
        )
    return [Place(row.id, row.number) for row in await tx.rows(statement.limit(most))]


async def read(tx: OrgTx, places: Sequence[Place]) -> list[FoundPage]:
    """The text of those of these pages that still exist."""
    if not places:
        return []
    wanted = sa.or_(
        *(
            sa.and_(
                document_pages.c.document_id == place.document_id, document_pages.c.number == place.number
            )
            for place in places
        )
    )
    rows = await tx.rows(
        sa.select(documents.c.id, documents.c.name, document_pages.c.number, document_pages.c.text)
        .join_from(documents, document_pages, _newest)
        .where(wanted)
    )
    return [FoundPage(row.id, row.name, row.number, row.text) for row in rows]


def _on_postgresql(word: str) -> sa.Select[Any]:
    return (
        sa.select(documents.c.id, document_pages.c.number)
        .join_from(documents, document_pages, _newest)
        .where(search_words.on_postgresql(sa.func.page_words(document_pages.c.text), word))
    )


def _on_sqlite(word: str) -> sa.Select[Any]:
    """Leaves out the table of pages, whose rows are long. Only the documents know the organisation, not the index."""
    found = sa.select(_index.c.rowid).where(search_words.on_sqlite("page_search", word))
    return (
        sa.select(documents.c.id, _rows.c.number)
        .join_from(documents, _rows, _same)
        .where(documents.c.deleted_at.is_(None), _rows.c.id.in_(found))
    )
