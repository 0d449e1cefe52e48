"""However many jobs wait, a worker asks for as much as it takes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.deliveries.line import JOB, AloneOnTheLine, Listener
from docagent.domain.ids import new_id
from docagent.domain.jobs import JobKind, JobState
from docagent.services.jobs import JobService
from docagent.store.engine.database import Database, open_database
from docagent.store.tables import jobs
from tests.store.test_built_statements import new_organization
from tests.support.services.databases import EACH_DATABASE, Databases
from tests.support.statements import Asked, asked

LEASE = timedelta(seconds=30)
WAITING = 2000
TAKEN = 4
ROWS_SORTED_AT_ONCE = 33
"""PostgreSQL sorts what an index gives in its order by so many rows, for jobs that are due at the same moment."""


@dataclass
class Queue:
    db: Database
    url: str
    organization_id: str
    service: JobService

    async def fill(self, count: int, **values: Any) -> None:
        moment = now() - timedelta(hours=1)
        row = {
            "organization_id": self.organization_id,
            "kind": JobKind.READ_TEXT,
            "arguments": {},
            "state": JobState.QUEUED,
            "attempts": 0,
            "max_attempts": 3,
            "progress": 0,
            "created_at": moment,
        }
        rows = [
            {**row, "id": new_id(), "run_at": moment + timedelta(milliseconds=number), **values}
            for number in range(count)
        ]
        async with self.db.write_org(self.organization_id) as tx:
            await tx.execute(sa.insert(jobs), rows)

    async def states(self) -> dict[str, int]:
        async with self.db.read_org(self.organization_id) as tx:
            counted = sa.select(jobs.c.state, sa.func.count().label("jobs")).group_by(jobs.c.state)
            return {row.state: row.jobs for row in await tx.rows(counted)}


@pytest.fixture(params=EACH_DATABASE)
async def queue(request: pytest.FixtureRequest, databases: Databases) -> AsyncIterator[Queue]:
    url = await databases.new(request.param)
    db = open_database(url)
    yield Queue(db, url, await new_organization(db), JobService(db, max_attempts=3, lease=LEASE))
    await db.close()


async def test_a_look_asks_the_same_however_many_wait(queue: Queue) -> None:
    counts = []
    for more in (10, WAITING):
        await queue.fill(more)
        with asked() as statements:
            await queue.service.release_the_gone()
            assert await queue.service.has_due()
            assert len(await queue.service.claim("worker", TAKEN)) == TAKEN
        counts.append(len(statements))
    assert counts[0] == counts[1]
    assert 3 <= counts[0] <= 5
    assert await queue.states() == {"queued": WAITING + 10 - 2 * TAKEN, "running": 2 * TAKEN}


async def test_jobs_are_taken_in_the_order_in_which_they_are_due(queue: Queue) -> None:
    await queue.fill(20)
    first, second = await queue.service.claim("a", 5), await queue.service.claim("b", 5)
    moments = [job.run_at for job in [*first, *second]]
    assert moments == sorted(moments)
    assert len({job.id for job in [*first, *second]}) == 10


@pytest.mark.parametrize("queue", ["postgresql"], indirect=True)
async def test_a_claim_reads_as_many_rows_as_it_takes(queue: Queue) -> None:
    await queue.fill(WAITING)
    await queue.fill(WAITING, state=JobState.DONE, finished_at=now())
    plain = queue.url.replace("+asyncpg", "")
    connection: asyncpg.Connection[Any] = await asyncpg.connect(plain)
    try:
        await connection.execute("ANALYZE jobs")
        with asked() as statements:
            assert await queue.service.has_due()
            await queue.service.claim("worker", TAKEN)
        assert len(statements) == 3
        assert await most_rows(connection, statements) <= ROWS_SORTED_AT_ONCE + TAKEN
    finally:
        await connection.close()


async def most_rows(connection: asyncpg.Connection[Any], statements: Asked) -> float:
    """The most rows that a part of the statements' plans reads, if they run once more."""
    most = 0.0
    for sql, values in statements.statements:
        (plan,) = json.loads(await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", *values))
        for node in nodes(plan["Plan"]):
            most = max(most, node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
    return most


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", []):
        yield from nodes(inner)


class Heard(AloneOnTheLine):
    """A line that keeps what is said on it."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self.listeners: dict[str, Listener] = {}

    def hear(self, topic: str, listener: Listener) -> None:
        self.listeners[topic] = listener

    def say(self, topic: str, text: str) -> None:
        self.said.append((topic, text))


async def test_workers_of_all_processes_are_woken_after_the_commit(queue: Queue) -> None:
    line, woken = Heard(), []
    service = JobService(queue.db, max_attempts=3, lease=LEASE, line=line)
    service.on_wake(lambda: woken.append("here"))
    async with queue.db.write_org(queue.organization_id) as tx:
        await service.enqueue(tx, JobKind.READ_TEXT, None)
        assert (line.said, woken) == ([], [])
    assert (line.said, woken) == ([(JOB, "")], ["here"])
    line.listeners[JOB]("")
    assert woken == ["here", "here"]


async def test_jobs_that_a_lost_answer_left_with_a_worker_are_put_back(queue: Queue) -> None:
    await queue.fill(3)
    running, *_ = await queue.service.claim("worker", 3)
    await queue.service.put_back_all_but("worker", [running.id])
    assert await queue.states() == {"queued": 2, "running": 1}
