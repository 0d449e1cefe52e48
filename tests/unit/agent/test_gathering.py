"""What reaches those who watch: pieces of a reply at once, or gathered while the loop is behind, and calls to look."""

from __future__ import annotations

import asyncio

from docagent.domain.clock import now
from docagent.domain.turns.events import Delta, Recorded, StepStarted
from docagent.services.turns.live import Item, LiveTurns

FIRST, SECOND = Delta("text", "One", 1, "act"), Delta("text", " two", 1, "act")
EVENT = Recorded(2, now(), StepStarted(1))


async def taken(*items: Item, seconds_late: float) -> list[Item]:
    """What a watcher takes who wakes this late after the first item; the others come right after that."""
    clock = [0.0]
    live = LiveTurns(lambda: clock[0])
    live.begins("t", 1)
    with live.watching("t") as watcher:
        taking = asyncio.create_task(watcher.take(60))
        await asyncio.sleep(0)
        live.publish("t", items[0])
        clock[0] += seconds_late
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for item in items[1:]:
            live.publish("t", item)
        return [item for _, item in await taking]


async def test_a_piece_is_passed_on_at_once() -> None:
    assert await taken(FIRST, SECOND, seconds_late=0) == [FIRST]


async def test_pieces_are_gathered_when_the_loop_is_behind() -> None:
    assert await taken(FIRST, SECOND, seconds_late=0.05) == [FIRST, SECOND]


async def test_an_event_does_not_wait_even_then() -> None:
    assert await taken(EVENT, FIRST, seconds_late=0.05) == [EVENT]


async def test_a_piece_is_no_call_to_look_at_the_log() -> None:
    live = LiveTurns()
    with live.watching("t") as watcher:
        live.came("t", 1, FIRST)
        assert await watcher.take(60) == [(1, FIRST)]
        assert not watcher.was_called()
        live.came("t", 1, SECOND)
        live.wake("t")
        assert await watcher.take(60) == [(1, SECOND)]
        assert watcher.was_called()
        assert not watcher.was_called()


async def test_a_call_that_comes_while_nobody_waits_is_not_lost() -> None:
    live = LiveTurns()
    with live.watching("t") as watcher:
        live.wake("t")
        async with asyncio.timeout(30):
            assert await watcher.take(60) == []
        assert watcher.was_called()
