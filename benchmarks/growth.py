"""Lists of an organisation in which much has happened: 1,000,000 events and 100,000 documents, on both databases.

How long each page takes, as a person waits for it. The deep pages are those in the middle, which are the farthest from
both ends.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import orjson
import psycopg
import sqlalchemy as sa
from tests.support.services.postgres import running_postgres

from benchmarks.documents_list import fill
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.ids import new_id
from docagent.domain.listing import ListQuery
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns.events import (
    AssistantMessage,
    Completed,
    Event,
    Grant,
    GrantKind,
    StepStarted,
    ToolFinished,
    ToolStarted,
    TurnStarted,
    TurnTerms,
    UsageCounted,
    UserMessage,
    payload,
)
from docagent.services.turns.views.records import TurnRecords
from docagent.store.documents import documents
from docagent.store.engine.database import Database, open_database, sync_url
from docagent.store.tables import turn_events, turns

NAME = "growth"
PAGE = 50
TIMES = 7
EVENTS: tuple[Event, ...] = (
    TurnStarted("scripted", "tools", 10, TurnTerms()),
    UserMessage("Which tags do we have?"),
    StepStarted(1),
    AssistantMessage(1, (ToolCall("call", "list_tags", "{}"),), "scripted"),
    UsageCounted("scripted", "act", 100, 12),
    ToolStarted("call", "list_tags", "{}", Grant(GrantKind.READ_ONLY)),
    ToolFinished("call", "list_tags", '{"tags": []}', summary="Listed the tags"),
    Completed("There are none.", 1),
)
"""One turn, of which one event is part of the audit."""


def run(quick: bool) -> dict[str, float]:
    count, logged = (10_000, 10_000) if quick else (100_000, 1_000_000 // len(EVENTS))
    figures = {"documents": float(count), "events": float(logged * len(EVENTS))}
    with tempfile.TemporaryDirectory() as folder:
        figures |= _measured("sqlite", f"sqlite:///{Path(folder) / 'bench.db'}", count, logged)
    with running_postgres() as postgres:
        figures |= _measured("postgresql", postgres.create_database().url, count, logged)
    return figures


def _measured(name: str, url: str, count: int, logged: int) -> dict[str, float]:
    organization_id = fill(url, count)
    _fill_events(url, organization_id, logged)
    database = open_database(url)
    with asyncio.Runner() as runner:
        runner.run(database.refresh_statistics())
        found = runner.run(_ask(database, organization_id, count, logged))
        runner.run(database.close())
    return {f"{name}_{question}_ms": milliseconds for question, milliseconds in found.items()}


async def _ask(database: Database, organization_id: str, count: int, logged: int) -> dict[str, float]:
    principal = Principal(new_id(), "Ada", "ada@example.com", Role.USER, Credential.SESSION)
    admin = Member(principal, organization_id, Role.ADMIN)
    records = TurnRecords(database)

    async def activity(skip: int) -> int:
        return len((await records.audit(admin, skip=skip, limit=PAGE)).items)

    async def listed(skip: int, search: str | None = None) -> int:
        async with database.read_org(organization_id, long=True) as tx:
            found = await documents.search(tx, ListQuery(skip, PAGE, search))
        return len(found.items)

    questions: dict[str, Callable[[], Awaitable[int]]] = {
        "activity": lambda: activity(0),
        "activity_deep": lambda: activity(logged // 2),
        "documents": lambda: listed(0),
        "documents_deep": lambda: listed(count // 2),
        "name_search": lambda: listed(0, "customer 7 "),
    }
    return {name: await _milliseconds(question) for name, question in questions.items()}


async def _milliseconds(question: Callable[[], Awaitable[int]]) -> float:
    spent = []
    for _ in range(TIMES):
        began = time.perf_counter()
        if await question() != PAGE:
            raise RuntimeError("a page should be full")
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


def _fill_events(url: str, organization_id: str, count: int) -> None:
    user_id, end = new_id(), datetime.now(UTC)
    if url.startswith("sqlite"):
        engine = sa.create_engine(sync_url(url))
        with engine.begin() as connection:
            driver: Any = connection.connection.driver_connection
            _insert(driver, "turns", _names(turns), _turns(organization_id, user_id, end, count))
            _insert(driver, "turn_events", _names(turn_events), _events(organization_id, end, count))
        engine.dispose()
        return
    address = sync_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address) as copying, copying.cursor() as cursor:
        for table, rows in (
            (turns, _turns(organization_id, user_id, end, count)),
            (turn_events, _events(organization_id, end, count)),
        ):
            names = ", ".join(_names(table))
            with cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        copying.commit()
        copying.autocommit = True
        copying.execute("VACUUM ANALYZE turns, turn_events, documents")


def _insert(driver: Any, table: str, names: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    places = ", ".join("?" * len(names))
    written = (tuple(_as_text(value) for value in row) for row in rows)
    driver.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", written)


def _names(table: sa.Table) -> list[str]:
    return [column.name for column in table.c]


def _as_text(value: Any) -> Any:
    return value.strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime) else value


def _turns(organization_id: str, user_id: str, end: datetime, count: int) -> Iterator[tuple[Any, ...]]:
    for number in range(count):
        at = end - timedelta(seconds=number)
        known = {
            "id": f"{number:024x}",
            "organization_id": organization_id,
            "user_id": user_id,
            "position": 1,
            "superseded": False,
            "state": "completed",
            "model": "scripted",
            "strategy": "tools",
            "last_seq": len(EVENTS),
            "transcript_tokens": 0,
            "signals": 0,
            "created_at": at,
            "updated_at": at,
        }
        yield tuple(known.get(name) for name in _names(turns))


def _events(organization_id: str, end: datetime, count: int) -> Iterator[tuple[Any, ...]]:
    written = [(event.type.value, orjson.dumps(payload(event)).decode()) for event in EVENTS]
    for number in range(count):
        at = end - timedelta(seconds=number)
        for seq, (kind, content) in enumerate(written, start=1):
            known = {
                "turn_id": f"{number:024x}",
                "seq": seq,
                "organization_id": organization_id,
                "type": kind,
                "payload": content,
                "created_at": at,
            }
            yield tuple(known[name] for name in _names(turn_events))
