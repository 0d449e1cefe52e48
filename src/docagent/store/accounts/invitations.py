"""Queries on invitations. An organisation's are named by its id, others by the hash of their link or by the invited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.accounts.accounts import Invitation, User
from docagent.domain.listing import Found
from docagent.store.batches import some
from docagent.store.engine.database import Tx
from docagent.store.mapping import Mapped
from docagent.store.tables import invitations

_INVITATION = Mapped(Invitation, invitations, besides=("token_hash",))

insert, get, change, delete = _INVITATION.insert, _INVITATION.get, _INVITATION.change, _INVITATION.delete


async def by_token(tx: Tx, token_hash: str) -> Invitation | None:
    return await _INVITATION.first(tx, invitations.c.token_hash == token_hash)


async def for_user(tx: Tx, user: User, now: datetime) -> list[Invitation]:
    """Open invitations of this account, by its id or its address, newest first."""
    statement = sa.select(invitations).where(_of(user), invitations.c.expires_at > now)
    return _INVITATION.each(await tx.rows(statement.order_by(invitations.c.id.desc())))


async def of_account(tx: Tx, organization_id: str, user_id: str, now: datetime) -> Invitation | None:
    """The open invitation of this organisation that names the account by its id."""
    return await _INVITATION.first(
        tx,
        invitations.c.organization_id == organization_id,
        invitations.c.user_id == user_id,
        invitations.c.expires_at > now,
    )


async def search(
    tx: Tx, *, organization_ids: Sequence[str] | None, skip: int, limit: int, now: datetime
) -> Found[Invitation]:
    """Open invitations of these organisations, newest first; None for all."""
    statement = sa.select(invitations).where(invitations.c.expires_at > now)
    if organization_ids is not None:
        statement = statement.where(invitations.c.organization_id.in_(organization_ids))
    return await _INVITATION.page(tx, statement, skip=skip, limit=limit)


async def count_open(tx: Tx, organization_id: str | None, now: datetime) -> int:
    statement = sa.select(sa.func.count()).where(_in(organization_id), invitations.c.expires_at > now)
    return int(await tx.scalar(statement))


async def delete_address(tx: Tx, organization_id: str | None, email: str) -> None:
    await tx.execute(
        sa.delete(invitations).where(_in(organization_id), invitations.c.email_folded == email.casefold())
    )


async def delete_answered(tx: Tx, organization_id: str | None, user: User) -> None:
    """Delete every invitation of the organisation that this user need not answer any more."""
    await tx.execute(sa.delete(invitations).where(_in(organization_id), _of(user)))


async def delete_made_by(tx: Tx, organization_id: str, user_id: str) -> None:
    """Delete the organisation's invitations by somebody who may not invite any more."""
    await tx.execute(sa.delete(invitations).where(_in(organization_id), invitations.c.created_by == user_id))


async def delete_expired(tx: Tx, now: datetime) -> int:
    return (await tx.execute(some(invitations, invitations.c.expires_at <= now))).rowcount


def _of(user: User) -> sa.ColumnElement[bool]:
    return sa.or_(invitations.c.user_id == user.id, invitations.c.email_folded == user.email.casefold())


def _in(organization_id: str | None) -> sa.ColumnElement[bool]:
    column = invitations.c.organization_id
    return column.is_(None) if organization_id is None else column == organization_id
