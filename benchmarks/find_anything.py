"""Finds anything in an organisation with many documents, on both databases, as the palette asks for it.

Every document has a page of text and a result. Counted is processor time, ours and that of PostgreSQL's process for
the connection: a person at a quiet machine waits about as long. Words that are frequent stand in half of the pages.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa
from tests.support.services.postgres import running_postgres

from benchmarks.documents_list import _document, _organization, analyze
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.ids import new_id
from docagent.services.search.finding import FindingService
from docagent.services.search.searching import FoundKind, SearchService
from docagent.store.engine.database import open_database, sync_url
from docagent.store.engine.migrate import migrate_now
from docagent.store.tables import (
    document_pages,
    documents,
    extraction_results,
    extraction_revisions,
    organizations,
)

NAME = "find_anything"
ROWS_AT_ONCE = 1_000
WORDS_A_PAGE = 60
VOCABULARY = 20_000
FREQUENT = ("invoice", "payment", "amount", "delivery", "customer")
QUESTIONS = {
    "rare": "contract 0004711",
    "frequent": "invoice",
    "several": "invoice payment delivery customer",
    "typing": "inv",
    "nothing": "invoice quinces",
}
LIMIT = 12


def run(quick: bool) -> dict[str, float]:
    count = 5_000 if quick else 100_000
    figures = {"documents": float(count)}
    with tempfile.TemporaryDirectory() as folder:
        figures |= _figures("sqlite", f"sqlite:///{Path(folder) / 'bench.db'}", count, 5 if quick else 15)
    with running_postgres() as server:
        figures |= _figures("postgresql", server.create_database().url, count, 5 if quick else 15)
    return figures


def _figures(name: str, url: str, count: int, repetitions: int) -> dict[str, float]:
    organization_id = _fill(url, count)
    with asyncio.Runner() as runner:
        database = open_database(url, pool_size=1)
        runner.run(database.refresh_statistics())
        searching = SearchService(database, FindingService(database))
        principal = Principal(new_id(), "Ada", "ada@example.com", Role.USER, Credential.SESSION)
        member = Member(principal, organization_id, Role.ADMIN)

        async def backend() -> int | None:
            if database.dialect != "postgresql":
                return None
            async with database.read() as tx:
                return int(await tx.scalar(sa.select(sa.func.pg_backend_pid())))

        async def ask(words: str) -> float:
            pid = await backend()
            before = _spent(pid)
            await searching.search(member, words, kinds=list(FoundKind), limit=LIMIT)
            return _spent(pid) - before

        figures = {}
        for question, words in QUESTIONS.items():
            runner.run(ask(words))
            costs = [runner.run(ask(words)) for _ in range(repetitions)]
            figures[f"{name}_{question}_ms"] = median(costs) * 1000
        runner.run(database.close())
    return figures


def _spent(pid: int | None) -> float:
    """Seconds of processor time of this process, and of PostgreSQL's for our only connection."""
    if pid is None:
        return time.process_time()
    nanoseconds = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
    return time.process_time() + nanoseconds / 1e9


def _fill(url: str, count: int) -> str:
    """Make a new database with this many documents of one organisation, and return the organisation's id.

    They come in several transactions, as they would: PostgreSQL plans what its triggers do by what it knows of a table,
    and would go on as for an empty one.
    """
    migrate_now(url)
    engine = sa.create_engine(sync_url(url))
    organization_id, owner_id = new_id(), new_id()
    now = datetime.now(UTC)
    chance = random.Random(7)
    with engine.begin() as connection:
        connection.execute(sa.insert(organizations), _organization(organization_id, now))
    for start in range(0, count, ROWS_AT_ONCE):
        rows = [
            _document(organization_id, owner_id, number, count, now)
            | {"text_run_id": new_id(), "page_count": 1, "name": f"Invoice {number}.pdf"}
            for number in range(start, start + ROWS_AT_ONCE)
        ]
        results = [_result(row, now) for row in rows]
        with engine.begin() as connection:
            connection.execute(sa.insert(documents), rows)
            connection.execute(sa.insert(document_pages), [_page(row, chance) for row in rows])
            connection.execute(sa.insert(extraction_results), results)
            connection.execute(
                sa.insert(extraction_revisions), [_revision(row, owner_id, now, chance) for row in results]
            )
        if start == 0:
            analyze(engine)
    analyze(engine)
    engine.dispose()
    return organization_id


def _page(row: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    words = [f"word{int(chance.paretovariate(0.6)) % VOCABULARY}" for _ in range(WORDS_A_PAGE)]
    words += [word for word in FREQUENT if chance.random() < 0.5]
    if chance.random() < 0.0005:
        words.append("contract 0004711")
    return {
        "organization_id": row["organization_id"],
        "document_id": row["id"],
        "run_id": row["text_run_id"],
        "number": 1,
        "text": " ".join(words),
        "layout": b"x" * 500,
        "note": None,
    }


def _result(row: dict[str, Any], now: datetime) -> dict[str, Any]:
    return {
        "id": new_id(),
        "organization_id": row["organization_id"],
        "document_id": row["id"],
        "prompt_revid": "default",
        "prompt_id": "default",
        "prompt_version": 1,
        "revision": 1,
        "created_at": now,
        "updated_at": now,
        "proposed": False,
    }


def _revision(row: dict[str, Any], owner_id: str, now: datetime, chance: random.Random) -> dict[str, Any]:
    data = {"supplier": f"supplier{chance.randrange(5000)} invoice", "total": chance.randrange(100_000) / 100}
    return {
        "result_id": row["id"],
        "number": 1,
        "organization_id": row["organization_id"],
        "origin": "model",
        "model_data": data,
        "data": data,
        "is_verified": False,
        "verified_paths": [],
        "problems": [],
        "grounding": None,
        "run": {},
        "created_at": now,
        "created_by": owner_id,
    }
