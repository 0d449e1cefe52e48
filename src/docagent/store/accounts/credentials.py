"""Queries on API tokens, sessions and one-time links. All are looked up by the hash of a secret."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.accounts.accounts import AccessToken, Role
from docagent.store.batches import some
from docagent.store.engine.database import Tx
from docagent.store.engine.tenancy import Built
from docagent.store.engine.types import UtcDateTime
from docagent.store.mapping import Mapped
from docagent.store.tables import access_tokens, members, one_time_links, sessions, users


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    user_id: str
    expires_at: datetime
    refresh_hash: str
    previous_hash: str | None = None
    previous_until: datetime | None = None

    def is_current(self, shown_hash: str, now: datetime) -> bool:
        """False if the secret that was shown has been replaced and its grace is over."""
        in_grace = self.previous_until is not None and self.previous_until > now
        return shown_hash == self.refresh_hash or (in_grace and shown_hash == self.previous_hash)


@dataclass(frozen=True, slots=True)
class Holder:
    """The user behind a credential."""

    user_id: str
    name: str
    email: str
    role: Role
    role_there: Role | None
    """The user's role in the organisation that was asked about; None if they are no member of it."""


_HOLDER = (
    users.c.id.label("holder_id"),
    users.c.name.label("holder_name"),
    users.c.email.label("holder_email"),
    users.c.role.label("holder_role"),
    sa.select(members.c.role)
    .where(
        members.c.user_id == users.c.id,
        members.c.organization_id == sa.bindparam("asked_organization"),
    )
    .scalar_subquery()
    .label("role_there"),
)


def still_opens(
    credential_id: sa.ColumnElement[str], moment: sa.ColumnElement[datetime]
) -> sa.ColumnElement[bool]:
    """Whether a token or session exists and has not expired. True without one: the server's own work needs none."""
    token = sa.exists().where(
        access_tokens.c.id == credential_id,
        sa.or_(access_tokens.c.expires_at.is_(None), access_tokens.c.expires_at > moment),
    )
    session = sa.exists().where(sessions.c.id == credential_id, sessions.c.expires_at > moment)
    # Not IS NULL: SQLite 3.40 finds it false in RETURNING.
    return sa.or_(sa.func.coalesce(credential_id, "") == "", token, session)


# Every request runs one of the first two, and open streams ask the others now and then, so they are built once.
_TOKEN_AND_HOLDER = Built(
    sa.select(access_tokens, *_HOLDER)
    .join(users, users.c.id == access_tokens.c.user_id)
    .where(access_tokens.c.token_hash == sa.bindparam("token_hash"))
)
_SESSION_AND_HOLDER = Built(
    sa.select(
        sa.exists()
        .where(
            sessions.c.id == sa.bindparam("session_id"),
            sessions.c.user_id == users.c.id,
            sessions.c.expires_at > sa.bindparam("now"),
        )
        .label("is_open"),
        *_HOLDER,
    ).where(users.c.id == sa.bindparam("user_id"))
)
_OPENS = still_opens(
    sa.bindparam("credential_id", type_=access_tokens.c.id.type), sa.bindparam("now", type_=UtcDateTime())
).label("opens")
_ROLE = sa.select(members.c.role).where(
    members.c.organization_id == sa.bindparam("asked_organization"),
    members.c.user_id == sa.bindparam("user_id"),
)
_STANDING = Built(sa.select(_ROLE.scalar_subquery().label("role"), _OPENS))
_STANDING_KEPT = Built(_ROLE.add_columns(_OPENS).with_for_update(read=True, key_share=True, of=members))


def _holder(row: Row[Any]) -> Holder:
    return Holder(
        row.holder_id,
        row.holder_name,
        row.holder_email,
        Role(row.holder_role),
        Role(row.role_there) if row.role_there else None,
    )


_TOKEN = Mapped(AccessToken, access_tokens, columns={"start": "token_start"}, besides=("token_hash",))
_SESSION = Mapped(Session, sessions, besides=("created_at", "last_used_at"))

insert_session, delete_session = _SESSION.insert, _SESSION.delete
insert_token, get_token, change_token = _TOKEN.insert, _TOKEN.get, _TOKEN.change


async def find_token(tx: Tx, token_hash: str) -> AccessToken | None:
    return await _TOKEN.first(tx, access_tokens.c.token_hash == token_hash)


async def token_and_holder(
    tx: Tx, token_hash: str, organization_id: str | None
) -> tuple[AccessToken, Holder] | None:
    """The token with this hash and its holder, with their role in the organisation."""
    asked = {"token_hash": token_hash, "asked_organization": organization_id}
    row = (await tx.across(_TOKEN_AND_HOLDER, asked)).first()
    return (_TOKEN.of(row), _holder(row)) if row else None


