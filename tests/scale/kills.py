"""Processes are killed at random moments, and restarted one after the other, while people work."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from tests.scale.deployment import Deployment, Node
from tests.scale.person import OVER, Person
from tests.scale.report import Report
from tests.support.made.documents import pdf
from tests.support.polling import let_time_pass, until

PAGES = 3
_HELD = """
SELECT id FROM turns WHERE state = 'running' AND lease_owner LIKE %s
UNION SELECT id FROM jobs WHERE state = 'running' AND lease_owner LIKE %s
"""


class Work:
    """What people do meanwhile: each turn makes a tag of its own, each document has three pages."""

    def __init__(self, person: Person, name: str) -> None:
        self._person = person
        self._name = name
        self._ends = asyncio.Event()
        self.turns: dict[str, str] = {}
        """The tag that each turn makes."""
        self.documents: list[str] = []

    @asynccontextmanager
    async def going_on(self, talkers: int) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            for number in range(talkers):
                group.create_task(self._talk(number))
            group.create_task(self._upload())
            try:
                yield
            finally:
                self._ends.set()

    async def _talk(self, number: int) -> None:
        done = 0
        while not self._ends.is_set():
            done += 1
            tag = f"{self._name} {number} {done}"
            turn = await self._person.begin(f"tag {tag}", auto_approve=True)
            self.turns[turn] = tag
            await self._person.until(turn, "completed")

    async def _upload(self) -> None:
        while not self._ends.is_set():
            content = pdf(*[[f"Page {number}"] for number in range(1, PAGES + 1)])
            self.documents.append(await self._person.upload(content, f"{self._name}.pdf"))
            await self._person.is_read(self.documents[-1])

    async def check(self, report: Report) -> None:
        """Every effect, event and charge exists once."""
        tags = Counter(await self._person.tags())
        for turn, tag in self.turns.items():
            log = await self._person.log(turn)
            kinds = Counter(event["type"] for event in log)
            results = [event["is_error"] for event in log if event["type"] == "tool_result"]
            report.check(
                [event["seq"] for event in log] == list(range(1, len(log) + 1)), f"the numbers of {turn}"
            )
            report.check(sum(kinds[kind] for kind in OVER) == 1, f"the ends of {turn}: {kinds}")
            report.check(results == [False], f"the results of {turn}: {results}")
            report.check(tags[tag] == 1, f"{tags[tag]} tags {tag}")
            report.check(kinds["assistant_message"] == kinds["usage"] == 2, f"the replies of {turn}: {kinds}")
        await self._check_documents(report)
        report.note(f"{self._name}: turns, documents", f"{len(self.turns)}, {len(self.documents)}")

    async def _check_documents(self, report: Report) -> None:
        rows = self._person.deployment.rows
        for document in self.documents:
            state = (await self._person.is_read(document))["state"]
            report.check(state == "ocr_completed", f"document {document} is {state}")
            pages = await rows("SELECT number FROM document_pages WHERE document_id = %s", document)
            report.check(
                sorted(row[0] for row in pages) == [*range(1, PAGES + 1)], f"pages of {document}: {pages}"
            )
            jobs = await rows("SELECT state FROM jobs WHERE subject_id = %s AND kind = 'read_text'", document)
            report.check(jobs == [("done",)], f"jobs of {document}: {jobs}")


async def prove(person: Person, report: Report, kills: int, talkers: int, seed: int) -> None:
    """Kill any process at any moment; the others take over what it did, and a new one takes its place."""
    deployment, chance = person.deployment, random.Random(seed)
    work = Work(person, "killed")
    async with work.going_on(talkers):
        for _ in range(kills):
            await let_time_pass(chance.uniform(0.2, 1.5))
            node = chance.choice(deployment.nodes)
            await deployment.kill(node)
            killed_at = monotonic()
            await asyncio.gather(
                _taken_over(deployment, node, killed_at, report), deployment.start(node.kind)
            )
    await work.check(report)
    report.note("kills", kills)


async def _taken_over(deployment: Deployment, node: Node, killed_at: float, report: Report) -> None:
    """Wait until others have what the dead process had."""
    mine = f"%.{node.process.pid}.%"
    held = await deployment.rows(_HELD, mine, mine)
    if not held:
        return

    async def is_free() -> bool:
        return not await deployment.rows(_HELD, mine, mine)

    await until(is_free)
    report.took(f"taken over from a killed {node.kind}", monotonic() - killed_at)


async def restart_all(person: Person, report: Report, talkers: int) -> None:
    """A rolling restart: each process is asked to end, and a new one is up before the next."""
    deployment = person.deployment
    person.answers.clear()
    work = Work(person, "restarted")
    async with work.going_on(talkers):
        for node in [*deployment.nodes]:
            begun = monotonic()
            status = await deployment.stop(node)
            report.took(f"a {node.kind} ends when asked to", monotonic() - begun)
            report.check(status == 0, f"a {node.kind} ended with {status}:\n{node.words()}")
            await deployment.start(node.kind)
    await work.check(report)
    strange = {status: count for status, count in person.answers.items() if status >= 500 and status != 503}
    report.check(not strange, f"answers during a rolling restart: {strange}")
