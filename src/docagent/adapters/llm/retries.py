"""Trying again, where that may help: after overload and lost connections, while nothing was given yet."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from docagent.adapters.llm.errors import PassingError
from docagent.domain.llm import ModelError, ModelEvent

_RANDOM = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a call is tried again, and how long is waited before."""

    most: int = 3
    first_wait: float = 0.5
    longest_wait: float = 20.0
    """A provider that asks for a longer pause gets none: the error goes to the caller at once."""

    def wait(self, tried: int, error: ModelError) -> float | None:
        """Seconds to wait before the next try; None when there is to be none."""
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
                    given = True
                    yield event
                return
        except ModelError as error:
            wait = None if given else retries.wait(tried, error)
            if wait is None:
                raise
        tried += 1
        await asyncio.sleep(wait)
