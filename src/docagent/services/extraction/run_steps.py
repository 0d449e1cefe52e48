"""What runs over many documents share: a step deals with a few at once, and what comes of each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from docagent.domain.clock import now
from docagent.domain.documents.documents import Document
from docagent.domain.errors import DatabaseAway, DocAgentError, InsufficientCredits
from docagent.domain.jobs import Job
from docagent.store import jobs
from docagent.store.engine.database import OrgTx

DOCUMENTS_AT_ONCE = 4
"""A step of a run. Between two steps others get their turn in the queue."""
WAIT_FOR_CREDITS = timedelta(minutes=1)
MOST_FAILED_IN_A_ROW = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    document: Document
    failure: str | None = None
    unpaid: str | None = None
    """What is said about credits that do not suffice."""


async def outcome_of(document: Document, work: Callable[[], Awaitable[object]]) -> Outcome:
    """Do the work on one document. Whatever fails but the database is an outcome."""
    try:
        await work()
    except DatabaseAway:
        raise
    except InsufficientCredits as error:
        return Outcome(document, unpaid=error.detail)
    except DocAgentError as error:
        return Outcome(document, failure=f"{document.name}: {error.detail}")
    return Outcome(document)


async def all_outcomes(work: Sequence[Awaitable[Outcome]]) -> list[Outcome]:
    """Wait for all of a step, so that nothing continues after an error, and then raise it."""
    outcomes: list[Outcome] = []
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
        outcomes.append(outcome)
    return outcomes


async def next_step(
    tx: OrgTx, job: Job, arguments: dict[str, Any], progress: int, unpaid: str | None
) -> None:
    """Queue the next step, which waits for credits if something could not be paid for."""
    run_at = now() + (WAIT_FOR_CREDITS if unpaid else timedelta(0))
    await jobs.go_on(tx, job, arguments=arguments, progress=progress, run_at=run_at, error=unpaid)


def unpaid_of(outcomes: Sequence[Outcome]) -> str | None:
    return next((outcome.unpaid for outcome in outcomes if outcome.unpaid), None)
