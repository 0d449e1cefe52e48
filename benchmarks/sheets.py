"""A sheet of 10,000 results as the page asks for it, its export, and the next document of its review queue.

Counted is processor time: a person at a quiet machine waits about as long. The export's memory is what it adds at most.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa

from benchmarks.documents_list import _document, _organization
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.extraction.doubts import ReviewMode, ReviewPolicy
from docagent.domain.ids import new_id
from docagent.domain.listing import ListQuery, list_query
from docagent.export import ForPeople, SheetFormat
from docagent.services.deliveries.bus import Bus
from docagent.services.extraction.learning import LearningService
from docagent.services.extraction.results import ResultService
from docagent.services.jobs import JobService
from docagent.services.review.calibrating import CalibrationService
from docagent.services.review.review import ReviewService
from docagent.services.review.sheets import SheetService
from docagent.store.engine.database import Database, open_database, sync_url
from docagent.store.engine.migrate import migrate_now
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS
from docagent.store.tables import documents, extraction_results, extraction_revisions, organizations

NAME = "sheets"
ROWS_AT_ONCE = 1_000
PAGE = 100
MEBIBYTE = 1024 * 1024
SCHEMA = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string"},
        "invoice_date": {"type": "string", "format": "date"},
        "supplier": {"type": "string"},
        "total": {"type": "number"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"item": {"type": "string"}, "amount": {"type": "number"}},
                "required": ["item", "amount"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["invoice_number", "invoice_date", "supplier", "total", "lines"],
    "additionalProperties": False,
}
QUESTIONS = {
    "first_page": list_query(limit=PAGE),
    "sorted": list_query(limit=PAGE, sort='[{"field": "total", "sort": "desc"}]'),
    "filtered": list_query(
        limit=PAGE, filters='{"items": [{"field": "total", "operator": ">=", "value": "300"}]}'
    ),
    "searched": list_query(limit=PAGE, name_search="Supplier 7 "),
}


def run(quick: bool) -> dict[str, float]:
    count = 2_000 if quick else 10_000
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        migrate_now(url)
        database = open_database(url)
        figures = runner.run(_figures(database, url, count, 3 if quick else 9))
        runner.run(database.close())
    return {"results": float(count), **figures}


async def _figures(database: Database, url: str, count: int, repetitions: int) -> dict[str, float]:
    principal = Principal(new_id(), "Ada", "ada@example.com", Role.USER, Credential.SESSION)
    member = Member(principal, new_id(), Role.ADMIN)
    prompt_id = await _fill(database, url, member, count)
    await database.refresh_statistics()
    sheets = SheetService(database, _no_picture)
    review = ReviewService(database, _results(database))
    await review.set_policy(member, prompt_id, ReviewPolicy(ReviewMode.DOUBTFUL))

    def page(query: ListQuery) -> Callable[[], Awaitable[object]]:
        return lambda: sheets.part(member, prompt_id, query, unfold=None)

    figures = {
        f"{name}_ms": await _milliseconds(page(query), repetitions) for name, query in QUESTIONS.items()
    }
    figures["next_to_review_ms"] = await _milliseconds(
        lambda: review.next(member, prompt_id, []), repetitions
    )
    for format in (SheetFormat.CSV, SheetFormat.XLSX):
        figures[f"export_{format}_mib"] = await _export_mebibytes(sheets, member, prompt_id, format)
    return figures


async def _no_picture(_member: Member, _document_id: str) -> bytes | None:
    return None


def _results(database: Database) -> ResultService:
    jobs = JobService(database, max_attempts=1, lease=timedelta(minutes=1))
    calibrations, learning = CalibrationService(database, jobs), LearningService(database, jobs)
    return ResultService(database, Bus(), calibrations, learning)


async def _milliseconds(question: Callable[[], Awaitable[object]], repetitions: int) -> float:
    spent = []
    for _ in range(repetitions + 1):
        started = time.process_time()
        await question()
        spent.append(time.process_time() - started)
    return median(spent[1:]) * 1000


async def _export_mebibytes(
    sheets: SheetService, member: Member, prompt_id: str, format: SheetFormat
) -> float:
    tracemalloc.start()
    people = ForPeople("https://host/documents", prompt_id) if format is SheetFormat.XLSX else None
    _, chunks = await sheets.export(member, prompt_id, ListQuery(), unfold=None, format=format, people=people)
    async for _ in chunks:
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / MEBIBYTE


async def _fill(database: Database, url: str, member: Member, count: int) -> str:
    now = datetime.now(UTC)
    engine = sa.create_engine(sync_url(url))
    with engine.begin() as connection:
        connection.execute(sa.insert(organizations), _organization(member.organization_id, now))
    form = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA, "strict": True}}
    async with database.write_as(member) as tx:
        schema = await SCHEMAS.save(tx, "Invoice", {"response_format": form}, member.user_id)
        columns = {
            "content": "Read it",
            "schema_id": schema.id,
            "schema_version": schema.version,
            "tag_ids": [],
            "model": None,
            "kb_id": None,
            "peer_match_keys": [],
            "include": {},
        }
        prompt = await PROMPTS.save(tx, "Invoices", columns, member.user_id)
    head = {"prompt_revid": prompt.revid, "prompt_id": prompt.id, "prompt_version": 1, "revision": 1}
    with engine.begin() as connection:
        for start in range(0, count, ROWS_AT_ONCE):
            many = list(_rows(member, head, range(start, min(start + ROWS_AT_ONCE, count)), count, now))
            for table in (documents, extraction_results, extraction_revisions):
                connection.execute(sa.insert(table), [rows[table] for rows in many])
    engine.dispose()
    return prompt.id


def _rows(
    member: Member, head: dict[str, Any], numbers: range, count: int, now: datetime
) -> Iterator[dict[sa.Table, dict[str, Any]]]:
    for number in numbers:
        document = _document(member.organization_id, member.user_id, number, count, now)
        owned = {"organization_id": member.organization_id, "created_at": now}
        result_id = new_id()
        certainty = 0.0 if number % 10 == 0 else 1.0
        yield {
            documents: document,
            extraction_results: {
                **owned,
                **head,
                "id": result_id,
                "document_id": document["id"],
                "updated_at": now,
                "certainty": certainty,
            },
            extraction_revisions: {
                **owned,
                "result_id": result_id,
                "number": 1,
                "origin": "model",
                "model_data": _data(number),
                "data": _data(number),
                "is_verified": False,
                "verified_paths": [],
                "problems": [],
                "grounding": _grounding(_data(number), certain=certainty == 1.0),
                "run": _RUN,
                "created_by": member.user_id,
            },
        }


_RUN: dict[str, Any] = {
    "prompt": "Read it",
    "model": "bench",
    "requested_model": None,
    "repairs": 0,
    "match_values": None,
    "match_document_ids": None,
    "report": {},
}


def _data(number: int) -> dict[str, Any]:
    lines = [{"item": f"Item {line}", "amount": float(number % 97 + line)} for line in range(4)]
    return {
        "invoice_number": f"INV-{number:06d}",
        "invoice_date": f"20{number % 25:02}-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "supplier": f"Supplier {number % 200} Ltd",
        "total": sum(line["amount"] for line in lines),
        "lines": lines,
    }


def _grounding(value: Any, *, certain: bool) -> Any:
    if isinstance(value, dict):
        return {name: _grounding(inner, certain=certain) for name, inner in value.items()}
    if isinstance(value, list):
        return [_grounding(inner, certain=certain) for inner in value]
    word = {"text": str(value), "page": 1, "box": [0.1, 0.1, 0.2, 0.12]}
    return {
        "match": "exact" if certain else "unproven",
        "page": 1 if certain else None,
        "words": [word] if certain else [],
        "candidates": 1,
        "alternatives": [],
        "signals": {"form": "exact", "sources": ["text_layer"], "confidence": None},
    }
