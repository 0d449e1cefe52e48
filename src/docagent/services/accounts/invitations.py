"""Invitations: nobody is put into an organisation without a yes.

The yes is given by a link, by whoever holds it and signs in as the invited or makes the account of the invited
address, or after a sign-in, by an account that was named by its id or whose address is verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docagent.domain.accounts.accounts import (
    Credential,
    Invitation,
    Membership,
    Organization,
    Principal,
    Role,
    User,
)
from docagent.domain.accounts.passwords import check_password
from docagent.domain.clock import now
from docagent.domain.errors import DocAgentError, Forbidden, InvalidInput, NotFound, Unauthenticated, existing
from docagent.domain.listing import Found
from docagent.security import Passwords, token_hash
from docagent.services.accounts.inviting import InvitationTerms, Invited, Inviting
from docagent.services.accounts.organizations import ACCOUNTS, administered
from docagent.services.accounts.users import check_email, create_user
from docagent.store.accounts import invitations, organizations, users
from docagent.store.engine.database import Database, Tx

NOT_FOUND = "Invitation not found"


@dataclass(frozen=True, slots=True)
class InvitationView:
    """An invitation as somebody may see it."""

    invitation: Invitation
    email: str
    """Empty if the reader may not know the address."""
    organization_name: str | None
    invited_by: str
    user_exists: bool | None = None
    """None if the reader may not know."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What somebody without an account chooses."""

    name: str
    password: str


@dataclass(eq=False)
class InvitationService:
    _db: Database
    _passwords: Passwords
    _inviting: Inviting
    _terms: InvitationTerms

    # --- whoever invites --------------------------------------------------------------------------------------

    async def create(
        self, principal: Principal, *, email: str, organization_id: str | None, role: Role
    ) -> tuple[InvitationView, str | None]:
        """Invite an address. Returns the link too, unless it was mailed. A new invitation replaces an older one."""
        check_email(email)
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            organization = None
            if organization_id is not None:
                organization = await administered(tx, principal, organization_id)
            elif not principal.is_system_admin:
                raise Forbidden("Admin access required")
            known = await users.with_password(tx, email)
            if known is not None:
                _check_is_new(known[0], organization)
            await invitations.delete_address(tx, organization_id, email)
            invited = await self._inviting.invite(
                tx, principal, organization, email, role if organization else Role.USER
            )
            view = await _view(tx, invited.invitation, email)
        await self._send(invited)
        return view, invited.link

    async def list(
        self, principal: Principal, *, organization_id: str | None, skip: int, limit: int
    ) -> Found[InvitationView]:
        """Open invitations of the organisations that the caller administers; all, for system administrators."""
        async with self._db.read() as tx:
            reach: list[str] | None = None
            if organization_id is not None:
                reach = [(await administered(tx, principal, organization_id)).id]
            elif not principal.is_system_admin:
                reach = await organizations.of_user(tx, principal.user_id, admin_only=True)
            found = await invitations.search(tx, organization_ids=reach, skip=skip, limit=limit, now=now())
            views = await _views(tx, [(each, each.email or "") for each in found.items])
            return Found(views, found.total, skip)

    async def revoke(self, principal: Principal, invitation_id: str) -> None:
        """Take an invitation back. Unknown ones and those of others look the same."""
        async with self._db.write() as tx:
            found = await invitations.get(tx, invitation_id)
            if found is None or not await _may_invite(
                tx, principal.user_id, principal.role, found.organization_id
            ):
                raise NotFound(NOT_FOUND)
            await _take(tx, found)

    # --- whoever holds the link -------------------------------------------------------------------------------

    async def view(self, token: str) -> InvitationView:
        async with self._db.read() as tx:
            invitation = await _by_link(tx, token)
            email = await _address(tx, invitation)
            exists = None
            if invitation.mailed:
                exists = await users.with_password(tx, email) is not None
            return await _view(tx, invitation, email, user_exists=exists)

    async def accept_by_link(
        self, token: str, principal: Principal | None, newcomer: Newcomer | None
    ) -> None:
        """Say yes, as the account that is invited and signed in, or by making the account."""
        password_hash = await self._hash_for_newcomer(token, principal, newcomer)
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            invitation = await _by_link(tx, token)
            user = await _signed_in(tx, principal, invitation)
            if user is None:
                if newcomer is None or password_hash is None:
                    raise _cannot_accept(principal)
                user = await create_user(
                    tx,
                    email=await _address(tx, invitation),
                    name=newcomer.name,
                    password_hash=password_hash,
                    role=Role.USER,
                    email_verified=invitation.mailed,
                )
            await _join(tx, invitation, user)

    async def decline_by_link(self, token: str) -> None:
        async with self._db.write() as tx:
            await _take(tx, existing(await invitations.by_token(tx, token_hash(token)), NOT_FOUND))

    # --- whoever is signed in ---------------------------------------------------------------------------------

    async def waiting_for(self, principal: Principal) -> Sequence[InvitationView]:
        """What the caller is asked."""
        async with self._db.read() as tx:
            user = await users.get(tx, principal.user_id)
            if user is None:
                return []
            asked = [
                (each, user.email)
                for each in _to_be_shown(await invitations.for_user(tx, user, now()), user)
                if await _why_void(tx, each) is None
            ]
            return await _views(tx, asked, users_exist=True)

    async def answer(self, principal: Principal, invitation_id: str, *, yes: bool) -> None:
        if principal.credential is not Credential.SESSION:
            raise Forbidden("An API token cannot answer an invitation. Sign in, and answer there.")
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            user = await users.get(tx, principal.user_id)
            found = await invitations.get(tx, invitation_id)
            if user is None or found is None or not list(_to_be_shown([found], user)):
                raise NotFound(NOT_FOUND)
            if not yes:
                await _take(tx, found)
                return
            await _check_holds(tx, found)
            await _join(tx, found, user)

    # --- helpers ----------------------------------------------------------------------------------------------

    async def _send(self, invited: Invited) -> None:
        """A link that was not sent is known to nobody, so its invitation is taken back."""
        try:
            await self._inviting.send(invited)
        except DocAgentError:
            async with self._db.write() as tx:
                await invitations.delete(tx, invited.invitation.id)
            raise

    async def _hash_for_newcomer(
        self, token: str, principal: Principal | None, newcomer: Newcomer | None
    ) -> str | None:
        """The hash of a new account's password; None if the invited has an account and is signed in.

        Hashing is slow on purpose, so it happens between two transactions, and only for a link that holds.
        """
        async with self._db.read() as tx:
            invitation = await _by_link(tx, token)
            if await _signed_in(tx, principal, invitation) is not None:
                return None
            if newcomer is None:
                raise _cannot_accept(principal)
            await self._check_newcomer(tx, invitation, newcomer)
        return await self._passwords.hash(newcomer.password)

    async def _check_newcomer(self, tx: Tx, invitation: Invitation, newcomer: Newcomer) -> None:
        """The address is looked up last, so that a refusal tells nothing about it."""
        check_password(newcomer.password)
        inviter = await users.get(tx, invitation.created_by)
        if not self._terms.newcomers and (inviter is None or inviter.role is not Role.ADMIN):
            raise Forbidden(
                "Sign in with the invited address to accept. Only the administrators of this server "
                "create accounts."
            )
        if await users.with_password(tx, await _address(tx, invitation)) is not None:
            raise InvalidInput("There is an account with this address already. Sign in to accept.")


