"""The line on PostgreSQL: one connection a process, for LISTEN, NOTIFY and an advisory lock under the process's name.

The server frees the lock the moment the connection ends, so whoever finds it free knows that the process is gone.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

import asyncpg

from docagent.domain.background import end
from docagent.domain.deliveries.line import Listener, heard, on_the_line, process_name, spoken
from docagent.store.engine.postgres import KEEPALIVES

logger = logging.getLogger(__name__)

LOCKS = 0x0D0CA6E7
"""The first half of the key of every lock; the second is made of the process's name."""
FIRST_PAUSE, LONGEST_PAUSE = 0.3, 2.0
"""In seconds, between attempts to come back to the line. All are back before anybody is taken for gone."""
SECONDS_ABSENT = 1.0
"""How long a process must be away until it counts as gone: it may have lost this connection alone."""
SECONDS_TO_COME_BACK = 3.0
"""How long nobody is taken for gone after this process lost its own connection: the others lost theirs too."""
SECONDS_OF_SILENCE = 10.0
"""After so long something is said in any case, to find out whether the line is cut."""
MOST_UNSENT = 2000
TROUBLE = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_LOCK = "SELECT pg_try_advisory_lock($1, $2)"
_NOTIFY = "SELECT pg_notify(said.topic, said.text) FROM unnest($1::text[], $2::text[]) AS said(topic, text)"
_PRESENT = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    " AND classid = $1::bigint::oid AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class PostgresLine:
    def __init__(self, conninfo: str) -> None:
        self.name = process_name()
        self._conninfo = conninfo
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self._unsent: list[tuple[str, str]] = []
        self._work = asyncio.Event()
        self._connection: asyncpg.Connection[Any] | None = None
        self._alone = asyncio.Lock()
        self._judges_at = 0.0
        self._absent: dict[str, float] = {}
        """Since when processes are missed."""

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def hear(self, topic: str, listener: Listener) -> None:
        self._listeners[topic].append(listener)

    def say(self, topic: str, text: str) -> None:
        message = (topic, spoken(self.name, text))
        if len(self._unsent) < MOST_UNSENT and message not in self._unsent[-1:]:
            self._unsent.append(message)
            self._work.set()

    async def gone(self, names: Collection[str]) -> set[str]:
        if not names or self._connection is None or monotonic() < self._judges_at:
            return set()
        present = await self._present()
        if present is None:
            return set()
        absent = {name for name in on_the_line(names) if name != self.name and _key(name) not in present}
        self._absent = {name: since for name, since in self._absent.items() if _key(name) not in present}
        moment = monotonic()
        return {name for name in absent if moment - self._absent.setdefault(name, moment) >= SECONDS_ABSENT}

    async def others(self) -> int:
        return len(await self._present() or {_key(self.name)}) - 1

    async def _present(self) -> set[int] | None:
        """The keys of the processes on the line; None while this one is not on it."""
        if self._connection is None:
            return None
        try:
            async with self._alone:
                return {row[0] for row in await self._connection.fetch(_PRESENT, LOCKS)}
        except TROUBLE:
            return None

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Be on the line, and come back to it whenever it is cut."""
        connected = asyncio.Event()
        task = asyncio.create_task(self._stay(connected), name="the line between processes")
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_TO_COME_BACK):
                    await connected.wait()
            yield
        finally:
            await end(task)

    async def _stay(self, connected: asyncio.Event) -> None:
        pause = FIRST_PAUSE
        while True:
            began = monotonic()
            try:
                await self._connect_and_speak(connected)
            except TROUBLE as error:
                if monotonic() - began > LONGEST_PAUSE:
                    pause = FIRST_PAUSE
                if pause == FIRST_PAUSE:
                    logger.warning("the line between processes is cut: %s", error)
            self._judges_at = monotonic() + SECONDS_TO_COME_BACK
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _connect_and_speak(self, connected: asyncio.Event) -> None:
        connection = await asyncpg.connect(
            self._conninfo,
            timeout=SECONDS_OF_SILENCE,
            server_settings={"application_name": self.name[:60], **KEEPALIVES},
        )
        connection.add_termination_listener(lambda _: self._work.set())
        try:
            await connection.fetchval(_LOCK, LOCKS, _signed(_key(self.name)))
            for topic in self._listeners:
                await connection.add_listener(topic, self._heard)
            self._connection = connection
            connected.set()
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(SECONDS_OF_SILENCE):
                        await self._work.wait()
                self._work.clear()
                said, self._unsent = self._unsent, []
                topics, texts = [topic for topic, _ in said], [text for _, text in said]
                async with self._alone:
                    await connection.execute(_NOTIFY, topics, texts, timeout=SECONDS_OF_SILENCE)
        finally:
            self._connection = None
            connection.terminate()

    def _heard(self, _connection: object, _pid: int, topic: str, text: object) -> None:
        teller, words = heard(str(text))
        if teller != self.name:
            for listener in self._listeners[topic]:
                listener(words)


def _key(name: str) -> int:
    return zlib.crc32(name.encode())


def _signed(key: int) -> int:
    """The same 32 bits as PostgreSQL's integer."""
    return key - (1 << 32) if key >= 1 << 31 else key
