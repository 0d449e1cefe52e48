"""Finding the living documents of projects by their words, as `page_search.py` finds pages.

Only the newest versions of documents that are not deleted are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.domain.listing import ListQuery
from docagent.store.engine.database import OrgTx
from docagent.store.listing import contains, one_page
from docagent.store.search import search_words
from docagent.store.tables import living_document_revisions, living_documents, projects

_index = sa.table("living_search", sa.column("rowid", sa.Integer))
_rows = sa.table(
    "living_search_rows",
    sa.column("id", sa.Integer),
    sa.column("document_id", sa.String),
    sa.column("revision_id", sa.String),
)
_pieces = sa.table("living_search", sa.column("revision_id", sa.String), sa.column("words"))
_newest = living_document_revisions.c.id == living_documents.c.latest_revid
_of_project = projects.c.id == living_documents.c.project_id
_live = sa.and_(living_documents.c.deleted_at.is_(None), projects.c.deleted_at.is_(None))


@dataclass(frozen=True, slots=True)
class LivingPlace:
    document_id: str
    number: int
    """The version."""


@dataclass(frozen=True, slots=True)
class FoundLivingDocument:
    document_id: str
    document_name: str
    project_id: str
    project_name: str
    number: int
    """The version."""
    text: str


async def holding(tx: OrgTx, word: str, project_ids: Sequence[str], most: int) -> list[LivingPlace]:
    """Documents of these projects that hold the word, in the order of their ids. The word is folded as in the index."""
    if not search_words.is_word(word) or not project_ids:
        return []
    statement = (
        sa.select(living_documents.c.id, living_documents.c.version)
        .join_from(living_documents, projects, _of_project)
        .where(_live, projects.c.id.in_(project_ids))
        .where(_holds(word, tx.dialect))
    )
    rows = await tx.rows(statement.order_by(living_documents.c.id).limit(most))
    return [LivingPlace(row.id, row.version) for row in rows]


async def matching(
    tx: OrgTx, words: Mapping[str, str], project_id: str | None, query: ListQuery
) -> tuple[list[LivingPlace], int]:
    """One page of the documents that hold all of the words in text or name, and how many there are.

    `words` are folded as in the index, each with how it stands in a folded name. Documents whose name has all of them
    come first, then what changed last.
    """
    named = {word: contains(living_documents.c.name_folded, typed) for word, typed in words.items()}
    statement = (
        sa.select(living_documents.c.id, living_documents.c.version)
        .join_from(living_documents, living_document_revisions, _newest)
        .join(projects, _of_project)
        .where(_live, *(sa.or_(_holds(word, tx.dialect), named[word]) for word in words))
    )
    if project_id is not None:
        statement = statement.where(projects.c.id == project_id)
    by_name = sa.case((sa.and_(*named.values()), 0), else_=1)
    ordering = [by_name, living_document_revisions.c.created_at.desc(), living_documents.c.id]
    rows, total = await one_page(tx, statement, ordering, query)
    return [LivingPlace(row.id, row.version) for row in rows], total


async def read(tx: OrgTx, places: Sequence[LivingPlace]) -> list[FoundLivingDocument]:
    """The newest text of those of these documents that still exist."""
    if not places:
        return []
    rows = await tx.rows(
        sa.select(
            living_documents.c.id,
            living_documents.c.name,
            living_documents.c.project_id,
            projects.c.name.label("project_name"),
            living_documents.c.version,
            living_document_revisions.c.content,
        )
        .join_from(living_documents, living_document_revisions, _newest)
        .join(projects, _of_project)
        .where(_live, living_documents.c.id.in_([place.document_id for place in places]))
    )
    return [
        FoundLivingDocument(row.id, row.name, row.project_id, row.project_name, row.version, row.content)
        for row in rows
    ]


def _holds(word: str, dialect: str) -> sa.ColumnElement[bool]:
    return living_documents.c.latest_revid.in_(_found(word, dialect))


def _found(word: str, dialect: str) -> sa.Select[Any]:
    """Ids of versions with the word. The index holds newest versions only, of all organisations."""
    if dialect == "postgresql":
        return sa.select(_pieces.c.revision_id).where(search_words.on_postgresql(_pieces.c.words, word))
    matching = sa.select(_index.c.rowid).where(search_words.on_sqlite("living_search", word))
    return sa.select(_rows.c.revision_id).where(_rows.c.id.in_(matching))
