"""What works beside whatever serves callers: turns are looked after, and jobs are done where the settings say so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from docagent.bootstrap import Services
from docagent.domain.background import end
from docagent.worker.service import run_worker
from docagent.worker.turns import look_after_turns


@asynccontextmanager
async def at_work_beside(services: Services, if_one_ends: Callable[[], object]) -> AsyncIterator[None]:
    """Work while the block runs. Neither part ends by itself: if one does, it failed, and the block is told.

    Why it failed is raised at the end of the block.
    """
    parts = [asyncio.create_task(look_after_turns(services))]
    if services.settings.worker.embedded:
        parts.append(asyncio.create_task(run_worker(services)))
    for part in parts:
        part.add_done_callback(lambda _: if_one_ends())
    try:
        yield
    finally:
        await end(*parts)
        for part in parts:
            if not part.cancelled() and (error := part.exception()) is not None:
                raise error
