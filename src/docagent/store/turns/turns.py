"""Queries on turns and their events. A turn's row says who runs it; its events are the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from docagent.domain.accounts.accounts import Role, Standing
from docagent.domain.ids import is_id, new_id
from docagent.domain.jobs import LeaseLost
from docagent.domain.listing import ListQuery
from docagent.domain.turns.events import Event, EventType, Recorded, decode, payload
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.store.accounts.credentials import still_opens
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.tenancy import HELD, Held, held
from docagent.store.engine.told import told_of_turn
from docagent.store.listing import counted, one_page
from docagent.store.locking import skipping_locked, unlocked
from docagent.store.mapping import Mapped, Part
from docagent.store.tables import AUDITED, members, threads, turn_events, turn_signals, turns, users

_COLUMNS = [column for column in turns.c if column.name not in ("transcript", "transcript_tokens")]
_NEWEST_FIRST = (turn_events.c.created_at.desc(), turn_events.c.turn_id.asc(), turn_events.c.seq.desc())
_IS_AUDITED = turn_events.c.type.in_([sa.literal(name, literal_execute=True) for name in AUDITED])
"""With the values in the text: SQLite uses an index of some rows only if it sees that they are meant."""
_WAITING = (TurnState.AWAITING_APPROVAL, TurnState.AWAITING_INPUT)
_OPEN = (TurnState.RUNNING, *_WAITING)
_MOST_AT_ONCE = 100
_LEASE = ("credential_id", "lease_owner", "lease_until")
_REVOKED = "revoked"
"""Stands for a credential that is gone, in the row of a turn that ran with it."""


def _given(name: str) -> sa.BindParameter[Any]:
    """A placeholder for a value that is given when the statement runs."""
    return sa.bindparam(f"given_{name}")


# Every turn runs these many times, so they are built once.

_INSERT = held(sa.insert(turns))
_FIND = sa.select(*_COLUMNS).where(turns.c.id == _given("id"))
_GET = held(_FIND)
_GET_LOCKED = held(_FIND.with_for_update(key_share=True))
_GET_UNLOCKED = held(skipping_locked(_FIND))
_ADD_EVENTS = held(sa.insert(turn_events))
_RECORDED = (turn_events.c.seq, turn_events.c.type, turn_events.c.payload, turn_events.c.created_at)
_EVENTS = held(
    sa.select(*_RECORDED)
    .where(turn_events.c.turn_id == _given("id"), turn_events.c.seq > _given("after"))
    .order_by(turn_events.c.seq)
)
_ADVANCE = sa.update(turns).where(
    turns.c.id == _given("id"), turns.c.lease_owner == _given("owner"), turns.c.last_seq == _given("seq")
)
_ROLE = sa.select(members.c.role).where(
    members.c.organization_id == HELD, members.c.user_id == _given("user_id")
)
_SYSTEM_ROLE = sa.select(users.c.role).where(users.c.id == _given("user_id"))
_PROGRESS = (
    turns.c.stop_requested_by,
    turns.c.signals,
    _ROLE.scalar_subquery().label("role"),
    _SYSTEM_ROLE.scalar_subquery().label("system_role"),
    still_opens(turns.c.credential_id, _given("now")).label("has_credential"),
)
_TOLD = told_of_turn(turns.c.id, sa.cast(_given("owner"), sa.Text)).label("told")
_TOLD_TO_ALL = told_of_turn(turns.c.id, sa.literal("", sa.Text)).label("told")
_RUNS = {
    column: _given(column) for column in ("last_seq", "state", "updated_at", "lease_until", "lease_owner")
}
_GO_ON = held(_ADVANCE.values(**_RUNS).returning(*_PROGRESS, _TOLD))
_PAUSE = held(_ADVANCE.values(**_RUNS, waits_until=_given("waits_until")).returning(*_PROGRESS, _TOLD))
_END = held(
    _ADVANCE.values(
        **_RUNS,
        waits_until=_given("waits_until"),
        transcript=_given("transcript"),
        transcript_tokens=_given("transcript_tokens"),
    ).returning(*_PROGRESS, _TOLD)
)
_APPEND = (
    sa.update(turns)
    .where(
        turns.c.id == _given("id"),
        turns.c.last_seq == _given("seq"),
        turns.c.state == _given("former_state"),
        turns.c.lease_owner.is_(None),
    )
    .values(
        {column: _given(column) for column in ("last_seq", "state", "updated_at")} | {"deserted_at": None}
    )
)
_STILL_WAITS = held(_APPEND.returning(_TOLD_TO_ALL))
_WAITS_NO_MORE = held(_APPEND.values(waits_until=None).returning(_TOLD_TO_ALL))
_IS_TAKEN = held(
    _APPEND.values(
        lease_owner=_given("owner"),
        lease_until=_given("lease_until"),
        waits_until=None,
        credential_id=_given("credential_id"),
    ).returning(_TOLD_TO_ALL)
)
_RENEW = held(
    sa.update(turns)
    .where(turns.c.id == _given("id"), turns.c.lease_owner == _given("owner"))
    .values(lease_until=_given("lease_until"))
    .returning(*_PROGRESS)
)
_LOCK_SIGNALS = held(
    sa.select(turns.c.signals).where(turns.c.id == _given("id")).with_for_update(key_share=True)
)
_TRANSCRIPTS = held(
    sa.select(
        turns.c.position,
        sa.cast(turns.c.transcript, sa.Text).label("transcript"),
        turns.c.transcript_tokens,
    )
    .where(
        turns.c.thread_id == _given("thread_id"),
        turns.c.superseded.is_(False),
        turns.c.position < _given("before"),
        turns.c.transcript.is_not(None),
    )
    .order_by(turns.c.position.desc())
    .limit(_given("limit"))
)
_OPEN_TURN = held(
    sa.select(*_COLUMNS)
    .where(turns.c.thread_id == _given("thread_id"), turns.c.superseded.is_(False), turns.c.state.in_(_OPEN))
    .limit(1)
)
_SET_THREAD_STATE = held(
    sa.update(threads)
    .where(threads.c.id == _given("id"))
    .values(state=_given("state"), updated_at=_given("updated_at"))
)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a runner learns when it writes: whether someone wants the turn stopped, how many messages wait, and how the
    user who asked stands now."""

    stop_requested_by: str | None
    signals: int
    standing: Standing


