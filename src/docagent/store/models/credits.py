"""The ledger of credits, the accounts that sum it up, and the credits held for calls under way.

Everything that spends locks the organisation's account first, so that two transactions never count the same
credits twice. SQLite has one writer at a time, which is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain import clock
from docagent.domain.accounts.accounts import OrganizationType
from docagent.domain.ids import new_id
from docagent.domain.models.credits import (
    GRANTED_AT_START,
    CreditAccount,
    EntryKind,
    LedgerEntry,
    Spending,
    UsageGroup,
    UsageKey,
    UsagePoint,
)
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import HELD
from docagent.store.engine.tenancy import held as held_to_organization
from docagent.store.engine.upsert import insert_or
from docagent.store.mapping import Mapped, Part
from docagent.store.tables import credit_accounts, credit_entries, credit_holds, organizations

_CREDITS: sa.ColumnElement[int] = sa.cast(sa.func.sum(credit_entries.c.credits), sa.BigInteger)
_COLUMN = {
    UsageKey.DAY: credit_entries.c.day,
    UsageKey.OPERATION: credit_entries.c.operation,
    UsageKey.MODEL: credit_entries.c.model,
    UsageKey.USER: credit_entries.c.user_id,
}


_LIMITED = sa.and_(credit_accounts.c.enforced, organizations.c.type != OrganizationType.ENTERPRISE)
_OF_ORGANIZATION = organizations.c.id == credit_accounts.c.organization_id
_IS_LIMITED = held_to_organization(sa.select(_LIMITED.label("limited")).where(_OF_ORGANIZATION))
_LOCKED = held_to_organization(
    sa.select(credit_accounts, _LIMITED.label("limited"))
    .where(_OF_ORGANIZATION)
    .with_for_update(of=credit_accounts)
)
_ACCOUNT = Mapped(CreditAccount, credit_accounts)
_ENTRY = Mapped(
    LedgerEntry,
    credit_entries,
    parts={"spending": Part(Spending, credit_entries, prefix="from_")},
    besides=("id", "day"),
)
_SAVE = held_to_organization(
    sa.update(credit_accounts).values({name: sa.bindparam(f"new_{name}") for name in _ACCOUNT.columns})
)
_APPEND = held_to_organization(sa.insert(credit_entries))


def _given(name: str) -> sa.BindParameter[Any]:
    return sa.bindparam(f"given_{name}", type_=credit_entries.c[name].type)


def _charge_at_once() -> sa.Insert:
    """A charge and its line in the ledger as one statement, for an account without limits. For PostgreSQL.

    The account is locked where its pots are read, so that they are those of the moment of the charge.
    """
    before = (
        sa.select(credit_accounts)
        .where(credit_accounts.c.organization_id == HELD, _OF_ORGANIZATION, sa.not_(_LIMITED))
        .with_for_update(of=credit_accounts)
        .cte("before")
    )
    asked = _given("credits")
    purchased = sa.func.least(asked, before.c.purchased - before.c.purchased_used)
    granted = sa.func.least(asked - purchased, before.c.granted - before.c.granted_used)
    charged = (
        sa.update(credit_accounts)
        .where(credit_accounts.c.organization_id == HELD, before.c.organization_id == HELD)
        .values(
            purchased_used=before.c.purchased_used + purchased,
            granted_used=before.c.granted_used + granted,
            paid=before.c.paid + (asked - purchased - granted),
        )
        .returning(
            purchased.label("from_purchased"),
            granted.label("from_granted"),
            (asked - purchased - granted).label("from_paid"),
        )
        .cte("charged")
    )
    split = ("from_purchased", "from_granted", "from_paid")
    others = [column.name for column in credit_entries.c if column.name not in (*split, "organization_id")]
    line = sa.select(HELD, *(charged.c[name] for name in split), *map(_given, others))
    return (
        sa.insert(credit_entries)
        .from_select(["organization_id", *split, *others], line)
        .returning(*(credit_entries.c[name] for name in split))
    )


_CHARGE_AT_ONCE = held_to_organization(_charge_at_once())


async def account(tx: OrgTx) -> CreditAccount:
    """The account as it is now. An organisation that never spent anything has what everyone is granted at the start."""
    row = await tx.first(sa.select(credit_accounts))
    return CreditAccount() if row is None else _ACCOUNT.of(row)


async def locked_account(tx: OrgTx) -> CreditAccount:
    """The account, which nobody else can change until this transaction ends."""
    return (await locked(tx))[0]


async def locked(tx: OrgTx) -> tuple[CreditAccount, bool]:
    """The locked account, and whether it limits what may be spent."""
    row = await tx.first(_LOCKED)
    if row is None:
        await _open_account(tx)
        row = await tx.first(_LOCKED)
    return (CreditAccount(), False) if row is None else (_ACCOUNT.of(row), bool(row.limited))


async def _open_account(tx: OrgTx) -> None:
    values = _ACCOUNT.values(CreditAccount(), organization_id=tx.organization_id)
    fresh = insert_or(tx, credit_accounts).values(**values)
    if (await tx.execute(fresh.on_conflict_do_nothing())).rowcount:
        moment = clock.now()
        await append(
            tx, LedgerEntry(EntryKind.GRANT, GRANTED_AT_START, "granted", "new organization", moment)
        )


async def is_limited(tx: OrgTx) -> bool:
    """True when an administrator switched limits on; enterprise organisations are never stopped."""
    return bool(await tx.scalar(_IS_LIMITED))


async def save_account(tx: OrgTx, changed: CreditAccount) -> None:
    """Write the account, which this transaction must have locked."""
    await tx.execute(_SAVE, {f"new_{name}": value for name, value in _ACCOUNT.values(changed).items()})


async def charge_at_once(tx: OrgTx, entry: LedgerEntry) -> Spending | None:
    """Charge an account without limits and write it into the ledger, in one statement where the way is long.

    None if this cannot be done: the account has limits or was never used, or the database is no way off.
    """
    if tx.dialect != "postgresql":
        return None
    given = {f"given_{name}": value for name, value in _line(entry).items() if not name.startswith("from_")}
    row = await tx.first(_CHARGE_AT_ONCE, given)
    return Spending(row.from_purchased, row.from_granted, row.from_paid) if row else None


async def append(tx: OrgTx, entry: LedgerEntry) -> None:
    await tx.execute_later(_APPEND, _line(entry))


def _line(entry: LedgerEntry) -> dict[str, Any]:
    return _ENTRY.values(entry, id=new_id(), day=entry.created_at.date().isoformat())


async def held(tx: OrgTx, now: datetime) -> int:
    """Credits held for calls under way. The holds of a dead process expire."""
    statement = sa.select(sa.func.coalesce(sa.func.sum(credit_holds.c.credits), 0))
    return int(await tx.scalar(statement.where(credit_holds.c.expires_at > now)))


async def hold(tx: OrgTx, hold_id: str, credits: int, now: datetime, expires_at: datetime) -> None:
    await tx.execute(sa.delete(credit_holds).where(credit_holds.c.expires_at <= now))
    await tx.execute(sa.insert(credit_holds).values(id=hold_id, credits=credits, expires_at=expires_at))


async def let_go_of_all(tx: OrgTx) -> None:
    await tx.execute(sa.delete(credit_holds))


async def let_go(tx: OrgTx, hold_id: str) -> None:
    await tx.execute(sa.delete(credit_holds).where(credit_holds.c.id == hold_id))


async def by_day(tx: OrgTx, first_day: date, end: date) -> Sequence[UsagePoint]:
    """Credits for each day, operation and source; `end` is not included."""
    keys = (credit_entries.c.day, credit_entries.c.operation, credit_entries.c.source)
    statement = sa.select(*keys, _CREDITS.label("total")).group_by(*keys).order_by(*keys)
    rows = await tx.rows(_in_days(statement, first_day, end).having(_CREDITS > 0))
    return [UsagePoint(date.fromisoformat(row.day), row.operation, row.source, row.total) for row in rows]


async def broken_down(
    tx: OrgTx, by: UsageKey, first_day: date | None, end: date | None
) -> Sequence[UsageGroup]:
    """Usage for each value of the key: days in order, other keys with the most credits first."""
    key = _COLUMN[by].label("key")
    statement = sa.select(
        key,
        sa.func.count().label("calls"),
        _CREDITS.label("total"),
        sa.cast(sa.func.sum(credit_entries.c.input_tokens), sa.BigInteger).label("input_tokens"),
        sa.cast(sa.func.sum(credit_entries.c.output_tokens), sa.BigInteger).label("output_tokens"),
        sa.func.sum(credit_entries.c.cost).label("cost"),
    ).group_by(key)
    order = [key] if by is UsageKey.DAY else [_CREDITS.desc(), key]
    rows = await tx.rows(_in_days(statement, first_day, end).order_by(*order))
    return [
        UsageGroup(
            row.key or "", row.calls, row.total, row.input_tokens, row.output_tokens, round(row.cost, 10)
        )
        for row in rows
    ]


async def calls(tx: OrgTx, *, with_pictures: bool, skip: int, limit: int) -> list[LedgerEntry]:
    """Model calls, newest first."""
    statement = sa.select(credit_entries).where(credit_entries.c.model.is_not(None))
    if with_pictures:
        statement = statement.where(credit_entries.c.pictures.is_not(None))
    newest_first = credit_entries.c.created_at.desc(), credit_entries.c.id.desc()
    return _ENTRY.each(await tx.rows(statement.order_by(*newest_first).offset(skip).limit(limit)))


def _in_days(statement: sa.Select[Any], first_day: date | None, end: date | None) -> sa.Select[Any]:
    statement = statement.where(credit_entries.c.kind == EntryKind.CHARGE)
    if first_day is not None:
        statement = statement.where(credit_entries.c.day >= first_day.isoformat())
    if end is not None:
        statement = statement.where(credit_entries.c.day < end.isoformat())
    return statement
