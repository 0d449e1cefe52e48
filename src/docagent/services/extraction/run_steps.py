"""What runs over many documents share: a step deals with a few at once, and what comes of each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from docagent.domain.documents.documents import Document
from docagent.domain.errors import DatabaseAway, DocAgentError, InsufficientCredits

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
    """Wait for all of a step, so that nothing goes on behind an error, and then raise it."""
    outcomes: list[Outcome] = []
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
        outcomes.append(outcome)
    return outcomes


def unpaid_of(outcomes: Sequence[Outcome]) -> str | None:
    return next((outcome.unpaid for outcome in outcomes if outcome.unpaid), None)
