"""User accounts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from docagent.domain.accounts.accounts import Credential, Principal, Role, User
from docagent.domain.accounts.addresses import place_of
from docagent.domain.accounts.passwords import check_password
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, Forbidden, InvalidInput, existing
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, check_search
from docagent.security import Passwords
from docagent.services.accounts.members import forget_member
from docagent.services.accounts.open_streams import OpenStreams, Stopped
from docagent.services.accounts.organizations import ACCOUNTS, new_organization
from docagent.services.accounts.sign_in_limits import Tries
from docagent.store.accounts import credentials, organizations, users
from docagent.store.documents import documents
from docagent.store.engine.database import Database, Tx

MOST_NEWCOMERS_IN_AN_HOUR = 100
"""How many strangers of one place may try to register in an hour."""
_EMAIL = re.compile(r'[^@\s,;:<>()\[\]"\\]+@[^@\s,;:<>()\[\]"\\]+')


class UserService:
    def __init__(
        self, db: Database, passwords: Passwords, streams: OpenStreams, *, open_to_strangers: bool = False
    ) -> None:
        self._db = db
        self._streams = streams
        self._passwords = passwords
        self._tries = Tries(most=10, minutes=5)
        self._open_to_strangers = open_to_strangers
        self._newcomers = Tries(most=MOST_NEWCOMERS_IN_AN_HOUR, minutes=60)

    async def list(
        self,
        principal: Principal,
        *,
        organization_id: str | None,
        user_id: str | None,
        search: str | None,
        skip: int,
        limit: int,
    ) -> Found[User]:
        if organization_id and user_id:
            raise InvalidInput("Cannot specify both user_id and organization_id")
        check_search("search_name", search)
        async with self._db.read() as tx:
            if user_id:
                return Found([await self._visible(tx, principal, user_id)], 1, 0)
            reach = await self._reach(tx, principal, organization_id)
            return await users.search(tx, text=search, in_organizations=reach, skip=skip, limit=limit)

    async def create(self, principal: Principal, *, email: str, name: str, password: str) -> User:
        """A user with an individual organisation of their own, named after the e-mail."""
        if not principal.is_system_admin:
            raise Forbidden("Admin access required")
        return await self._create(email, name, password)

    async def register(self, principal: Principal | None, *, email: str, password: str, address: str) -> User:
        """The same for strangers, where the deployment lets them in. An administrator may always do it."""
        if principal is None and not self._open_to_strangers:
            raise Forbidden(
                "Registration is closed here. Ask an administrator for an account or an invitation."
            )
        if principal is not None and not principal.is_system_admin:
            raise Forbidden("Admin access required")
        if principal is None:
            await self._newcomers.count(place_of(address), "Too many tried to register from your network.")
        return await self._create(email, email, password)

    async def _create(self, email: str, name: str, password: str) -> User:
        check_email(email)
        check_password(password)
        password_hash = await self._passwords.hash(password)
        async with self._db.write() as tx:
            return await create_user(tx, email=email, name=name, password_hash=password_hash, role=Role.USER)

    async def update(
        self, principal: Principal, user_id: str, changes: dict[str, Any]
    ) -> tuple[User, Stopped]:
        """Change name, password, has_seen_tour and, as a system administrator, role and email_verified.

        One's own password is changed with `current_password`. A new password ends all sessions of the user, and with
        `revoke_tokens` all API tokens, and with them their turns and streams.
        """
        if not principal.is_system_admin and principal.user_id != user_id:
            raise Forbidden("Not authorized to update this user")
        allowed = {"name", "password", "has_seen_tour"}
        if principal.is_system_admin:
            allowed |= {"role", "email_verified"}
        values = {key: value for key, value in changes.items() if key in allowed and value is not None}
        if not values:
            raise InvalidInput("No valid update data provided")
        password = values.pop("password", None)
        before = None
        if password is not None:
            check_password(password)
            before = await self._check_may_set_password(principal, user_id, changes.get("current_password"))
            values["password_hash"] = await self._passwords.hash(password)
            values["password_changed_at"] = now()
        gone: list[str] = []
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            user = await self._existing(tx, user_id)
            demoted = user.role is Role.ADMIN and values.get("role", Role.ADMIN) != Role.ADMIN
            if demoted and await users.count_admins(tx) == 1:
                raise InvalidInput("Cannot remove the last admin: make another user an admin first.")
            if password is not None:
                if await users.password_hash(tx, user_id) != before:
                    raise Conflict("The password was changed meanwhile. Sign in with the new one.")
                gone = await credentials.delete_of_user(
                    tx, user_id, tokens=bool(changes.get("revoke_tokens"))
                )
            await users.update(tx, user_id, values)
            revocation = await self._streams.revoke(tx, gone)
            changed = await self._existing(tx, user_id)
        return changed, await self._streams.stopped(revocation)

    async def delete(self, principal: Principal, user_id: str) -> None:
        """Delete the user, and the organisations that have no other member."""
        if not principal.is_system_admin and principal.user_id != user_id:
            raise Forbidden("Not authorized to delete this user")
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            user = await self._existing(tx, user_id)
            if user.role is Role.ADMIN and await users.count_admins(tx) == 1:
                raise InvalidInput("Cannot delete the last admin: make another user an admin first.")
            if stranded := await organizations.where_sole_admin(tx, user_id):
                raise InvalidInput(
                    f"Cannot delete the only admin of {', '.join(stranded)}: make another member an admin first."
                )
            for organization_id in await organizations.of_user(tx, user_id):
                organization = await organizations.get(tx, organization_id)
                if organization is not None and len(organization.members) == 1:
                    await documents.discard_all_files(tx, organization_id, now())
                    await organizations.delete(tx, organization_id)
                else:
                    await forget_member(self._db.in_org(tx, organization_id), user_id)
            await users.delete(tx, user_id)

    async def get(self, principal: Principal, user_id: str) -> User:
        async with self._db.read() as tx:
            return await self._visible(tx, principal, user_id)

    async def _check_may_set_password(
        self, principal: Principal, user_id: str, shown: str | None
    ) -> str | None:
        """Whoever changes their own password shows the current one. Returns the hash to replace."""
        if principal.credential is not Credential.SESSION:
            raise Forbidden("An API token cannot change a password. Sign in, and change it there.")
        async with self._db.read() as tx:
            await self._existing(tx, user_id)
            stored = await users.password_hash(tx, user_id)
        if principal.user_id != user_id or stored is None:
            return stored
        if shown is None:
            raise InvalidInput("Your current password is missing: send it as current_password.")
        await self._tries.count(user_id, "Too many wrong passwords.")
        if not await self._passwords.verify(shown, stored):
            raise Forbidden("The current password is wrong. Nothing was changed.")
        await self._tries.forget(user_id)
        return stored

    async def _visible(self, tx: Tx, principal: Principal, user_id: str) -> User:
        if principal.user_id != user_id and not principal.is_system_admin:
            mine = set(await organizations.of_user(tx, principal.user_id, admin_only=True))
            theirs = set(await organizations.of_user(tx, user_id)) if is_id(user_id) else set()
            if not mine & theirs:
                raise Forbidden("Not authorized to view this user")
        return await self._existing(tx, user_id)

    async def _existing(self, tx: Tx, user_id: str) -> User:
        return existing(await users.get(tx, user_id), "User not found")

    async def _reach(self, tx: Tx, principal: Principal, organization_id: str | None) -> Sequence[str] | None:
        """The organisations whose members may be listed; None for all users."""
        if organization_id is None:
            if principal.is_system_admin:
                return None
            return await organizations.of_user(tx, principal.user_id)
        organization = existing(await organizations.get(tx, organization_id), "Organization not found")
        belongs = any(member.user_id == principal.user_id for member in organization.members)
        if not belongs and not principal.is_system_admin:
            raise Forbidden("Not authorized to view the users of this organization")
        return [organization_id]


async def create_user(
    tx: Tx,
    *,
    email: str,
    name: str,
    password_hash: str | None,
    role: Role,
    email_verified: bool = False,
    organization_name: str | None = None,
) -> User:
    """Insert a user and their individual organisation, which DocRouter names after the e-mail."""
    await tx.take_turns(ACCOUNTS)
    if await users.with_password(tx, email) is not None:
        raise InvalidInput("Email already registered")
    user_id, moment = new_id(), now()
    user = User(
        id=user_id,
        email=email,
        name=name,
        role=role,
        email_verified=email_verified,
        has_password=password_hash is not None,
        has_seen_tour=False,
        created_at=moment,
    )
    await users.insert(tx, user, password_hash=password_hash)
    free_name = organization_name or email
    if await organizations.id_of_name(tx, free_name) is not None:
        free_name = f"{free_name} ({user_id})"
    await organizations.insert(tx, new_organization(free_name, user_id))
    return user


def check_email(email: str) -> None:
    if not _EMAIL.fullmatch(email) or not email.isprintable():
        raise InvalidInput(f"Not an e-mail address: {email[:100]}")
