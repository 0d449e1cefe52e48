"""Tells open pages what changed, whichever process changed it: states of documents, and what waits for a person.

It is told after the commit and may be lost with a process, so pages also look by themselves now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import InitVar, dataclass, field

from docagent.domain.accounts.accounts import Member
from docagent.domain.deliveries.changes import Change
from docagent.domain.deliveries.line import CHANGED, Line
from docagent.services.accounts.open_streams import HEARTBEAT_SECONDS, OpenStreams
from docagent.store.engine.database import Database

SECONDS_GATHERED = 0.05


@dataclass(frozen=True, slots=True)
class News:
    """What changed since the last news. Empty now and then, to say that the connection lives."""

    changes: tuple[Change, ...]
    hears_all: bool
    """Whether changes of all processes are heard now. Otherwise a page has to look more often."""


@dataclass(eq=False, slots=True)
class _Page:
    member: Member
    changes: dict[Change, None] = field(default_factory=dict)
    woken: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class LiveChanges:
    db: InitVar[Database]
    _line: Line
    hears_all: Callable[[], bool]
    _streams: OpenStreams
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    _pages: dict[str, set[_Page]] = field(default_factory=dict, init=False)
    _is_closed: bool = field(default=False, init=False)

    def __post_init__(self, db: Database) -> None:
        db.on_change(self._committed)
        self._line.hear(CHANGED, self._heard)

    async def watch(self, member: Member) -> AsyncGenerator[News]:
        """Yield news until the process ends. Raises Forbidden when the member has left the organisation, and
        Unauthenticated when their token or session is gone."""
        page, organization_id, seconds = _Page(member), member.organization_id, self.heartbeat_seconds
        pages = self._pages.setdefault(organization_id, set())
        pages.add(page)
        try:
            with self._streams.open(member.principal, organization_id, seconds, page.woken.set) as stream:
                yield News((), self.hears_all())
                while not self._is_closed:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(seconds):
                            await page.woken.wait()
                            await asyncio.sleep(SECONDS_GATHERED)
                    page.woken.clear()
                    changes, page.changes = page.changes, {}
                    await stream.check()
                    yield News(tuple(changes), self.hears_all())
        finally:
            pages.discard(page)
            if not pages:
                self._pages.pop(organization_id, None)

    def close(self) -> None:
        """End all streams, so that the process can end and the pages find another."""
        self._is_closed = True
        for pages in self._pages.values():
            for page in pages:
                page.woken.set()

    def _committed(self, change: Change) -> None:
        self._show(change)
        self._line.say(CHANGED, change.as_text())

    def _heard(self, text: str) -> None:
        if (change := Change.of_text(text)) is not None:
            self._show(change)

    def _show(self, change: Change) -> None:
        for page in self._pages.get(change.organization_id, ()):
            if change.concerns(page.member.user_id):
                page.changes[change] = None
                page.woken.set()