def _check_is_new(user: User, organization: Organization | None) -> None:
    if organization is None:
        raise InvalidInput("Email already registered")
    if any(member.user_id == user.id for member in organization.members):
        raise InvalidInput(f"{user.email} is a member of this organization already.")


def _to_be_shown(found: Iterable[Invitation], user: User) -> Iterable[Invitation]:
    """An unverified address may be somebody else's, so what was sent to it is shown to holders of the link alone."""
    for each in found:
        if each.user_id == user.id or (user.email_verified and each.is_addressed_to(user)):
            yield each


async def _by_link(tx: Tx, token: str) -> Invitation:
    found = existing(await invitations.by_token(tx, token_hash(token)), NOT_FOUND)
    await _check_holds(tx, found)
    return found


async def _check_holds(tx: Tx, invitation: Invitation) -> None:
    if (why := await _why_void(tx, invitation)) is not None:
        raise InvalidInput(f"{why} Ask for a new one.")


async def _why_void(tx: Tx, invitation: Invitation) -> str | None:
    if invitation.expires_at <= now():
        return "This invitation has expired."
    inviter = await users.get(tx, invitation.created_by)
    if inviter is None or not await _may_invite(tx, inviter.id, inviter.role, invitation.organization_id):
        return "This invitation no longer holds, because whoever made it may not invite any more."
    return None


async def _signed_in(tx: Tx, principal: Principal | None, invitation: Invitation) -> User | None:
    """The caller, if it is the invited who is signed in."""
    if principal is None or principal.credential is not Credential.SESSION:
        return None
    user = await users.get(tx, principal.user_id)
    return user if user is not None and invitation.is_for(user) else None


def _cannot_accept(principal: Principal | None) -> DocAgentError:
    if principal is None:
        return Unauthenticated("Sign in with the invited address to accept, or send a name and a password.")
    if principal.credential is not Credential.SESSION:
        return Forbidden("An API token cannot accept an invitation. Sign in, and accept it there.")
    return Forbidden(
        "This invitation is for another account. Sign out, and open the link again as whoever is invited."
    )


async def _take(tx: Tx, invitation: Invitation) -> None:
    """Delete the invitation. Of several who answer or take back at the same moment, one does."""
    if not await invitations.delete(tx, invitation.id):
        raise NotFound(NOT_FOUND)


async def _join(tx: Tx, invitation: Invitation, user: User) -> None:
    await _take(tx, invitation)
    organization_id = invitation.organization_id
    await invitations.delete_answered(tx, organization_id, user)
    if organization_id is None:
        return
    organization = existing(await organizations.get(tx, organization_id), NOT_FOUND)
    if all(member.user_id != user.id for member in organization.members):
        joined = (*organization.members, Membership(user.id, invitation.role))
        await organizations.replace_members(tx, organization_id, joined)


async def _may_invite(tx: Tx, user_id: str, role: Role, organization_id: str | None) -> bool:
    if role is Role.ADMIN or organization_id is None:
        return role is Role.ADMIN
    return await organizations.member_role(tx, organization_id, user_id) is Role.ADMIN


async def _address(tx: Tx, invitation: Invitation) -> str:
    if invitation.email is not None:
        return invitation.email
    user = await users.get(tx, invitation.user_id) if invitation.user_id else None
    return existing(user, NOT_FOUND).email


async def _view(
    tx: Tx, invitation: Invitation, email: str, *, user_exists: bool | None = None
) -> InvitationView:
    (view,) = await _views(tx, [(invitation, email)], users_exist=user_exists)
    return view


async def _views(
    tx: Tx, shown: Sequence[tuple[Invitation, str]], *, users_exist: bool | None = None
) -> list[InvitationView]:
    """Invitations with the addresses they are for, and the names of organisations and of those who made them."""
    places = await organizations.names(tx, [one.organization_id for one, _ in shown if one.organization_id])
    people = await users.names(tx, [one.created_by for one, _ in shown])
    return [
        InvitationView(
            one, email, places.get(one.organization_id or ""), people.get(one.created_by, ""), users_exist
        )
        for one, email in shown
    ]
