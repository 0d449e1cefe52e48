"""Tasks that run beside others, and how they come to an end."""

from __future__ import annotations

import asyncio
from typing import Any

SECONDS_UNTIL_ASKED_AGAIN = 3.0


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks, again and again, until each has ended. What they raised is left in them.

    One cancellation may be lost: `asyncio.wait_for` of Python 3.11 loses one that comes together with the answer,
    libraries use it, and an error while something is closed takes the place of the cancellation. A loop that
    survives errors would then run for ever.
    """
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=SECONDS_UNTIL_ASKED_AGAIN)