async def _written(tx: OrgTx, turn: Turn, statement: Held, given: Mapping[str, Any]) -> Progress:
    """Run a runner's statement on its turn. Raises LeaseLost if another one has it."""
    row = (await tx.execute(statement, given)).first()
    if row is None:
        raise LeaseLost(turn.id)
    role = Role(row.role) if row.role else None
    system_role = Role(row.system_role) if row.system_role else None
    standing = Standing(role, system_role, bool(row.has_credential))
    return Progress(row.stop_requested_by, row.signals, standing)


_TURN = Mapped(
    Turn,
    turns,
    parts={"subject": Part(Subject.of, turns)},
    besides=(*_LEASE, "signals", "stop_requested_by", "transcript", "transcript_tokens"),
)


async def insert(
    tx: OrgTx,
    turn: Turn,
    *,
    owner: str | None = None,
    lease_until: datetime | None = None,
    credential_id: str | None = None,
) -> None:
    """Insert a turn. Without an owner it is over already."""
    row = _TURN.values(
        turn,
        transcript_tokens=0,
        lease_owner=owner,
        lease_until=lease_until,
        signals=0,
        credential_id=credential_id,
    )
    await tx.execute_later(_INSERT, row)


async def get(tx: OrgTx, turn_id: str, *, lock: bool = False) -> Turn | None:
    found = _GET_LOCKED if lock else _GET
    return _TURN.found(await tx.first(found, {"given_id": turn_id})) if is_id(turn_id) else None


