"""Finds the caller's own turns. Somebody else's turn is answered like one that does not exist."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from docagent.agent.state import TurnView
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import NotFound
from docagent.domain.repeats import Repeat
from docagent.domain.turns.turns import Subject, Turn
from docagent.services.repeats import Made, once
from docagent.store.engine.database import Database
from docagent.store.turns import turns

NO_TURN = "Turn expired or not found"


async def own_turn(db: Database, member: Member, turn_id: str) -> Turn:
    async with db.read_org(member.organization_id) as tx:
        return _owned(member, await turns.get(tx, turn_id))


async def turn_made(db: Database, member: Member, made: Made) -> Turn:
    """The turn that a request made or continued, with the number that its log had then."""
    return replace(await own_turn(db, member, made["turn_id"]), last_seq=made["last_seq"])


async def turn_once(
    db: Database, member: Member, repeat: Repeat | None, begin: Callable[[], Awaitable[Turn]]
) -> Turn:
    """Begin or continue a turn, or return the one that a request with the same key did."""
    return await once(db, member, repeat, begin, lambda made: turn_made(db, member, made))


async def own_turn_with_view(
    db: Database, member: Member, turn_id: str, subject: Subject | None = None
) -> tuple[Turn, TurnView]:
    """The caller's turn and its folded log, both as of one moment. With a subject, the turn must be about it."""
    async with db.read_org(member.organization_id) as tx:
        turn = _owned(member, await turns.get(tx, turn_id))
        recorded = await turns.events(tx, turn.id)
    if subject is not None and turn.subject != subject:
        raise NotFound(NO_TURN)
    return turn, TurnView.of(item.event for item in recorded)


def _owned(member: Member, turn: Turn | None) -> Turn:
    if turn is None or turn.user_id != member.user_id:
        raise NotFound(NO_TURN)
    return turn
