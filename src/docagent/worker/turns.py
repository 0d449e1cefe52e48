"""Looks after turns that nobody runs: those of a process that is gone, and those that waited too long."""

from __future__ import annotations

import asyncio
import logging

from docagent.bootstrap import Services
from docagent.store.engine.database import DATABASE_ERRORS

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
