"""PostgreSQL and S3 go away and come back."""

from __future__ import annotations

import asyncio
from collections import Counter
from time import monotonic

import aiohttp

from tests.scale.deployment import Node
from tests.scale.kills import Work
from tests.scale.person import OVER, Gone, Person
from tests.scale.report import Report
from tests.support.polling import let_time_pass, until


async def prove(person: Person, report: Report, seconds: float) -> None:
    await _postgres(person, report, seconds)
    await _s3(person, report, seconds)


async def _postgres(person: Person, report: Report, seconds: float) -> None:
    here, there = person.deployment.apis[:2]
    line, work = person.deployment.postgres_line, Work(person, "outlived")
    words = round(seconds / 0.05) + 20
    turn = await person.begin(f"say outlived {words}", at=here)
    async with (
        work.going_on(1),
        person.stream(here, f"/turns/{turn}/events") as seen,
        person.stream(there, f"/turns/{turn}/events") as elsewhere,
    ):
        await elsewhere.first("text_delta")
        line.cut()
        answers = await _asked(here, person, seconds)
        report.check(await _status(here, "/ready") == 503, "/ready says nothing of a database that is away")
        line.mend()
        begun = monotonic()
        await _is_ready(here)
        report.took("ready after PostgreSQL is back", monotonic() - begun)
        for stream in (seen, elsewhere):
            _, end = await stream.first(*OVER)
            report.check(end["type"] == "completed", f"a turn while PostgreSQL was away: {end}")
        report.took("a turn goes on after PostgreSQL is back", monotonic() - begun)
    report.check(set(answers) == {503}, f"answers while PostgreSQL was away: {answers}")
    report.note("answers while PostgreSQL was away", dict(answers))
    await work.check(report)


async def _s3(person: Person, report: Report, seconds: float) -> None:
    here = person.deployment.apis[0]
    person.deployment.s3_line.cut()
    report.check(await _status(here, "/ready") == 503, "/ready says nothing of a file store that is away")
    try:
        await person.upload(b"Away", "away.txt", at=here)
        report.check(False, "an upload was taken while S3 was away")
    except Gone:
        pass
    await let_time_pass(seconds)
    person.deployment.s3_line.mend()
    await _is_ready(here)
    document = await person.is_read(await person.upload(b"Back", "back.txt", at=here))
    report.check(document["state"] == "ocr_completed", f"after S3 came back: {document['state']}")


async def _asked(node: Node, person: Person, seconds: float) -> Counter[int]:
    """The statuses of reads and writes for so long. A 503 counts only with its Retry-After."""
    answers: Counter[int] = Counter()
    base = f"{node.url}/v0/orgs/{person.organization_id}"
    headers = {"Authorization": f"Bearer {person.token}"}
    until = monotonic() + seconds
    while monotonic() < until:
        for method, path in (
            ("GET", "/tags"),
            ("GET", "/documents"),
            ("POST", "/tags"),
            ("GET", "/approvals"),
        ):
            body = {"name": "While away", "color": "#112233"} if method == "POST" else None
            async with person.client.request(method, base + path, json=body, headers=headers) as answer:
                answers[answer.status if "Retry-After" in answer.headers else -answer.status] += 1
        await asyncio.sleep(0.05)
    return answers


async def _status(node: Node, path: str) -> int:
    async with aiohttp.ClientSession() as client, client.get(node.url + path) as answer:
        return answer.status


async def _is_ready(node: Node) -> None:
    async def is_ready() -> bool:
        return await _status(node, "/ready") == 200

    await until(is_ready)


async def wrong_secret(person: Person, report: Report) -> None:
    """A process that was given another secret does not start, and says what to copy."""
    status, told = await person.deployment.refused(
        DOCAGENT_AUTH__SECRET="another secret than the others have"
    )
    report.check(
        status == 2 and "Copy DOCAGENT_AUTH__SECRET" in told, f"a wrong secret: {status}, {told[-500:]}"
    )
