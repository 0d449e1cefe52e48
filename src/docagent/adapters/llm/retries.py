"""Tries a call again where that may help: after overload or a lost connection, and before any text or thinking."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from docagent.adapters.llm.errors import PassingError
from docagent.domain.models.llm import CallDelta, ModelError, ModelEvent

_RANDOM = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a failed call is tried again, and how long to wait before each try."""

    most: int = 3
    first_wait: float = 0.5
    longest_wait: float = 20.0
    """If a provider asks for a longer pause, the error goes to the caller at once."""

    def wait(self, tried: int, error: ModelError) -> float | None:
        """Return the seconds to wait before the next try, or None to give up."""
        if tried >= self.most or not isinstance(error, PassingError):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_wait else None
        longest = min(self.longest_wait, self.first_wait * 2**tried)
        return _RANDOM.uniform(longest / 2, longest)


async def with_retries(
    attempt: Callable[[], AsyncGenerator[ModelEvent]], retries: Retries
) -> AsyncGenerator[ModelEvent]:
    tried = 0
    while True:
        given = False
        try:
            async with aclosing(attempt()) as events:
                async for event in events:
                    # A call that begins again takes the place of what was shown of it.
                    given = given or not isinstance(event, CallDelta)
                    yield event
                return
        except ModelError as error:
            wait = None if given else retries.wait(tried, error)
            if wait is None:
                raise
        tried += 1
        await asyncio.sleep(wait)
