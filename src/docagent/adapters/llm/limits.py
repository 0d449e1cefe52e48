"""Limits how many calls run at once, for each provider and each organisation. Other calls wait in line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class CallLimits:
    """Places for calls, first come, first served. Cancelling a wait gives up the place in the line.

    A call takes its organisation's place first. So a busy organisation queues behind its own calls and never
    fills the provider's line.
    """

    def __init__(self, per_provider: int, per_organization: int) -> None:
        self._per_provider = per_provider
        self._per_organization = per_organization
        self._providers: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._organizations: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, provider: str, organization_id: str) -> AsyncIterator[None]:
        of_organization = _places(self._organizations, organization_id, self._per_organization)
        of_provider = _places(self._providers, provider, self._per_provider)
        async with of_organization, of_provider:
            yield


def _places(known: WeakValueDictionary[str, asyncio.Semaphore], name: str, count: int) -> asyncio.Semaphore:
    """Return the places of one name. They are forgotten once nobody holds or waits for one."""
    places = known.get(name)
    if places is None:
        places = known[name] = asyncio.Semaphore(count)
    return places
