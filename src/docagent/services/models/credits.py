"""Credits: what calls are charged, what is left, and who may change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from docagent.domain.accounts.accounts import Member, Principal
from docagent.domain.clock import now
from docagent.domain.errors import InsufficientCredits, InvalidInput, existing
from docagent.domain.models.credits import (
    Charge,
    CreditAccount,
    EntryKind,
    LedgerEntry,
    Spending,
    UsageGroup,
    UsageKey,
    UsagePoint,
)
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.models import credits


@dataclass(frozen=True, slots=True)
class Balance:
    """An account, and how much of it is held for calls under way."""

    account: CreditAccount
    held: int


class CreditService:
    def __init__(self, db: Database, price_per_credit: float) -> None:
        self._db = db
        self.price_per_credit = price_per_credit

    # --- model calls ------------------------------------------------------------------------------------------

    async def hold(self, organization_id: str, hold_id: str, needed: int, lifetime: timedelta) -> bool:
        """Set credits aside for a call. False if no limits are enforced. Raises InsufficientCredits."""
        async with self._db.read_org(organization_id) as tx:
            if not await credits.is_limited(tx):
                return False
        async with self._db.write_org(organization_id) as tx:
            account = await credits.locked_account(tx)
            moment = now()
            left = account.remaining - await credits.held(tx, moment)
            if left < needed:
                raise InsufficientCredits(needed, max(left, 0))
            await credits.hold(tx, hold_id, needed, moment, moment + lifetime)
            return True

    async def check(self, organization_id: str) -> bool:
        """Whether limits are enforced. Raises InsufficientCredits if not even the cheapest call could be paid for."""
        async with self._db.read_org(organization_id) as tx:
            if not await credits.is_limited(tx):
                return False
            left = (await credits.account(tx)).remaining - await credits.held(tx, now())
            if left < 1:
                raise InsufficientCredits(1, max(left, 0))
            return True

    async def release(self, organization_id: str, hold_id: str) -> None:
        async with self._db.write_org(organization_id) as tx:
            await credits.let_go(tx, hold_id)

    async def charge(self, tx: OrgTx, hold_id: str, entry: LedgerEntry) -> Charge:
        """Enter a charge and let go of its hold.

        If limits are enforced, the account never goes below zero: a call that costs more than was held for it takes
        at most the credits that no other call holds.
        """
        if (spending := await credits.charge_at_once(tx, entry)) is not None:
            return Charge(entry.credits, entry.cost, spending)
        account, limited = await credits.locked(tx)
        taken = entry.credits
        if limited:
            await credits.let_go(tx, hold_id)
            free = account.remaining - await credits.held(tx, entry.created_at)
            taken = max(0, min(taken, free))
        return replace(await self._take(tx, account, replace(entry, credits=taken)), limited=limited)

    async def _take(self, tx: OrgTx, account: CreditAccount, entry: LedgerEntry) -> Charge:
        spending = account.spend(entry.credits)
        await credits.save_account(tx, account.after(spending))
        await credits.append(tx, replace(entry, spending=spending))
        return Charge(entry.credits, entry.cost, spending)

    # --- people -----------------------------------------------------------------------------------------------

    async def balance(self, member: Member) -> Balance:
        member.require_admin()
        async with self._db.read_org(member.organization_id) as tx:
            return Balance(await credits.account(tx), await credits.held(tx, now()))

    async def usage(self, member: Member, first_day: date, end: date) -> Sequence[UsagePoint]:
        """Usage by day, operation and source; `end` is not included."""
        member.require_admin()
        if end < first_day:
            raise InvalidInput("end_date is before start_date")
        async with self._db.read_org(member.organization_id, long=True) as tx:
            return await credits.by_day(tx, first_day, end)

    async def breakdown(
        self, member: Member, by: UsageKey, first_day: date | None, end: date | None
    ) -> Sequence[UsageGroup]:
        member.require_admin()
        async with self._db.read_org(member.organization_id, long=True) as tx:
            return await credits.broken_down(tx, by, first_day, end)

    async def calls(
        self, member: Member, *, with_pictures: bool, skip: int, limit: int
    ) -> Sequence[LedgerEntry]:
        """The model calls, newest first, each with the pictures that were sent."""
        member.require_admin()
        async with self._db.read_org(member.organization_id, long=True) as tx:
            return await credits.calls(tx, with_pictures=with_pictures, skip=skip, limit=limit)

    async def record(self, member: Member, spent: int, operation: str, source: str) -> Spending:
        """Enter usage that a client reports. Raises InsufficientCredits where limits are enforced."""
        member.require_admin()
        entry = LedgerEntry(EntryKind.CHARGE, spent, operation, source, now(), member.user_id)
        async with self._db.write_org(member.organization_id) as tx:
            account = await credits.locked_account(tx)
            if await credits.is_limited(tx):
                left = account.remaining - await credits.held(tx, entry.created_at)
                if left < spent:
                    raise InsufficientCredits(spent, max(left, 0))
            return (await self._take(tx, account, entry)).spending

    async def add(self, principal: Principal, organization_id: str, amount: int) -> CreditAccount:
        """Grant credits."""
        await self._check_organization(principal, organization_id)
        async with self._db.write_org(organization_id) as tx:
            account = await credits.locked_account(tx)
            changed = replace(account, granted=account.granted + amount)
            await credits.save_account(tx, changed)
            await credits.append(
                tx, LedgerEntry(EntryKind.GRANT, amount, "granted", "administrator", now(), principal.user_id)
            )
        return changed

    async def set_enforced(self, principal: Principal, organization_id: str, enforced: bool) -> CreditAccount:
        await self._check_organization(principal, organization_id)
        async with self._db.write_org(organization_id) as tx:
            changed = replace(await credits.locked_account(tx), enforced=enforced)
            await credits.save_account(tx, changed)
            if not enforced:
                await credits.let_go_of_all(tx)
        return changed

    async def _check_organization(self, principal: Principal, organization_id: str) -> None:
        principal.require_system_admin()
        async with self._db.read() as tx:
            existing(await organizations.get(tx, organization_id), "Organization not found")
