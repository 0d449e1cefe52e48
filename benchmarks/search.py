"""Finds passages for a question in many pages, against one bare FTS5 query for the same words in the same file.

Ours looks up each word, weighs it by its rarity, reads the most promising pages and cuts out passages. The
floor asks the index once for any of the words, ranks by FTS5's own measure and reads the same number of
pages.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from benchmarks.documents_list import _document, _organization
from benchmarks.measure import interleaved
from docagent.domain.ids import new_id
from docagent.services.projects.passages import search_words
from docagent.services.turns.context.sources import MOST_PASSAGES, passages
from docagent.store.engine.database import Database, open_database, sync_url
from docagent.store.engine.migrate import migrate_now
from docagent.store.tables import document_pages, documents, organizations

NAME = "search"
PAGES_A_DOCUMENT = 200
WORDS_A_PAGE = 300
VOCABULARY = 20_000
QUESTIONS = {
    "rare": "Who signed contract 0004711?",
    "frequent": "Which invoice says that the payment of the amount is due?",
    "long": "Please list every invoice, payment, amount, delivery, customer, order, discount and reminder of 0004711",
}
FREQUENT = ("invoice", "payment", "amount", "due", "delivery", "customer", "order", "discount", "reminder")

FLOOR = """
SELECT documents.id, documents.name, pages.number, pages.text
FROM (SELECT rowid, rank FROM page_search WHERE page_search MATCH ? ORDER BY rank LIMIT ?) AS best
JOIN page_search_rows AS place ON place.id = best.rowid
JOIN document_pages AS pages ON pages.document_id = place.document_id
    AND pages.run_id = place.run_id AND pages.number = place.number
JOIN documents ON documents.id = place.document_id
"""


def run(quick: bool) -> dict[str, float]:
    count = 4_000 if quick else 20_000
    figures = {"pages": float(count)}
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        file = Path(folder) / "bench.db"
        organization_id, sources = _fill(f"sqlite:///{file}", count)
        database = open_database(f"sqlite:///{file}")
        runner.run(database.refresh_statistics())
        bare = sqlite3.connect(file)
        for name, question in QUESTIONS.items():

            def ours(asked: str = question) -> float:
                return runner.run(_ask(database, organization_id, asked, sources))

            def floor(asked: str = question) -> float:
                return _ask_bare(bare, asked)

            costs = interleaved(5 if quick else 15, {"ours": ours, "floor": floor})
            figures[f"{name}_x"] = costs.ratio("ours", "floor")
            figures[f"{name}_ms"] = costs.median("ours") * 1000
            figures[f"{name}_floor_ms"] = costs.median("floor") * 1000
        bare.close()
        runner.run(database.close())
    return figures


async def _ask(database: Database, organization_id: str, question: str, sources: list[str]) -> float:
    started = time.process_time()
    async with database.read_org(organization_id) as tx:
        _check(len(await passages(tx, question, sources)))
    return time.process_time() - started


def _ask_bare(connection: sqlite3.Connection, question: str) -> float:
    started = time.process_time()
    any_of = " OR ".join(f'"{word}"' for word in search_words(question))
    _check(len(connection.execute(FLOOR, (any_of, MOST_PASSAGES)).fetchall()))
    return time.process_time() - started


def _check(found: int) -> None:
    if found != MOST_PASSAGES:
        raise RuntimeError(f"the question found {found} pages; it should find {MOST_PASSAGES}")


def _fill(url: str, count: int) -> tuple[str, list[str]]:
    """Make a new database with this many pages of one organisation. Return the ids of organisation and documents."""
    migrate_now(url)
    organization_id, owner_id = new_id(), new_id()
    now = datetime.now(UTC)
    chance = random.Random(7)
    number_of_documents = count // PAGES_A_DOCUMENT
    engine = sa.create_engine(sync_url(url))
    ids = []
    with engine.begin() as connection:
        connection.execute(sa.insert(organizations), _organization(organization_id, now))
        for number in range(number_of_documents):
            run_id = new_id()
            row = _document(organization_id, owner_id, number, max(count, 1000), now)
            row |= {"text_run_id": run_id, "page_count": PAGES_A_DOCUMENT}
            ids.append(row["id"])
            connection.execute(sa.insert(documents), row)
            connection.execute(
                sa.insert(document_pages),
                [
                    _page(organization_id, row["id"], run_id, page, chance)
                    for page in range(1, PAGES_A_DOCUMENT + 1)
                ],
            )
    engine.dispose()
    return organization_id, ids


def _page(
    organization_id: str, document_id: str, run_id: str, number: int, chance: random.Random
) -> dict[str, Any]:
    words = [f"word{int(chance.paretovariate(0.6)) % VOCABULARY}" for _ in range(WORDS_A_PAGE)]
    words += [word for word in FREQUENT if chance.random() < 0.5]
    if number % (PAGES_A_DOCUMENT // 2) == 0:
        words.append("contract 0004711")
    return {
        "organization_id": organization_id,
        "document_id": document_id,
        "run_id": run_id,
        "number": number,
        "text": " ".join(words),
        "layout": b"x" * 4000,
        "note": None,
    }
