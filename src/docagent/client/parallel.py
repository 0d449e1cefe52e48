"""Work on many things, a few at once, in both clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


class AsyncFew:
    """Does something with each item, so many at once, and yields each with its position as it ends."""

    def __init__(self, at_once: int) -> None:
        self._places = asyncio.Semaphore(at_once)

    async def each(
        self, work: Callable[[Item], Awaitable[Made]], items: Sequence[Item]
    ) -> AsyncGenerator[tuple[int, Made]]:
        async def one(at: int, item: Item) -> tuple[int, Made]:
            async with self._places:
                return at, await work(item)

        tasks = [asyncio.create_task(one(at, item)) for at, item in enumerate(items)]
        try:
            for task in asyncio.as_completed(tasks):
                yield await task
        finally:
            for waiting in tasks:
                waiting.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class Few:
    """The same without asyncio, in threads."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once

    def each(self, work: Callable[[Item], Made], items: Sequence[Item]) -> Iterator[tuple[int, Made]]:
        with ThreadPoolExecutor(self._at_once) as pool:
            tasks = {pool.submit(work, item): at for at, item in enumerate(items)}
            try:
                for task in as_completed(tasks):
                    yield tasks[task], task.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