async def lock_if_free(tx: OrgTx, turn_id: str) -> Turn | None:
    """Lock a turn. None if there is no such turn, or another transaction holds it."""
    return _TURN.found(await tx.first(_GET_UNLOCKED, {"given_id": turn_id}))


# --- the log --------------------------------------------------------------------------------------------------


async def add_events(tx: OrgTx, turn_id: str, first_seq: int, events: Sequence[Event], at: datetime) -> None:
    rows = [
        {
            "turn_id": turn_id,
            "seq": first_seq + position,
            "type": event.type.value,
            "payload": payload(event),
            "created_at": at,
        }
        for position, event in enumerate(events)
    ]
    await tx.execute_later(_ADD_EVENTS, rows)


@contextmanager
def still_ours(turn_id: str) -> Iterator[None]:
    """Raise LeaseLost where an event has the number of one that another runner wrote, or the turn is gone."""
    try:
        yield
    except IntegrityError as error:
        raise LeaseLost(turn_id) from error


async def events(tx: OrgTx, turn_id: str, *, after: int = 0) -> list[Recorded]:
    rows = await tx.rows(_EVENTS, {"given_id": turn_id, "given_after": after})
    return [_recorded(row) for row in rows]


async def events_of(tx: OrgTx, turn_ids: Sequence[str]) -> dict[str, list[Recorded]]:
    """The logs of several turns."""
    statement = (
        sa.select(turn_events.c.turn_id, *_RECORDED)
        .where(turn_events.c.turn_id.in_(turn_ids))
        .order_by(turn_events.c.turn_id, turn_events.c.seq)
    )
    found: dict[str, list[Recorded]] = {turn_id: [] for turn_id in turn_ids}
    for row in await tx.rows(statement):
        found[row.turn_id].append(_recorded(row))
    return found


def _recorded(row: Any) -> Recorded:
    return Recorded(row.seq, row.created_at, decode(row.type, row.payload))


async def advance(
    tx: OrgTx,
    turn: Turn,
    *,
    owner: str,
    last_seq: int,
    new_seq: int,
    state: TurnState,
    now: datetime,
    lease_until: datetime,
    waits_until: datetime | None = None,
    transcript: Any = None,
    transcript_tokens: int = 0,
) -> Progress:
    """Record how far a turn has got. Raises LeaseLost if another runner has it or wrote to its log."""
    runs = state is TurnState.RUNNING
    statement = _GO_ON
    values: dict[str, Any] = {
        "given_id": turn.id,
        "given_user_id": turn.user_id,
        "given_owner": owner,
        "given_now": now,
        "given_seq": last_seq,
        "given_last_seq": new_seq,
        "given_state": state,
        "given_updated_at": now,
        "given_lease_until": lease_until if runs else None,
        "given_lease_owner": owner if runs else None,
    }
    if not runs:
        statement = _PAUSE
        values["given_waits_until"] = waits_until
    if state.is_over:
        statement = _END
        values |= {"given_transcript": transcript, "given_transcript_tokens": transcript_tokens}
    progress = await _written(tx, turn, statement, values)
    if state.is_waiting:
        tx.tell("inbox", turn.user_id)
    return progress


async def append_to_waiting(
    tx: OrgTx,
    turn: Turn,
    events: Sequence[Event],
    now: datetime,
    *,
    state: TurnState,
    owner: str | None = None,
    lease_until: datetime | None = None,
    credential_id: str | None = None,
) -> bool:
    """Write to the log of a turn that nobody runs. False if the turn has changed since it was read.

    With an owner the turn runs, and from now on with the credential of whoever let it.
    """
    given: dict[str, Any] = {
        "given_id": turn.id,
        "given_seq": turn.last_seq,
        "given_former_state": turn.state,
        "given_last_seq": turn.last_seq + len(events),
        "given_state": state,
        "given_updated_at": now,
    }
    statement = _WAITS_NO_MORE if state.is_over else _STILL_WAITS
    if owner is not None:
        statement = _IS_TAKEN
        given |= {
            "given_owner": owner,
            "given_lease_until": lease_until,
            "given_credential_id": credential_id,
        }
    if (await tx.execute(statement, given)).first() is None:
        return False
    await add_events(tx, turn.id, turn.last_seq + 1, events, now)
    tx.tell("inbox", turn.user_id)
    return True


