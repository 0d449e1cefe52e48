"""What works beside whatever serves callers: turns are looked after, and jobs are done where the settings say so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from docagent.bootstrap import Services
from docagent.domain.background import end
from docagent.store.engine.database import DATABASE_ERRORS
from docagent.worker.service import run_worker

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 1.0


async def look_after_turns(services: Services) -> None:
    """Recover such turns at once and then at intervals, until cancelled."""
    pause = min(services.turn_runner.lease.total_seconds() / 2, LONGEST_PAUSE_SECONDS)
    while True:
        try:
            await services.turn_runner.recover()
        except DATABASE_ERRORS:
            logger.exception("cannot look after turns")
        await asyncio.sleep(pause)


@asynccontextmanager
async def at_work_beside(services: Services, if_one_ends: Callable[[], object]) -> AsyncIterator[None]:
    """Work while the block runs. Neither part ends by itself: if one does, it failed, and the block gets its error.

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
