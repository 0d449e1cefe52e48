"""Speaking to a turn that runs, and stopping one: at once, or because its client went away."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from docagent.agent.loop import kept
from docagent.agent.strategies.registry import CALL
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, NotFound
from docagent.domain.repeats import Repeat
from docagent.domain.turns.events import Steered, Stopped
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.repeats import keep
from docagent.services.turns.own import own_turn
from docagent.services.turns.runner import TurnRunner
from docagent.store.engine.database import Database
from docagent.store.turns import turns


class TurnSteering:
    def __init__(self, db: Database, runner: TurnRunner) -> None:
        self._db = db
        self._runner = runner

    async def steer(self, member: Member, turn_id: str, text: str, repeat: Repeat | None = None) -> Turn:
        """Send a message to a running turn, which takes it in at its next step and does not end before that."""
        turn = await own_turn(self._db, member, turn_id)
        if turn.strategy == CALL:
            raise Conflict(
                "This turn is one call of a program: no model listens. Stop it, or send a message."
            )
        async with self._db.write_org(member.organization_id) as tx:
            current = await turns.get(tx, turn.id, lock=True)
            if current is not None and current.state.is_waiting:
                raise Conflict(
                    "The agent waits for you. Decide, answer its question, or stop the turn first."
                )
            if current is None or current.state is not TurnState.RUNNING:
                raise Conflict("The agent is not running. Send a new message instead.")
            await turns.add_signal(tx, turn.id, Steered(text, member.user_id), now())
            await keep(tx, repeat, {"turn_id": turn.id, "last_seq": turn.last_seq})
        return current

    async def stop(self, member: Member, turn_id: str) -> Turn:
        """Stop a turn at once. A turn that is over stays as it is."""
        turn = await own_turn(self._db, member, turn_id)
        if turn.state.is_over:
            return turn
        # A run that begins to wait or continues at this moment finds the request with its next commit.
        async with self._db.write_org(member.organization_id) as tx:
            await turns.request_stop(tx, turn.id, member.user_id)
        if self._runner.stop(turn.id, member.user_id):
            await self._runner.wait(turn.id)
        await self._runner.end_waiting(
            turn.organization_id, turn.id, lambda view: [Stopped("user", member.user_id, kept(view))]
        )
        return await own_turn(self._db, member, turn_id)


GRACE_SECONDS = 2.0
"""How long a client that lost its connection has to come back."""


class TurnLeaving:
    """For clients that ask for a plain stream and go away: the turn stops, as DocRouter's clients mean it."""

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