async def keep_transcript(tx: OrgTx, turn_id: str, transcript: Any, tokens: int) -> None:
    await tx.execute(_change(turn_id, transcript=transcript, transcript_tokens=tokens))


# --- leases ---------------------------------------------------------------------------------------------------


async def take(tx: OrgTx, turn: Turn, *, owner: str, now: datetime, lease_until: datetime) -> bool:
    """Become the runner of a waiting turn, or of one whose runner fell silent."""
    statement = (
        sa.update(turns)
        .where(
            turns.c.id == turn.id,
            sa.or_(turns.c.lease_until.is_(None), turns.c.lease_until <= now),
            turns.c.state.in_(_OPEN),
        )
        .values(lease_owner=owner, lease_until=lease_until, state=TurnState.RUNNING, waits_until=None)
    )
    if turn.state.is_waiting:
        tx.tell("inbox", turn.user_id)
    return (await tx.execute(statement)).rowcount == 1


async def renew(tx: OrgTx, turn: Turn, *, owner: str, now: datetime, lease_until: datetime) -> Progress:
    given = {
        "given_id": turn.id,
        "given_user_id": turn.user_id,
        "given_owner": owner,
        "given_now": now,
        "given_lease_until": lease_until,
    }
    return await _written(tx, turn, _RENEW, given)


async def revoke(tx: Tx, credential_ids: Sequence[str]) -> list[str]:
    """Let the turns that run with these credentials end, in whichever process. Returns their ids.

    The row says so itself: a commit that waits for this one would still see the credential.
    """
    statement = (
        sa.update(turns)
        .where(turns.c.credential_id.in_(credential_ids), turns.c.state == TurnState.RUNNING)
        .values(credential_id=_REVOKED)
        .returning(turns.c.id, _TOLD_TO_ALL)
    )
    return [row.id for row in (await tx.across(statement)).all()]


async def let_go(tx: Tx, owner: str, now: datetime) -> None:
    """Let others take over the turns of a process that shuts down or is gone, at once.

    A turn that a transaction holds is left for the next look: it must not keep the others waiting.
    """
    of_owner = sa.select(turns.c.id).where(turns.c.lease_owner == owner)
    await tx.across(sa.update(turns).where(turns.c.id.in_(unlocked(of_owner))).values(lease_until=now))


async def owners(tx: Tx, now: datetime) -> set[str]:
    """Who runs turns, as far as their leases say."""
    statement = sa.select(turns.c.lease_owner).distinct()
    running = statement.where(turns.c.state == TurnState.RUNNING, turns.c.lease_until > now)
    return {row.lease_owner for row in (await tx.across(running)).all() if row.lease_owner}


async def abandoned(tx: Tx, now: datetime) -> list[tuple[str, str]]:
    """Organisation and id of running turns whose runner is gone, and that no transaction holds."""
    return await _past(tx, turns.c.state == TurnState.RUNNING, turns.c.lease_until, now)


async def overdue(tx: Tx, now: datetime) -> list[tuple[str, str]]:
    """Organisation and id of turns that have waited for a person too long, and that no transaction holds."""
    return await _past(tx, turns.c.state.in_(_WAITING), turns.c.waits_until, now)


async def _past(
    tx: Tx, state: sa.ColumnElement[bool], until: sa.Column[Any], now: datetime
) -> list[tuple[str, str]]:
    found = sa.select(turns.c.organization_id, turns.c.id).where(state, until <= now)
    rows = await tx.across(skipping_locked(found.order_by(until).limit(_MOST_AT_ONCE)))
    return [(row.organization_id, row.id) for row in rows.all()]


