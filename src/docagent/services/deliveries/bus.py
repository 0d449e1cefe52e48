"""The bus of a process: code that changes something announces it, code that wants to know subscribes.

async with db.write_org(organization_id) as tx:
    ...                                     # the change
    await bus.announce(tx, DocumentDeleted(...))

A recorder takes part in the transaction: what it writes is kept if and only if the change is. A subscriber is called
after the commit, in the order of the commits, in a task of its own: it delays nobody, and if it fails, the failure is
only logged. Each process publishes what it committed itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from docagent.domain import background
from docagent.domain.deliveries.notices import Notice, NoticeKind
from docagent.store.engine.database import OrgTx

logger = logging.getLogger(__name__)

Subscriber = Callable[[Notice], Coroutine[Any, Any, None]]
Recorder = Callable[[OrgTx, Notice], Awaitable[None]]

SECONDS_TO_FINISH = 5.0


class Bus:
    def __init__(self, seconds_to_finish: float = SECONDS_TO_FINISH) -> None:
        self._seconds_to_finish = seconds_to_finish
        self._recorders: list[Recorder] = []
        self._listeners: list[_Listener] = []

    def record(self, recorder: Recorder) -> None:
        """Add a recorder, which may write in the transaction of every announced change."""
        self._recorders.append(recorder)

    def subscribe(self, subscriber: Subscriber, *kinds: NoticeKind) -> None:
        """Call the subscriber for these kinds, or for all if none is named."""
        self._listeners.append(_Listener(subscriber, frozenset(kinds or NoticeKind)))

    async def announce(self, tx: OrgTx, notice: Notice) -> None:
        """Announce what the transaction does. Subscribers hear of it only if it commits."""
        for recorder in self._recorders:
            await recorder(tx, notice)
        if self._listeners:
            tx.after_commit(lambda: self.publish(notice))

    def publish(self, notice: Notice) -> None:
        """Tell the subscribers of this process about a change that is already committed."""
        for listener in self._listeners:
            if notice.kind in listener.kinds:
                listener.put(notice)

    async def close(self) -> None:
        """Give the subscribers a while to finish, then cancel those that have not."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds_to_finish):
                while tasks := self._tasks():
                    await asyncio.wait(tasks)
        await background.end(*self._tasks())

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [listener.task for listener in self._listeners if listener.task is not None]


class _Listener:
    """A subscriber and the notices that it has not heard yet. It has a task only while there are any."""

    def __init__(self, subscriber: Subscriber, kinds: frozenset[NoticeKind]) -> None:
        self.kinds = kinds
        self.task: asyncio.Task[None] | None = None
        self._subscriber = subscriber
        self._waiting: deque[Notice] = deque()

    def put(self, notice: Notice) -> None:
        self._waiting.append(notice)
        if self.task is None:
            self._start()

    def _start(self) -> None:
        self.task = asyncio.create_task(self._tell(), name="a subscriber of the bus")
        self.task.add_done_callback(self._ended)

    async def _tell(self) -> None:
        while self._waiting:
            await self._subscriber(self._waiting.popleft())

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Log a failure, which ended the task, and start a new task for the notices that still wait."""
        self.task = None
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            logger.error("a subscriber of the bus failed", exc_info=error)
        if self._waiting:
            self._start()
