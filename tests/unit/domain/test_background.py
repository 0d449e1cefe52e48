"""Tasks that run beside others come to an end."""

from __future__ import annotations

import asyncio

from docagent.domain.background import end


class Deaf:
    """Goes on as often as told when it is cancelled, as a library does that loses a cancellation."""

    def __init__(self, times: int) -> None:
        self.left = times

    async def run(self) -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if not self.left:
                    raise
                self.left -= 1


async def _fail() -> None:
    raise ValueError("why")


async def test_a_task_that_loses_its_cancellation_is_cancelled_again() -> None:
    deaf = [Deaf(times) for times in (0, 1)]
    tasks = [asyncio.create_task(one.run()) for one in deaf]
    await asyncio.sleep(0)
    await end(*tasks)
    assert all(task.cancelled() for task in tasks)
    assert [one.left for one in deaf] == [0, 0]


async def test_what_a_task_raised_is_left_in_it() -> None:
    failed = asyncio.create_task(_fail())
    await asyncio.wait({failed})
    await end(failed)
    assert str(failed.exception()) == "why"
    await end()
