"""Organisations, their settings and members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.domain.accounts.accounts import (
    ORGANIZATIONS_PER_USER,
    Membership,
    Organization,
    OrganizationType,
    Principal,
    Role,
    User,
)
from docagent.domain.clock import now
from docagent.domain.documents.ocr_config import default_ocr_config, merge_ocr_config
from docagent.domain.errors import Forbidden, InvalidInput, existing
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, check_search
from docagent.services.accounts.inviting import Invited, Inviting
from docagent.services.accounts.members import forget_member
from docagent.store.accounts import invitations, organizations, users
from docagent.store.documents import documents
from docagent.store.engine.database import Database, Tx

ACCOUNTS = "accounts"
"""Changes to users and organisations take turns over this, so that names stay unique and the last admin stays."""
FLAGS = (
    "default_prompt_enabled",
    "experimental_features",
    "flow_log_level",
    "auto_create_default",
    "time_zone",
    "pictures",
    "remote_pictures",
)
MAY_BE_NONE = ("time_zone", "pictures")
"""Without one of its own, an organisation has what is usual: the time zone of the settings, for instance."""


class OrganizationService:
    def __init__(self, db: Database, inviting: Inviting) -> None:
        self._db = db
        self._inviting = inviting

    async def list(
        self,
        principal: Principal,
        *,
        user_id: str | None = None,
        organization_id: str | None = None,
        name_search: str | None = None,
        member_search: str | None = None,
        skip: int = 0,
        limit: int = 10,
    ) -> Found[Organization]:
        if user_id and organization_id:
            raise InvalidInput("Cannot specify both user_id and organization_id")
        check_search("name_search", name_search)
        check_search("member_search", member_search)
        async with self._db.read() as tx:
            if organization_id:
                return Found([await self._visible(tx, principal, organization_id)], 1, 0)
            if user_id and user_id != principal.user_id and not principal.is_system_admin:
                raise Forbidden("Not authorized to view the organizations of this user")
            if user_id and not is_id(user_id):
                return Found([], 0, skip)
            narrowed = user_id or (None if principal.is_system_admin else principal.user_id)
            return await organizations.search(
                tx,
                user_id=narrowed,
                name_search=name_search,
                member_search=member_search,
                skip=skip,
                limit=limit,
            )

    async def create(
        self,
        principal: Principal,
        *,
        name: str,
        type: OrganizationType,
        flags: dict[str, Any],
        ocr_config: dict[str, Any] | None,
    ) -> Organization:
        """Make an organisation, with its creator as the only admin."""
        if type is OrganizationType.ENTERPRISE and not principal.is_system_admin:
            raise Forbidden("Only system administrators can create Enterprise organizations")
        organization = new_organization(name, principal.user_id, type, flags, ocr_config)
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            owned = await organizations.of_user(tx, principal.user_id)
            if len(owned) >= ORGANIZATIONS_PER_USER and not principal.is_system_admin:
                raise Forbidden(
                    f"User limit reached: you belong to {ORGANIZATIONS_PER_USER} organizations already. "
                    "Leave or delete one first."
                )
            await self._check_name(tx, name)
            await organizations.insert(tx, organization)
        return organization

    async def update(
        self,
        principal: Principal,
        organization_id: str,
        *,
        name: str | None,
        type: OrganizationType | None,
        members: Sequence[Membership] | None,
        flags: dict[str, Any],
        ocr_config: dict[str, Any] | None,
    ) -> Organization:
        """Change what is given. Members whom somebody else than a system administrator adds are invited instead."""
        invited: Sequence[Invited] = ()
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            organization = await administered(tx, principal, organization_id)
            values: dict[str, Any] = {"updated_at": now()} | {
                key: value
                for key, value in flags.items()
                if key in FLAGS and (value is not None or key in MAY_BE_NONE)
            }
            if name is not None and name != organization.name:
                await self._check_name(tx, name, organization_id)
                values["name"] = name
            if type is not None and type is not organization.type:
                _check_upgrade(principal, organization.type, type)
                values["type"] = type
            if ocr_config is not None:
                values["ocr_config"] = merge_ocr_config(organization.ocr_config, ocr_config)
            if members is not None:
                invited = await self._replace_members(tx, principal, organization, members)
            await organizations.update(tx, organization_id, values)
            changed = await _existing(tx, organization_id)
        await self._inviting.send_what_can_be_sent(invited)
        return changed

    async def delete(self, principal: Principal, organization_id: str) -> None:
        """Delete the organisation and everything in it. Its files are removed at the next clean-up."""
        async with self._db.write(long=True) as tx:
            await tx.take_turns(ACCOUNTS)
            await administered(tx, principal, organization_id)
            await documents.discard_all_files(tx, organization_id, now())
            await organizations.delete(tx, organization_id)

    async def leave(self, principal: Principal, organization_id: str) -> None:
        """End the caller's own membership. The last admin cannot leave."""
        async with self._db.write() as tx:
            await tx.take_turns(ACCOUNTS)
            organization = await _existing(tx, organization_id)
            others = [member for member in organization.members if member.user_id != principal.user_id]
            if len(others) == len(organization.members):
                raise Forbidden("You are not a member of this organization")
            if not _admins(others):
                raise InvalidInput(
                    "You are its only admin: make another member an admin first, or delete the organization."
                )
            await self._replace_members(tx, principal, organization, others)

    async def _replace_members(
        self, tx: Tx, principal: Principal, organization: Organization, wanted: Sequence[Membership]
    ) -> Sequence[Invited]:
        """Returns the invitations of those who become members by their own yes."""
        if len({member.user_id for member in wanted}) != len(wanted):
            raise InvalidInput("A member is listed twice.")
        before = {member.user_id for member in organization.members}
        members, asked = list[Membership](), list[tuple[User, Role]]()
        for member in wanted:
            user = await users.get(tx, member.user_id)
            if user is None:
                raise InvalidInput(f"Unknown user: {member.user_id[:40]}")
            if member.user_id in before:
                members.append(member)
            elif principal.is_system_admin:
                members.append(member)
                await invitations.delete_answered(tx, organization.id, user)
            else:
                asked.append((user, member.role))
        if not _admins(members):
            raise InvalidInput("Organization must have at least one admin")
        await organizations.replace_members(tx, organization.id, members)
        for gone in before - {member.user_id for member in members}:
            await forget_member(self._db.in_org(tx, organization.id), gone)
        for demoted in _admins(organization.members) - _admins(members):
            await invitations.delete_made_by(tx, organization.id, demoted)
        return [
            invited
            for user, role in asked
            if (invited := await self._invite(tx, principal, organization, user, role)) is not None
        ]

    async def _invite(
        self, tx: Tx, principal: Principal, organization: Organization, user: User, role: Role
    ) -> Invited | None:
        """Clients send the whole list with every change, so people who are invited already are not asked twice."""
        open_one = await invitations.of_account(tx, organization.id, user.id, now())
        if open_one is None:
            return await self._inviting.invite(tx, principal, organization, user, role)
        if open_one.role is not role:
            await invitations.change(tx, open_one.id, {"role": role})
        return None

    async def _visible(self, tx: Tx, principal: Principal, organization_id: str) -> Organization:
        organization = await _existing(tx, organization_id)
        belongs = any(member.user_id == principal.user_id for member in organization.members)
        if not belongs and not principal.is_system_admin:
            raise Forbidden("Not authorized to view this organization")
        return organization

    async def _check_name(self, tx: Tx, name: str, own_id: str | None = None) -> None:
        other = await organizations.id_of_name(tx, name)
        if other is not None and other != own_id:
            raise InvalidInput(f"An organization named '{name}' already exists")


