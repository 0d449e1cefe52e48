"""Finding the living documents of projects by their words, as `page_search.py` finds pages.

Only the newest versions of documents that are not deleted are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docagent.store import search_words
from docagent.store.engine import OrgTx
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
        .where(living_documents.c.latest_revid.in_(_found(word, tx.dialect)))
    )
    rows = await tx.rows(statement.order_by(living_documents.c.id).limit(most))
    return [LivingPlace(row.id, row.version) for row in rows]


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


def _found(word: str, dialect: str) -> sa.Select[Any]:
    """Ids of versions with the word. The index holds newest versions only, of all organisations."""
    if dialect == "postgresql":
        return sa.select(_pieces.c.revision_id).where(search_words.on_postgresql(_pieces.c.words, word))
    matching = sa.select(_index.c.rowid).where(search_words.on_sqlite("living_search", word))
    return sa.select(_rows.c.revision_id).where(_rows.c.id.in_(matching))