async def end_waits(tx: OrgTx, user_id: str, now: datetime) -> None:
    """Let the turns that wait for this user wait no longer. The job for overdue turns ends them."""
    await tx.execute(
        sa.update(turns)
        .where(turns.c.user_id == user_id, turns.c.state.in_(_WAITING))
        .values(waits_until=now)
    )


# --- what comes from outside while a turn runs ----------------------------------------------------------------


async def set_deserted(tx: OrgTx, turn_id: str, at: datetime | None) -> None:
    """Note that the client which asked for the turn went away, or with None that someone is there again."""
    await tx.execute(_change(turn_id, deserted_at=at))


async def request_stop(tx: OrgTx, turn_id: str, user_id: str) -> None:
    await tx.execute(_change(turn_id, stop_requested_by=user_id).returning(_TOLD_TO_ALL))


async def add_signal(tx: OrgTx, turn_id: str, event: Event, now: datetime) -> None:
    await tx.execute(
        sa.insert(turn_signals).values(
            id=new_id(), turn_id=turn_id, type=event.type.value, payload=payload(event), created_at=now
        )
    )
    change = _change(turn_id, signals=turns.c.signals + 1, deserted_at=None)
    await tx.execute(change.returning(_TOLD_TO_ALL))


async def peek_signals(tx: OrgTx, turn_id: str) -> list[Event]:
    statement = sa.select(turn_signals).where(turn_signals.c.turn_id == turn_id).order_by(turn_signals.c.id)
    return [decode(row.type, row.payload) for row in await tx.rows(statement)]


async def lock_signals(tx: OrgTx, turn_id: str) -> list[Event]:
    """The messages that wait. No more can arrive before the transaction ends."""
    if not await tx.scalar(_LOCK_SIGNALS, {"given_id": turn_id}):
        return []
    return await peek_signals(tx, turn_id)


async def drop_signals(tx: OrgTx, turn_id: str, recorded: Sequence[Event]) -> None:
    """Delete the messages that are now in the log: as many of the oldest as the events hold."""
    count = sum(event.type is EventType.STEERED for event in recorded)
    if not count:
        return
    statement = sa.select(turn_signals.c.id).where(turn_signals.c.turn_id == turn_id)
    rows = await tx.rows(statement.order_by(turn_signals.c.id).limit(count))
    await tx.execute(sa.delete(turn_signals).where(turn_signals.c.id.in_([row.id for row in rows])))
    await tx.execute(_change(turn_id, signals=turns.c.signals - len(rows)))


def _change(turn_id: str, **values: Any) -> sa.Update:
    return sa.update(turns).where(turns.c.id == turn_id).values(**values)


# --- lists ----------------------------------------------------------------------------------------------------


async def of_thread(
    tx: OrgTx,
    thread_id: str,
    *,
    superseded: bool = False,
    before: int | None = None,
    limit: int | None = None,
) -> list[Turn]:
    """The turns of a thread in their order: all, or the last so many before a position."""
    statement = sa.select(*_COLUMNS).where(turns.c.thread_id == thread_id)
    if not superseded:
        statement = statement.where(turns.c.superseded.is_(False))
    if before is not None:
        statement = statement.where(turns.c.position < before)
    rows = await tx.rows(statement.order_by(turns.c.position.desc()).limit(limit))
    return [_TURN.of(row) for row in reversed(rows)]


async def supersede_from(tx: OrgTx, thread_id: str, position: int) -> None:
    """Mark the turns from this place on as replaced by an edited message. Nothing is deleted."""
    await tx.execute(
        sa.update(turns)
        .where(turns.c.thread_id == thread_id, turns.c.position >= position)
        .values(superseded=True)
    )


async def keep_for_audit(tx: OrgTx, thread_id: str) -> None:
    """Detach the turns in which something was done, so that they outlive their thread, which is about to be deleted."""
    audited = sa.select(turn_events.c.turn_id).where(
        turn_events.c.organization_id == tx.organization_id, turn_events.c.type.in_(AUDITED)
    )
    await tx.execute(
        sa.update(turns)
        .where(turns.c.thread_id == thread_id, audited.where(turn_events.c.turn_id == turns.c.id).exists())
        .values(thread_id=None, superseded=True)
    )


