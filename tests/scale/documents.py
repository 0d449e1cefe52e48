"""Many documents through one worker and through two; and a worker that is killed in the middle of one."""

from __future__ import annotations

import asyncio
from time import monotonic

from tests.scale.person import Person
from tests.scale.report import Report
from tests.support.made.documents import scanned_pdf
from tests.support.polling import SECONDS

PAGES = 2
_HOW_FAR = (
    "SELECT d.pages_read, j.lease_owner FROM documents d JOIN jobs j ON j.subject_id = d.id WHERE d.id = %s"
)


async def prove(person: Person, report: Report, count: int) -> None:
    deployment = person.deployment
    seconds = {}
    for workers in (1, 2):
        while deployment.workers:
            await deployment.stop(deployment.workers[0])
        documents = [await _upload(person, f"{workers} {number}") for number in range(count)]
        begun = monotonic()
        await asyncio.gather(*(deployment.start("worker") for _ in range(workers)))
        await _all_read(person, documents)
        seconds[workers] = monotonic() - begun
        await _check(person, report, documents)
        report.note(f"{count} scans of {PAGES} pages, {workers} worker(s)", f"{seconds[workers]:.1f} s")
    report.note("speed-up of the second worker", f"{seconds[1] / seconds[2]:.2f}")
    await _kill_at_a_page(person, report)


async def _upload(person: Person, name: str) -> str:
    pages = [f"Page {number} of the scan {name}" for number in range(1, PAGES + 1)]
    return await person.upload(scanned_pdf(*pages), f"{name}.pdf")


async def _all_read(person: Person, documents: list[str]) -> None:
    """Asked of the database itself, so that the asking costs little."""
    async with asyncio.timeout(SECONDS + 10 * len(documents)):
        while True:
            (waiting,) = await person.deployment.rows(
                "SELECT count(*) FROM jobs WHERE subject_id = ANY(%s) AND state IN ('queued', 'running')",
                documents,
            )
            if not waiting[0]:
                return
            await asyncio.sleep(0.1)


async def _check(person: Person, report: Report, documents: list[str], tries: tuple[int, ...] = (1,)) -> None:
    rows = person.deployment.rows
    for document in documents:
        state = (await person.is_read(document))["state"]
        pages = await rows("SELECT number FROM document_pages WHERE document_id = %s", document)
        jobs = await rows("SELECT state, attempts FROM jobs WHERE subject_id = %s", document)
        report.check(state == "ocr_completed", f"document {document} is {state}")
        report.check(
            sorted(row[0] for row in pages) == [*range(1, PAGES + 1)], f"pages of {document}: {pages}"
        )
        report.check(len(jobs) == 1 and jobs[0][1] in tries, f"document {document} was begun twice: {jobs}")


async def _kill_at_a_page(person: Person, report: Report) -> None:
    """The worker that reads is killed after its first page; the other goes on with the second."""
    deployment = person.deployment
    document = await _upload(person, "killed at a page")
    async with asyncio.timeout(SECONDS):
        while True:
            found = await deployment.rows(_HOW_FAR, document)
            read, owner = found[0]
            if read or not owner:
                break
            await asyncio.sleep(0.01)
    for node in deployment.workers:
        if owner and f".{node.process.pid}." in owner:
            await deployment.kill(node)
            await deployment.start("worker")
    await _all_read(person, [document])
    await _check(person, report, [document], tries=(1, 2))
