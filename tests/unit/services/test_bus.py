"""The bus: in order, to those who asked, and whoever fails hurts nobody."""

from __future__ import annotations

import asyncio
import logging

import pytest

from docagent.domain.clock import now
from docagent.domain.deliveries.notices import DocumentDeleted, DocumentRead, Notice, NoticeKind
from docagent.services.deliveries.bus import Bus


def deleted(number: int) -> DocumentDeleted:
    return DocumentDeleted("org", now(), f"document {number}", "user")


def read(number: int) -> DocumentRead:
    return DocumentRead("org", now(), f"document {number}", "a.pdf", 1)


class Listener:
    def __init__(self, fails_on: int | None = None) -> None:
        self.heard: list[Notice] = []
        self._fails_on = fails_on

    async def hear(self, notice: Notice) -> None:
        await asyncio.sleep(0)
        self.heard.append(notice)
        if len(self.heard) == self._fails_on:
            raise RuntimeError("a broken subscriber")


async def test_subscribers_hear_what_they_asked_for_in_order() -> None:
    bus, everything, deletions = Bus(), Listener(), Listener()
    bus.subscribe(everything.hear)
    bus.subscribe(deletions.hear, NoticeKind.DOCUMENT_DELETED)
    told: list[Notice] = [deleted(1), read(2), deleted(3)]
    for notice in told:
        bus.publish(notice)
    assert everything.heard == [], "whoever publishes does not wait"
    await bus.close()
    assert everything.heard == told
    assert deletions.heard == [told[0], told[2]]


async def test_a_subscriber_that_fails_misses_nothing_later_and_hurts_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bus, broken, whole = Bus(), Listener(fails_on=1), Listener()
    bus.subscribe(broken.hear)
    bus.subscribe(whole.hear)
    told = [deleted(number) for number in range(3)]
    with caplog.at_level(logging.ERROR):
        for notice in told:
            bus.publish(notice)
        await bus.close()
    assert broken.heard == whole.heard == told
    assert "a broken subscriber" in caplog.text


async def test_closing_ends_a_subscriber_that_hangs() -> None:
    bus, ended = Bus(seconds_to_finish=0.05), asyncio.Event()

    async def hang(notice: Notice) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    bus.subscribe(hang)
    bus.publish(deleted(1))
    await bus.close()
    assert ended.is_set()