async def standing(
    tx: Tx,
    user_id: str,
    credential_id: str | None,
    organization_id: str | None,
    now: datetime,
    *,
    keep: bool = False,
) -> tuple[Role | None, bool]:
    """The user's role in the organisation, None if they are no member, and whether their credential still opens.

    With `keep` a membership outlives the transaction.
    """
    asked = {
        "credential_id": credential_id,
        "now": now,
        "asked_organization": organization_id,
        "user_id": user_id,
    }
    row = (await tx.across(_STANDING_KEPT if keep else _STANDING, asked)).first()
    return (Role(row.role) if row.role else None, bool(row.opens)) if row else (None, False)


async def list_tokens(tx: Tx, user_id: str, organization_id: str | None) -> list[AccessToken]:
    rows = await tx.rows(
        sa.select(access_tokens)
        .where(access_tokens.c.user_id == user_id, _in_organization(organization_id))
        .order_by(access_tokens.c.id)
    )
    return _TOKEN.each(rows)


async def delete_token(tx: Tx, token_id: str, user_id: str, organization_id: str | None) -> list[str]:
    """Delete a token and those that were made with it. Returns their ids; none if there is no such token."""
    made = (
        sa.select(access_tokens.c.id)
        .where(
            access_tokens.c.id == token_id,
            access_tokens.c.user_id == user_id,
            _in_organization(organization_id),
        )
        .cte(recursive=True)
    )
    made = made.union_all(
        sa.select(access_tokens.c.id).join(made, access_tokens.c.made_by_token_id == made.c.id)
    )
    found = [row.id for row in await tx.rows(sa.select(made.c.id))]
    await tx.execute(sa.delete(access_tokens).where(access_tokens.c.id.in_(found)))
    return found


async def delete_tokens_of_member(tx: Tx, user_id: str, organization_id: str) -> None:
    await tx.execute(
        sa.delete(access_tokens).where(
            access_tokens.c.user_id == user_id, access_tokens.c.organization_id == organization_id
        )
    )


def _in_organization(organization_id: str | None) -> sa.ColumnElement[bool]:
    column = access_tokens.c.organization_id
    return column.is_(None) if organization_id is None else column == organization_id


async def session_and_holder(
    tx: Tx, session_id: str | None, user_id: str, now: datetime, organization_id: str | None
) -> tuple[bool, Holder] | None:
    """Whether the user has this session open, and the user with their role in the organisation.

    None for an unknown user.
    """
    asked = {
        "session_id": session_id,
        "user_id": user_id,
        "now": now,
        "asked_organization": organization_id,
    }
    row = (await tx.across(_SESSION_AND_HOLDER, asked)).first()
    return (bool(row.is_open), _holder(row)) if row else None


async def lock_session(tx: Tx, session_id: str) -> Session | None:
    """Lock the session, so that nobody else renews it until the transaction ends."""
    return await _SESSION.get(tx, session_id, lock=True)


async def rotate_session(
    tx: Tx,
    session: Session,
    *,
    shown_hash: str,
    new_hash: str,
    now: datetime,
    expires_at: datetime,
    previous_until: datetime,
) -> None:
    """Replace the refresh secret. A replaced secret that is used again in its grace gets no new grace."""
    values: dict[str, Any] = {"refresh_hash": new_hash, "last_used_at": now, "expires_at": expires_at}
    if shown_hash == session.refresh_hash:
        values |= {"previous_hash": shown_hash, "previous_until": previous_until}
    await _SESSION.change(tx, session.id, values)


async def delete_of_user(tx: Tx, user_id: str, *, tokens: bool) -> list[str]:
    """End the user's sessions, the links that would open new ones and, with `tokens`, the API tokens.

    Returns the ids of the sessions and tokens.
    """
    found: list[str] = []
    for table in (sessions, access_tokens) if tokens else (sessions,):
        found += [row.id for row in await tx.rows(sa.select(table.c.id).where(table.c.user_id == user_id))]
        await tx.execute(sa.delete(table).where(table.c.user_id == user_id))
    await tx.execute(sa.delete(one_time_links).where(one_time_links.c.user_id == user_id))
    return found


async def delete_expired(tx: Tx, now: datetime) -> int:
    expired = [
        await tx.execute(some(table, table.c.expires_at <= now)) for table in (sessions, one_time_links)
    ]
    return sum(result.rowcount for result in expired)


async def insert_link(tx: Tx, *, token_hash: str, purpose: str, user_id: str, expires_at: datetime) -> None:
    await tx.execute(
        sa.insert(one_time_links).values(
            token_hash=token_hash, purpose=purpose, user_id=user_id, expires_at=expires_at
        )
    )


async def use_link(tx: Tx, *, token_hash: str, purpose: str, now: datetime) -> str | None:
    """Delete the link and return its user; None if it is unknown, used or too old."""
    row = (
        await tx.execute(
            sa.delete(one_time_links)
            .where(one_time_links.c.token_hash == token_hash, one_time_links.c.purpose == purpose)
            .returning(one_time_links.c.user_id, one_time_links.c.expires_at)
        )
    ).first()
    return row.user_id if row is not None and row.expires_at > now else None