async def administered(tx: Tx, principal: Principal, organization_id: str) -> Organization:
    """The organisation, for those who administer it. Raises NotFound or Forbidden."""
    organization = await _existing(tx, organization_id)
    if principal.user_id not in _admins(organization.members) and not principal.is_system_admin:
        raise Forbidden("You are not an admin of this organization")
    return organization


async def _existing(tx: Tx, organization_id: str) -> Organization:
    return existing(await organizations.get(tx, organization_id), "Organization not found")


def new_organization(
    name: str,
    owner_id: str,
    type: OrganizationType = OrganizationType.INDIVIDUAL,
    flags: dict[str, Any] | None = None,
    ocr_config: dict[str, Any] | None = None,
) -> Organization:
    """An organisation that is not stored yet, with its owner as the only admin."""
    moment = now()
    flags = flags or {}
    return Organization(
        id=new_id(),
        name=name,
        type=type,
        default_prompt_enabled=flags.get("default_prompt_enabled", True),
        experimental_features=flags.get("experimental_features", False),
        flow_log_level=flags.get("flow_log_level", "ERROR"),
        auto_create_default=flags.get("auto_create_default", False),
        ocr_config=merge_ocr_config(default_ocr_config(), ocr_config or {}),
        default_model=None,
        default_agent_model=None,
        time_zone=flags.get("time_zone"),
        pictures=flags.get("pictures"),
        remote_pictures=flags.get("remote_pictures", True),
        created_at=moment,
        updated_at=moment,
        members=(Membership(owner_id, Role.ADMIN),),
    )


def _admins(members: Sequence[Membership]) -> set[str]:
    return {member.user_id for member in members if member.role is Role.ADMIN}


def _check_upgrade(principal: Principal, old: OrganizationType, new: OrganizationType) -> None:
    if not old.may_become(new):
        raise InvalidInput(f"Invalid organization type upgrade. Cannot change from {old} to {new}")
    if new is OrganizationType.ENTERPRISE and not principal.is_system_admin:
        raise Forbidden("Only system administrators can upgrade organizations to Enterprise")
