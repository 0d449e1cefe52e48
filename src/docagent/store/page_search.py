"""Finding pages by their words: FTS5 on SQLite, a GIN index on PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from docagent.store.engine import OrgTx
from docagent.store.tables import document_pages, documents

MOST_WORDS = 24
_WORD = re.compile(r"\w+")

_index = sa.table("page_search", sa.column("rowid", sa.Integer), sa.column("rank", sa.Float))
_rows = sa.table(
    "page_search_rows",
    sa.column("id", sa.Integer),
    sa.column("document_id", sa.String),
    sa.column("run_id", sa.String),
    sa.column("number", sa.Integer),
)


@dataclass(frozen=True, slots=True)
class FoundPage:
    document_id: str
    document_name: str
    number: int
    text: str


async def find(tx: OrgTx, words: Sequence[str], document_ids: Sequence[str], limit: int) -> list[FoundPage]:
    """Pages of these documents that hold any of the words, the best first."""
    wanted = [word for word in words if _WORD.fullmatch(word)][:MOST_WORDS]
    if not wanted or not document_ids:
        return []
    columns = (
        documents.c.id,
        documents.c.name,
        document_pages.c.number,
        document_pages.c.text,
    )
    newest = sa.and_(
        documents.c.id == document_pages.c.document_id, documents.c.text_run_id == document_pages.c.run_id
    )
    statement = sa.select(*columns).join_from(document_pages, documents, newest)
    if tx.dialect == "postgresql":
        vector = sa.func.to_tsvector("simple", document_pages.c.text)
        query = sa.func.to_tsquery("simple", " | ".join(wanted))
        statement = statement.where(vector.op("@@")(query)).order_by(sa.func.ts_rank(vector, query).desc())
    else:
        same = sa.and_(
            _rows.c.document_id == document_pages.c.document_id,
            _rows.c.run_id == document_pages.c.run_id,
            _rows.c.number == document_pages.c.number,
        )
        any_of = " OR ".join(f'"{word}"' for word in wanted)
        statement = (
            statement.join(_rows, same)
            .join(_index, _index.c.rowid == _rows.c.id)
            .where(sa.column("page_search").op("MATCH")(any_of))
            .order_by(_index.c.rank)
        )
    statement = statement.where(documents.c.id.in_(document_ids), documents.c.deleted_at.is_(None))
    rows = await tx.rows(statement.order_by(document_pages.c.number).limit(limit))
    return [FoundPage(row.id, row.name, row.number, row.text) for row in rows]
