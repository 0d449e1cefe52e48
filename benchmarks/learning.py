"""What learning adds to a document when 10,000 are verified: the layout, the lookup and the votes.

`added_ms` is for the built-in model, whose rules have put the document into rows already; `added_to_other_models_ms`
includes the rows.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from statistics import median

import sqlalchemy as sa

from benchmarks.documents_list import fill
from docagent import builtin_model
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.clock import now
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.domain.ids import new_id
from docagent.services.extraction.checking import grounding_of
from docagent.services.extraction.learning import MOST_ALIKE, LearningService
from docagent.services.jobs import JobService
from docagent.store.engine.database import Database, open_database
from docagent.store.extraction import learning
from docagent.store.tables import documents

NAME = "learning"
FIELDS = ("number", "berth", "pilot", "cargo", "draught")
SCHEMA = {"type": "object", "properties": {name: {"type": ["string", "null"]} for name in FIELDS}}
TIMES = 20


def run(quick: bool) -> dict[str, float]:
    count = 1000 if quick else 10_000
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        organization_id = fill(url, count)
        database = open_database(url)
        with asyncio.Runner() as runner:
            try:
                figures = runner.run(_measured(database, organization_id))
            finally:
                runner.run(database.close())
    return {"verified": float(count), **figures}


async def _measured(database: Database, organization_id: str) -> dict[str, float]:
    prompt_id = new_id()
    async with database.read_org(organization_id) as tx:
        ids = [row.id for row in await tx.rows(sa.select(documents.c.id))]
    for start in range(0, len(ids), MOST_ALIKE):
        pages = [page_of(layout=start, number=start)]
        truth = {name: f"{name.upper()}-{start}" for name in FIELDS}
        places = grounding_of(pages, truth, SCHEMA)
        lesson = builtin_model.remember(
            pages,
            SCHEMA,
            builtin_model.Placed(truth, places),
            builtin_model.Placed({}, {}),
            truth.__contains__,
        )
        stored = {path: memory.as_json() for path, memory in lesson.items()}
        signature = builtin_model.signature_of(pages)
        bands = builtin_model.bands_of(signature)
        async with database.write_org(organization_id) as tx:
            for document_id in ids[start : start + MOST_ALIKE]:
                await learning.keep(tx, prompt_id, document_id, signature, bands, stored, now())
        if start == 0:
            await database.refresh_statistics()  # without them SQLite forgets lessons by reading all of them
    await database.refresh_statistics()
    principal = Principal(new_id(), "Ada", "ada@example.com", Role.USER, Credential.SESSION)
    member = Member(principal, organization_id, Role.ADMIN)
    service = LearningService(database, JobService(database, 1, timedelta(minutes=1)))
    return {
        "added_ms": await _spent(service, member, prompt_id, in_rows=True),
        "added_to_other_models_ms": await _spent(service, member, prompt_id, in_rows=False),
    }


async def _spent(service: LearningService, member: Member, prompt_id: str, *, in_rows: bool) -> float:
    spent = []
    for number in range(TIMES):
        pages = [page_of(layout=MOST_ALIKE * (number % 5), number=10_000 + number)]
        if in_rows:
            builtin_model.fill(pages, SCHEMA)
        started = time.perf_counter()
        recalled = await service.recall(member, prompt_id, SCHEMA, pages)
        spent.append(1000 * (time.perf_counter() - started))
        assert len(recalled) == len(FIELDS)
    return median(spent)


def page_of(layout: int, number: int) -> Page:
    """A page of about 200 words, of which the layout's labels and prose are always the same."""
    dice = random.Random(layout)
    prose = ["".join(dice.choices("abcdefghij", k=7)) for _ in range(180)]
    texts = [f"{name} {prose[place]}: {name.upper()}-{number}" for place, name in enumerate(FIELDS)]
    texts += [" ".join(prose[start : start + 9]) for start in range(0, len(prose), 9)]
    lines = []
    for row, text in enumerate(texts):
        top, left, words = 0.03 + 0.03 * row, 0.1, []
        for part in text.split():
            words.append(Word(part, Box(left, top, left + 0.008 * len(part), top + 0.015)))
            left += 0.008 * len(part) + 0.006
        lines.append(Line(tuple(words)))
    return Page(1, 595, 842, tuple(lines))
