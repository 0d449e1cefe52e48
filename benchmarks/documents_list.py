"""Lists and searches in an organisation with many documents, against hand-written SQL for the same rows.

Both sides ask for one page and for the number of all matches, on the same SQLite file. The floor is the bare
driver with its tuples. Ours is the store, which limits every statement to the organisation and makes
documents.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from benchmarks.measure import interleaved
from docagent.domain.ids import new_id
from docagent.domain.listing import ListQuery
from docagent.store.documents import documents as store
from docagent.store.engine.database import Database, open_database, sync_url
from docagent.store.engine.migrate import migrate_now
from docagent.store.tables import document_metadata, documents, organizations

NAME = "documents_list"
PAGE = 50
DOCUMENTS_A_CUSTOMER = 200
ROWS_AT_ONCE = 5_000

LIVE = "organization_id = :organization AND deleted_at IS NULL"
NEWEST_FIRST = "upload_date DESC, id DESC"


@dataclass(frozen=True)
class Question:
    """One page, asked for in both ways. `from_end` asks for the last page."""

    name: str
    name_search: str | None = None
    metadata: Sequence[tuple[str, str]] = ()
    from_end: bool = False
    floor_from: str = "documents"
    floor_where: str = LIVE
    floor_order: str = NEWEST_FIRST


QUESTIONS = (
    Question("first_page"),
    Question("last_page", from_end=True, floor_order="upload_date, id"),
    Question(
        "name_search",
        name_search="customer 7 ",
        floor_where=f"{LIVE} AND name_folded LIKE '%customer 7 %'",
        floor_order=f"name_folded LIKE 'customer 7 %' DESC, {NEWEST_FIRST}",
    ),
    Question(
        "metadata_search",
        metadata=(("customer", "7"),),
        # A cross join makes SQLite begin with the pair. That is the best plan, and SQLite may not find it alone.
        floor_from="document_metadata AS pair CROSS JOIN documents ON documents.id = pair.document_id",
        floor_where="pair.organization_id = :organization AND pair.key = 'customer' AND pair.value = '7'"
        " AND documents.deleted_at IS NULL",
    ),
)


def run(quick: bool) -> dict[str, float]:
    count = 10_000 if quick else 100_000
    figures = {"documents": float(count)}
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        file = Path(folder) / "bench.db"
        organization_id = fill(f"sqlite:///{file}", count)
        database = open_database(f"sqlite:///{file}")
        runner.run(database.refresh_statistics())
        bare = sqlite3.connect(file)
        for question in QUESTIONS:
            query = ListQuery(count - PAGE if question.from_end else 0, PAGE, question.name_search)

            def ours(asked: Question = question, query: ListQuery = query) -> float:
                return runner.run(_ask_store(database, organization_id, query, asked.metadata))

            def floor(asked: Question = question) -> float:
                return _ask_bare(bare, organization_id, asked)

            costs = interleaved(5 if quick else 15, {"ours": ours, "floor": floor})
            figures[f"{question.name}_x"] = costs.ratio("ours", "floor")
            figures[f"{question.name}_ms"] = costs.median("ours") * 1000
            figures[f"{question.name}_floor_ms"] = costs.median("floor") * 1000
        bare.close()
        runner.run(database.close())
    return figures


async def _ask_store(
    database: Database, organization_id: str, query: ListQuery, metadata: Sequence[tuple[str, str]]
) -> float:
    started = time.process_time()
    async with database.read_org(organization_id) as tx:
        found = await store.search(tx, query, metadata=metadata)
    _check(len(found.items), found.total)
    return time.process_time() - started


def _ask_bare(connection: sqlite3.Connection, organization_id: str, asked: Question) -> float:
    started = time.process_time()
    known = {"organization": organization_id}
    rows = f"FROM {asked.floor_from} WHERE {asked.floor_where}"
    (total,) = connection.execute(f"SELECT count(*) {rows}", known).fetchone()
    statement = f"SELECT documents.* {rows} ORDER BY {asked.floor_order} LIMIT {PAGE}"
    _check(len(connection.execute(statement, known).fetchall()), total)
    return time.process_time() - started


def _check(found: int, total: int) -> None:
    if found != PAGE or total < DOCUMENTS_A_CUSTOMER:
        raise RuntimeError(f"the question found {found} documents of {total}; it should find {PAGE} of many")


def fill(url: str, count: int) -> str:
    """Make a new database with this many documents of one organisation, and return the organisation's id."""
    migrate_now(url)
    organization_id, owner_id = new_id(), new_id()
    now = datetime.now(UTC)
    engine = sa.create_engine(sync_url(url))
    with engine.begin() as connection:
        connection.execute(sa.insert(organizations), _organization(organization_id, now))
    for start in range(0, count, ROWS_AT_ONCE):
        rows = [
            _document(organization_id, owner_id, number, count, now)
            for number in range(start, min(start + ROWS_AT_ONCE, count))
        ]
        pairs = [
            {"organization_id": organization_id, "document_id": row["id"], "key": key, "value": value}
            for row in rows
            for key, value in row["metadata"].items()
        ]
        with engine.begin() as connection:
            connection.execute(sa.insert(documents), rows)
            connection.execute(sa.insert(document_metadata), pairs)
        if start == 0:
            analyze(engine)
    engine.dispose()
    return organization_id


def analyze(engine: sa.Engine) -> None:
    """Tell the database how full its tables are: PostgreSQL's triggers keep the plan that they made for empty ones."""
    with engine.connect() as connection, connection.execution_options(isolation_level="AUTOCOMMIT"):
        connection.exec_driver_sql("ANALYZE")


def _organization(organization_id: str, now: datetime) -> dict[str, Any]:
    return {
        "id": organization_id,
        "name": "Bench",
        "name_folded": "bench",
        "type": "team",
        "default_prompt_enabled": False,
        "experimental_features": False,
        "flow_log_level": "ERROR",
        "ocr_config": {},
        "created_at": now,
        "updated_at": now,
    }


def _document(organization_id: str, owner_id: str, number: int, count: int, now: datetime) -> dict[str, Any]:
    customer = number % (count // DOCUMENTS_A_CUSTOMER)
    name = f"Invoice {number:06d} for customer {customer} .pdf"
    uploaded = now - timedelta(seconds=number)
    return {
        "id": new_id(),
        "organization_id": organization_id,
        "name": name,
        "name_folded": name.casefold(),
        "extension": ".pdf",
        "mime_type": "application/pdf",
        "size": 50_000 + number,
        "sha256": f"{number:064x}",
        "has_pdf": True,
        "state": "ocr_completed",
        "state_updated_at": uploaded,
        "tag_ids": [],
        "metadata": {"customer": str(customer), "year": str(2000 + number % 27)},
        "uploaded_by": "bench@example.com",
        "uploaded_by_folded": "bench@example.com",
        "uploaded_by_id": owner_id,
        "upload_date": uploaded,
        "page_count": 3,
        "pages_read": 3,
    }
