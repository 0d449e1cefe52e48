"""Many things, a few at once: never more than that, each with its position, and none after somebody stopped reading."""

from __future__ import annotations

import asyncio
import threading

from docagent.client.parallel import AsyncFew, Few

AT_ONCE, ITEMS = 2, range(9)


class Counted:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = self.most = self.begun = 0

    def __enter__(self) -> None:
        with self._lock:
            self.begun += 1
            self._running += 1
            self.most = max(self.most, self._running)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._running -= 1


async def test_so_many_at_once_with_asyncio() -> None:
    counted = Counted()

    async def work(item: int) -> int:
        with counted:
            for _ in range(5):
                await asyncio.sleep(0)
            return item * 10

    found = {at: made async for at, made in AsyncFew(AT_ONCE).each(work, ITEMS)}
    assert found == {item: item * 10 for item in ITEMS}
    assert (counted.most, counted.begun) == (AT_ONCE, len(ITEMS))


def test_so_many_at_once_in_threads() -> None:
    counted, both = Counted(), threading.Barrier(AT_ONCE)

    def work(item: int) -> int:
        with counted:
            if item < AT_ONCE:
                both.wait()  # so that there are two at once
            return item * 10

    assert dict(Few(AT_ONCE).each(work, ITEMS)) == {item: item * 10 for item in ITEMS}
    assert (counted.most, counted.begun) == (AT_ONCE, len(ITEMS))


async def test_nothing_more_begins_once_nobody_reads_on() -> None:
    counted, never = Counted(), asyncio.Event()

    async def work(item: int) -> int:
        with counted:
            if item:
                await never.wait()
            return item

    reading = AsyncFew(AT_ONCE).each(work, ITEMS)
    await anext(reading)
    await reading.aclose()
    assert counted.begun <= AT_ONCE + 1
