"""Repeatable requests: what a request makes is stored under its key, in the transaction that makes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.line import Line
from docagent.domain.errors import Conflict, DatabaseAway, Unprocessable
from docagent.domain.repeats import OTHER_REQUEST, STILL_RUNNING, Repeat
from docagent.store import repeats
from docagent.store.engine.database import Database, OrgTx

SECONDS_FOR_THE_FIRST = 30.0
"""How long a repetition waits for the first request, which makes nothing before its end."""
SECONDS_BETWEEN_LOOKS = 0.2

T = TypeVar("T")
Made = Mapping[str, Any]


class AlreadyMade(Exception):
    """Another request with the same key was faster; what this one did is rolled back."""


async def keep(tx: OrgTx, repeat: Repeat | None, made: Made) -> None:
    """Store what a request made, with its effect. Raises AlreadyMade, so that the effect is not kept twice."""
    if repeat is not None and not await repeats.keep(tx, repeat, now(), made=made):
        raise AlreadyMade


async def once(
    db: Database,
    member: Member,
    repeat: Repeat | None,
    do: Callable[[], Awaitable[T]],
    again: Callable[[Made], Awaitable[T]],
) -> T:
    """Do what was asked, or, if a request with the same key has done it, return what that one made."""
    while True:
        made = None if repeat is None else await made_before(db, member, repeat)
        if made is not None:
            return await again(made)
        with suppress(AlreadyMade):
            return await do()


async def made_before(db: Database, member: Member, repeat: Repeat) -> Made | None:
    """What an earlier request with the key made; None if there was none, or it still runs."""
    async with db.read_org(member.organization_id) as tx:
        kept = await repeats.get(tx, repeat)
    if kept is not None and kept.request != repeat.request:
        raise Unprocessable(OTHER_REQUEST, ("header", "Idempotency-Key"))
    return None if kept is None else kept.made


class LongRequests:
    """Requests whose effect comes long after their begin: while one runs, its repetitions wait for it."""

    def __init__(self, db: Database, line: Line) -> None:
        self._db = db
        self._line = line
        self._running: set[tuple[str, Repeat]] = set()

    async def once(
        self,
        member: Member,
        repeat: Repeat | None,
        do: Callable[[], Awaitable[T]],
        again: Callable[[Made], Awaitable[T]],
    ) -> T:
        """Do what was asked, once at a time. Raises Conflict if the first request with the key takes too long."""
        if repeat is None:
            return await do()
        deadline = asyncio.get_running_loop().time() + SECONDS_FOR_THE_FIRST
        while not await self._claim(member, repeat):
            if (made := await made_before(self._db, member, repeat)) is not None:
                return await again(made)
            if asyncio.get_running_loop().time() > deadline:
                raise Conflict(STILL_RUNNING)
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        running = (member.organization_id, repeat)
        self._running.add(running)
        try:
            return await do()
        finally:
            self._running.discard(running)
            with suppress(DatabaseAway):
                await asyncio.shield(self._let_go(member, repeat, self._line.name))

    async def _claim(self, member: Member, repeat: Repeat) -> bool:
        """Begin the request, unless another one with its key has made something or runs."""
        async with self._db.write_org(member.organization_id) as tx:
            kept = await repeats.get(tx, repeat)
            if kept is not None:
                is_same = kept.request == repeat.request and kept.made is None
                if not is_same or await self._runs(member, repeat, kept.owner):
                    return False
                await repeats.let_go(tx, repeat, kept.owner)
            return await repeats.keep(tx, repeat, now(), made=None, owner=self._line.name)

    async def _runs(self, member: Member, repeat: Repeat, owner: str | None) -> bool:
        if owner == self._line.name:
            return (member.organization_id, repeat) in self._running
        return owner is not None and not await self._line.gone({owner})

    async def _let_go(self, member: Member, repeat: Repeat, owner: str) -> None:
        """Let others begin the request if it made nothing. What was made stays."""
        async with self._db.write_org(member.organization_id) as tx:
            await repeats.let_go(tx, repeat, owner)
