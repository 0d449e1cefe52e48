"""Streams and sockets that are open, and what ends with a credential: they, and the turns that run with it.

Whoever is told of a revocation ends at once; clocks find what has expired, or was revoked while the line was cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from docagent.domain.accounts.accounts import CREDENTIAL_GONE, NO_MEMBER_ANY_MORE, Principal
from docagent.domain.clock import now
from docagent.domain.deliveries.line import Line
from docagent.domain.errors import DatabaseAway, Forbidden, Unauthenticated
from docagent.domain.ids import new_id
from docagent.store.accounts import credentials
from docagent.store.engine.database import Database, Tx
from docagent.store.turns import turns

REVOKED, CLOSED = "docagent_revoked", "docagent_closed"
HEARTBEAT_SECONDS = 15.0
"""How often a stream in which nothing happens says so, and how often it asks whether it may stay open."""
SECONDS_FOR_ANSWERS = 1.0
"""How long to wait until other processes have said how many streams they close."""
MOST_IN_A_MESSAGE = 200
"""Ids of credentials, so that a message stays below PostgreSQL's 8,000 bytes."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a revocation has ended."""

    turns: int = 0
    streams: int = 0


@dataclass(eq=False)
class OpenStream:
    """One stream or socket. `principal` may be replaced by another that the same client showed."""

    _db: Database
    principal: Principal
    _organization_id: str | None
    _seconds: float
    _wake: Callable[[], None]

    def __post_init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._due_at = self._clock() + self._seconds
        self._called = asyncio.Event()

    def call(self) -> None:
        """Let the stream find out that its credential is gone."""
        self._due_at = 0.0
        self._called.set()
        self._wake()

    async def check(self) -> None:
        """Raises Forbidden if the member has left, Unauthenticated if the credential is gone. Asks when it is due."""
        if self._clock() < self._due_at:
            return
        self._due_at = self._clock() + self._seconds
        with suppress(DatabaseAway):
            async with self._db.read() as tx:
                caller = self.principal
                role, opens = await credentials.standing(
                    tx, caller.user_id, caller.credential_id, self._organization_id, now()
                )
            if self._organization_id is not None and role is None:
                raise Forbidden(NO_MEMBER_ANY_MORE)
            if not opens:
                raise Unauthenticated(CREDENTIAL_GONE)

    async def lost(self) -> Forbidden | Unauthenticated:
        """Wait until the stream may no longer be open. Returns why."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._due_at):
                    await self._called.wait()
            self._called.clear()
            try:
                await self.check()
            except (Forbidden, Unauthenticated) as error:
                return error


@dataclass(eq=False, slots=True)
class Revocation:
    """Credentials that a transaction takes away."""

    credential_ids: Sequence[str]
    turn_ids: Sequence[str]
    id: str = field(default_factory=new_id)
    streams: int = 0
    answers: int = 0
    answered: asyncio.Event = field(default_factory=asyncio.Event)


class OpenStreams:
    def __init__(self, db: Database, line: Line) -> None:
        self._db = db
        self._line = line
        self._open: set[OpenStream] = set()
        self._turn_listeners: list[Callable[[str], None]] = []
        self._awaited: dict[str, Revocation] = {}
        line.hear(REVOKED, self._revoked_elsewhere)
        line.hear(CLOSED, self._closed_elsewhere)

    def on_turn(self, listener: Callable[[str], None]) -> None:
        """Call the listener with turns whose credential this process revoked. Other processes hear it by the turn."""
        self._turn_listeners.append(listener)

    @contextmanager
    def open(
        self,
        principal: Principal,
        organization_id: str | None,
        seconds: float = HEARTBEAT_SECONDS,
        wake: Callable[[], None] = lambda: None,
    ) -> Iterator[OpenStream]:
        """Note that a stream is open. `wake` lets it call `check`, which it also does every so many seconds."""
        stream = OpenStream(self._db, principal, organization_id, seconds, wake)
        self._open.add(stream)
        try:
            yield stream
        finally:
            self._open.discard(stream)

    async def revoke(self, tx: Tx, credential_ids: Sequence[str]) -> Revocation:
        """End the turns that run with these credentials, which the transaction deletes, and then the streams."""
        turn_ids = await turns.revoke(tx, credential_ids) if credential_ids else []
        revocation = Revocation(credential_ids, turn_ids)
        tx.after_commit(lambda: self._tell(revocation))
        return revocation

    async def stopped(self, revocation: Revocation) -> Stopped:
        """What ended with the credentials, in all processes that can be heard."""
        self._awaited[revocation.id] = revocation
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_FOR_ANSWERS):
                    others = await self._line.others()
                    while revocation.answers < others * len(_messages(revocation)):
                        await revocation.answered.wait()
                        revocation.answered.clear()
        finally:
            del self._awaited[revocation.id]
        return Stopped(len(revocation.turn_ids), revocation.streams)

    def _tell(self, revocation: Revocation) -> None:
        for turn_id in revocation.turn_ids:
            for listener in self._turn_listeners:
                listener(turn_id)
        revocation.streams += self._call(revocation.credential_ids)
        for message in _messages(revocation):
            self._line.say(REVOKED, message)

    def _call(self, credential_ids: Sequence[str]) -> int:
        gone = set(credential_ids)
        called = [stream for stream in self._open if stream.principal.credential_id in gone]
        for stream in called:
            stream.call()
        return len(called)

    def _revoked_elsewhere(self, text: str) -> None:
        revocation_id, *credential_ids = text.split()
        self._line.say(CLOSED, f"{revocation_id} {self._call(credential_ids)}")

    def _closed_elsewhere(self, text: str) -> None:
        revocation_id, streams = text.split()
        if (revocation := self._awaited.get(revocation_id)) is not None:
            revocation.streams += int(streams)
            revocation.answers += 1
            revocation.answered.set()


def _messages(revocation: Revocation) -> list[str]:
    ids = revocation.credential_ids
    return [
        " ".join((revocation.id, *ids[start : start + MOST_IN_A_MESSAGE]))
        for start in range(0, len(ids), MOST_IN_A_MESSAGE)
    ]
