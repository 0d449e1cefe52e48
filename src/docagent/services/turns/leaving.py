"""Clients that ask for a plain stream and go away: the turn stops, as DocRouter's clients mean it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import NotFound
from docagent.services.turns.own import own_turn
from docagent.services.turns.steering import TurnSteering
from docagent.store.engine.database import Database
from docagent.store.turns import turns

GRACE_SECONDS = 2.0
"""How long a client that lost its connection has to come back."""


class TurnLeaving:
    def __init__(self, db: Database, steering: TurnSteering, grace_seconds: float = GRACE_SECONDS) -> None:
        self._db = db
        self._steering = steering
        self._grace_seconds = grace_seconds

    async def left(self, member: Member, turn_id: str) -> None:
        """Wait a moment, then stop the turn, unless someone watches it, steers it or decides in it by then.

        The row says that the client is gone, so any process may be the one to which it comes back.
        """
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            await turns.set_deserted(tx, turn_id, moment)
        await asyncio.sleep(self._grace_seconds)
        with suppress(NotFound):
            turn = await own_turn(self._db, member, turn_id)
            if turn.deserted_at == moment:
                await self._steering.stop(member, turn_id)
