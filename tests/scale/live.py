"""What runs in one process is seen, approved, stopped, steered and answered in the other."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import datetime
from itertools import pairwise
from time import monotonic, time

from tests.scale.deployment import Node
from tests.scale.person import OVER, Person, Stream
from tests.scale.report import Report

LONG, WITHOUT_END = 60, 2000


async def prove(person: Person, report: Report) -> None:
    here, there = person.deployment.apis[:2]
    await _watch(person, report, here, there)
    await _approve(person, report, here, there)
    await _stop(person, report, here, there)
    await _steer(person, report, here, there)
    await _answer(person, report, here, there)
    await _pages(person, report, here, there)


async def _watch(person: Person, report: Report, here: Node, there: Node) -> None:
    turn = await person.begin(f"say live {LONG}", at=here)
    async with person.stream(there, f"/turns/{turn}/events") as seen:
        await seen.first(*OVER)
    log = await person.log(turn)
    numbers = [item["seq"] for _, item in seen.items if "seq" in item]
    report.check(numbers == [event["seq"] for event in log], f"seen elsewhere: {numbers} of {len(log)}")
    pieces = [(at, item["text"]) for at, item in seen.items if item["type"] == "text_delta"]
    text = "".join(piece for _, piece in pieces)
    whole = "".join(f"live.{number} " for number in range(LONG))
    report.check(whole.startswith(text) and len(text) > len(whole) / 2, f"pieces seen elsewhere: {text!r}")
    said_at = person.deployment.teller.said_at
    for at, piece in pieces:
        if piece.split() and piece.split()[-1] in said_at:
            report.took("a word, from the model to a viewer elsewhere", at - said_at[piece.split()[-1]])
    for (before, _), (after, _) in pairwise(pieces):
        report.took("silence between two pieces elsewhere", after - before)


async def _approve(person: Person, report: Report, here: Node, there: Node) -> None:
    async with AsyncExitStack() as open_streams:
        page = await open_streams.enter_async_context(person.stream(there, "/changes"))
        await page.first("hearing")
        turn = await person.begin("tag Approved elsewhere", at=here)
        seen = await open_streams.enter_async_context(person.stream(here, f"/turns/{turn}/events"))
        asked_at, _ = await seen.first("approval_requested")
        heard_at, _ = await page.first("inbox")
        report.took("the inbox hears of an approval elsewhere", heard_at - asked_at)
        body = {"turn_id": turn, "approvals": [{"call_id": "t", "approved": True}], "background": True}
        await person.once(there, "POST", f"{person.chat}/approve", body)
        _, end = await seen.first(*OVER)
    report.check(end["type"] == "completed", f"approved elsewhere: {end}")
    report.check((await person.tags()).count("Approved elsewhere") == 1, "the approved tag is not there once")


async def _stop(person: Person, report: Report, here: Node, there: Node) -> None:
    turn = await person.begin(f"say stopped {WITHOUT_END}", at=here)
    async with person.stream(here, f"/turns/{turn}/events") as seen:
        await seen.first("text_delta")
        begun = monotonic()
        await person.once(there, "POST", f"/turns/{turn}/stop")
        ended_at, end = await seen.first(*OVER)
    report.check(end["type"] == "stopped", f"stopped elsewhere: {end}")
    report.took("a stop elsewhere", ended_at - begun)


async def _steer(person: Person, report: Report, here: Node, there: Node) -> None:
    turn = await person.begin("say steered 20", at=here)
    async with person.stream(here, f"/turns/{turn}/events") as seen:
        await seen.first("text_delta")
        await person.once(there, "POST", f"/turns/{turn}/steer", {"text": "and something else"})
        _, end = await seen.first(*OVER)
    kinds = [event["type"] for event in await person.log(turn)]
    report.check((end["type"], kinds.count("steered")) == ("completed", 1), f"steered elsewhere: {kinds}")


async def _answer(person: Person, report: Report, here: Node, there: Node) -> None:
    turn = await person.begin("ask", at=here)
    async with person.stream(here, f"/turns/{turn}/events") as seen:
        await seen.first("input_requested")
        await person.until(turn, "awaiting_input")
        await person.once(there, "POST", f"/turns/{turn}/answer", {"text": "The first"})
        _, end = await seen.first(*OVER)
    kinds = [event["type"] for event in await person.log(turn)]
    report.check(
        (end["type"], kinds.count("input_given")) == ("completed", 1), f"answered elsewhere: {kinds}"
    )


async def _pages(person: Person, report: Report, here: Node, there: Node) -> None:
    """A worker reads a document that came in here, and a page there hears of each state."""
    async with person.stream(there, "/changes") as page:
        await page.first("hearing")
        document_id = await person.upload(b"Invoice 4712", "new.txt", at=here)
        await person.is_read(document_id)
        (done,) = await person.deployment.rows(
            "SELECT state_updated_at FROM documents WHERE id = %s", document_id
        )
        heard = await _heard_after(page, document_id, done[0])
    report.took("a page hears of a document that a worker has read", heard)


async def _heard_after(page: Stream, document_id: str, moment: datetime) -> float:
    """How long after the moment the page heard of the document."""
    offset = time() - monotonic()
    seen = 0
    while True:
        at, item = await page.first("document", after=seen)
        seen = page.items.index((at, item)) + 1
        late = at + offset - moment.timestamp()
        if item["id"] == document_id and late >= 0:
            return late
