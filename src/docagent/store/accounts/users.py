"""Queries on users."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from docagent.domain.accounts.accounts import Role, User
from docagent.domain.listing import Found
from docagent.store.engine.database import Tx
from docagent.store.listing import contains, counted
from docagent.store.mapping import Mapped
from docagent.store.tables import members, users

_USER = Mapped(
    User,
    users,
    computed={"has_password": lambda row: row.password_hash is not None},
    besides=("password_hash", "password_changed_at"),
)

get, insert, update, delete = _USER.get, _USER.insert, _USER.change, _USER.delete


async def names(tx: Tx, user_ids: Sequence[str]) -> dict[str, str]:
    rows = await tx.rows(sa.select(users.c.id, users.c.name).where(users.c.id.in_(user_ids)))
    return {row.id: row.name for row in rows}


async def with_password(tx: Tx, email: str) -> tuple[User, str | None] | None:
    row = await tx.first(sa.select(users).where(users.c.email_folded == email.casefold()))
    return (_USER.of(row), row.password_hash) if row else None


async def password_hash(tx: Tx, user_id: str) -> str | None:
    found: str | None = await tx.scalar(sa.select(users.c.password_hash).where(users.c.id == user_id))
    return found


async def count_admins(tx: Tx) -> int:
    return int(await tx.scalar(sa.select(sa.func.count()).where(users.c.role == Role.ADMIN)))


async def first_admin(tx: Tx) -> User | None:
    return _USER.found(
        await tx.first(sa.select(users).where(users.c.role == Role.ADMIN).order_by(users.c.id).limit(1))
    )


async def search(
    tx: Tx, *, text: str | None, in_organizations: Sequence[str] | None, skip: int, limit: int
) -> Found[User]:
    """Users by name or e-mail; `in_organizations` narrows the list to members of these organisations."""
    statement = sa.select(users)
    if text:
        needle = text.casefold()
        statement = statement.where(
            sa.or_(contains(sa.func.lower(users.c.name), needle), contains(users.c.email_folded, needle))
        )
    if in_organizations is not None:
        inside = sa.select(members.c.user_id).where(members.c.organization_id.in_(in_organizations))
        statement = statement.where(users.c.id.in_(inside))
    total = int((await tx.across(counted(statement))).scalar_one())
    page = await tx.across(statement.order_by(users.c.id.desc()).offset(skip).limit(limit))
    return Found(_USER.each(page), total, skip)