async def transcripts(tx: OrgTx, thread_id: str, *, before: int, limit: int) -> list[tuple[int, str, int]]:
    """Position, transcript as it is stored and its tokens of finished turns, newest first."""
    given = {"given_thread_id": thread_id, "given_before": before, "given_limit": limit}
    return [
        (row.position, row.transcript, row.transcript_tokens) for row in await tx.rows(_TRANSCRIPTS, given)
    ]


async def before(tx: OrgTx, thread_id: str, position: int) -> tuple[int, int]:
    """How many finished turns stand before a position, and their tokens."""
    statement = sa.select(
        sa.func.count().label("turns"),
        sa.func.coalesce(sa.func.sum(turns.c.transcript_tokens), 0).label("tokens"),
    ).where(
        turns.c.thread_id == thread_id,
        turns.c.superseded.is_(False),
        turns.c.position < position,
        turns.c.transcript.is_not(None),
    )
    row = await tx.first(statement)
    return (int(row.turns), int(row.tokens)) if row else (0, 0)


async def open_turn(tx: OrgTx, thread_id: str) -> Turn | None:
    """The thread's turn that is not over yet, if there is one."""
    return _TURN.found(await tx.first(_OPEN_TURN, {"given_thread_id": thread_id}))


async def waiting(tx: OrgTx, user_id: str, *, skip: int, limit: int) -> tuple[list[Turn], int]:
    """Turns that wait for this user, the oldest first."""
    statement = sa.select(*_COLUMNS).where(
        turns.c.user_id == user_id,
        turns.c.superseded.is_(False),
        turns.c.state.in_(_WAITING),
    )
    total = int(await tx.scalar(counted(statement)))
    rows = await tx.rows(statement.order_by(turns.c.updated_at, turns.c.id).offset(skip).limit(limit))
    return _TURN.each(rows), total


@dataclass(frozen=True, slots=True)
class Audited:
    """A call that ran, was refused or was taken back, with its turn."""

    turn: Turn
    recorded: Recorded


async def audited(
    tx: OrgTx, *, subject: Subject | None, user_id: str | None, skip: int, limit: int
) -> tuple[list[Audited], int]:
    """What was done in the organisation, the newest first.

    The page is found in the index of the audit alone; turns are looked at only if they decide what is in the list.
    """
    keys = sa.select(turn_events.c.turn_id, turn_events.c.seq).where(_IS_AUDITED)
    if subject is not None or user_id is not None:
        keys = keys.join_from(turn_events, turns, turn_events.c.turn_id == turns.c.id)
    if subject is not None:
        about = turns.c.project_id if subject.project_id else turns.c.document_id
        keys = keys.where(about == subject.id)
    if user_id is not None:
        keys = keys.where(turns.c.user_id == user_id)
    found, total = await one_page(tx, keys, _NEWEST_FIRST, ListQuery(skip, limit))
    if not found:
        return [], total
    these = [(turn_events.c.turn_id == row.turn_id) & (turn_events.c.seq == row.seq) for row in found]
    statement = (
        sa.select(
            *_COLUMNS,
            turn_events.c.seq,
            turn_events.c.type,
            turn_events.c.payload,
            turn_events.c.created_at.label("happened_at"),
        )
        .join_from(turn_events, turns, turn_events.c.turn_id == turns.c.id)
        .where(_IS_AUDITED, sa.or_(*these))
        .order_by(*_NEWEST_FIRST)
    )
    rows = await tx.rows(statement)
    return [
        Audited(_TURN.of(row), Recorded(row.seq, row.happened_at, decode(row.type, row.payload)))
        for row in rows
    ], total


async def set_thread_state(tx: OrgTx, thread_id: str, state: Mapping[str, Any], now: datetime) -> None:
    given = {"given_id": thread_id, "given_state": dict(state), "given_updated_at": now}
    await tx.execute_later(_SET_THREAD_STATE, given)
