"""Queries on organisations and their members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.accounts.accounts import DefaultModels, Membership, Organization, OrganizationType, Role
from docagent.domain.ids import is_id
from docagent.domain.listing import Found
from docagent.store.engine.database import Tx
from docagent.store.engine.tenancy import Built, held
from docagent.store.listing import contains, counted
from docagent.store.mapping import Mapped
from docagent.store.tables import members, organizations, users

# Every request runs this, so it is built once.
_MEMBER_ROLE = Built(
    sa.select(members.c.role).where(
        members.c.organization_id == sa.bindparam("asked_organization"),
        members.c.user_id == sa.bindparam("asked_user"),
    )
)
_ASKED = organizations.c.id == sa.bindparam("asked_organization")
_DEFAULT_MODELS = held(
    sa.select(organizations.c.default_model, organizations.c.default_agent_model).where(_ASKED)
)
_AUTO_CREATE = held(sa.select(organizations.c.auto_create_default).where(_ASKED))
_TIME_ZONE = held(sa.select(organizations.c.time_zone).where(_ASKED))
_PICTURES = held(sa.select(organizations.c.pictures, organizations.c.remote_pictures).where(_ASKED))
_OCR_CONFIG = held(sa.select(organizations.c.ocr_config).where(_ASKED))
_LOOP_STRATEGY = held(sa.select(organizations.c.loop_strategy).where(_ASKED))
_ORGANIZATION = Mapped(Organization, organizations, given=("members",), besides=("loop_strategy",))
_MEMBER = Mapped(Membership, members, besides=("position",))

update, delete = _ORGANIZATION.change, _ORGANIZATION.delete


async def get(tx: Tx, organization_id: str) -> Organization | None:
    if not is_id(organization_id):
        return None
    row = await tx.first(sa.select(organizations).where(organizations.c.id == organization_id))
    return (await _with_members(tx, [row]))[0] if row else None


async def names(tx: Tx, organization_ids: Sequence[str]) -> dict[str, str]:
    found = sa.select(organizations.c.id, organizations.c.name)
    rows = await tx.rows(found.where(organizations.c.id.in_(organization_ids)))
    return {row.id: row.name for row in rows}


async def default_models(tx: Tx, organization_id: str) -> DefaultModels:
    row = await tx.first(_DEFAULT_MODELS, {"asked_organization": organization_id})
    return DefaultModels(*row) if row else DefaultModels()


async def loop_strategy(tx: Tx, organization_id: str) -> str | None:
    found: str | None = await tx.scalar(_LOOP_STRATEGY, {"asked_organization": organization_id})
    return found


async def time_zone(tx: Tx, organization_id: str) -> str | None:
    found: str | None = await tx.scalar(_TIME_ZONE, {"asked_organization": organization_id})
    return found


async def pictures(tx: Tx, organization_id: str) -> tuple[str | None, bool]:
    """When pictures of pages are sent to models, if that was decided, and whether remote ones may get any."""
    row = await tx.first(_PICTURES, {"asked_organization": organization_id})
    return (row.pictures, row.remote_pictures) if row else (None, True)


async def ocr_by_model(tx: Tx, organization_id: str) -> Mapping[str, Any]:
    """What the organisation says of text recognition by a language model."""
    config: Mapping[str, Any] = await tx.scalar(_OCR_CONFIG, {"asked_organization": organization_id}) or {}
    found: Mapping[str, Any] = config.get("llm", {})
    return found


async def auto_create_default(tx: Tx, organization_id: str) -> bool:
    return bool(await tx.scalar(_AUTO_CREATE, {"asked_organization": organization_id}))


async def id_of_name(tx: Tx, name: str) -> str | None:
    statement = sa.select(organizations.c.id).where(organizations.c.name_folded == name.casefold())
    found: str | None = await tx.scalar(statement)
    return found


async def insert(tx: Tx, organization: Organization) -> None:
    await _ORGANIZATION.insert(tx, organization)
    await _insert_members(tx, organization.id, organization.members)


async def replace_members(tx: Tx, organization_id: str, new: Sequence[Membership]) -> None:
    await tx.across(sa.delete(members).where(members.c.organization_id == organization_id))
    await _insert_members(tx, organization_id, new)


async def member_role(tx: Tx, organization_id: str, user_id: str) -> Role | None:
    """The user's role, or None if they are no member."""
    row = (
        await tx.across(_MEMBER_ROLE, {"asked_organization": organization_id, "asked_user": user_id})
    ).first()
    return Role(row.role) if row else None


async def of_user(tx: Tx, user_id: str, *, admin_only: bool = False) -> list[str]:
    statement = sa.select(members.c.organization_id).where(members.c.user_id == user_id)
    if admin_only:
        statement = statement.where(members.c.role == Role.ADMIN)
    return [row.organization_id for row in await tx.across(statement.order_by(members.c.organization_id))]


async def own(tx: Tx, user_id: str) -> str | None:
    """The user's individual organisation, or else the first that they belong to."""
    statement = (
        sa.select(organizations.c.id)
        .join(members, members.c.organization_id == organizations.c.id)
        .where(members.c.user_id == user_id)
        .order_by(organizations.c.type != OrganizationType.INDIVIDUAL, organizations.c.id)
        .limit(1)
    )
    found: str | None = (await tx.across(statement)).scalar_one_or_none()
    return found


async def where_sole_admin(tx: Tx, user_id: str) -> list[str]:
    """Organisations with other members in which this user is the only admin."""
    found = []
    for organization_id in await of_user(tx, user_id, admin_only=True):
        organization = await get(tx, organization_id)
        if organization is None or len(organization.members) == 1:
            continue
        if sum(member.role is Role.ADMIN for member in organization.members) == 1:
            found.append(organization.name)
    return found


async def search(
    tx: Tx,
    *,
    user_id: str | None,
    name_search: str | None,
    member_search: str | None,
    skip: int,
    limit: int,
) -> Found[Organization]:
    """Organisations, newest first. `user_id` narrows them to that user's."""
    statement = sa.select(organizations)
    if user_id is not None:
        mine = sa.select(members.c.organization_id).where(members.c.user_id == user_id)
        statement = statement.where(organizations.c.id.in_(mine))
    if name_search:
        statement = statement.where(contains(organizations.c.name_folded, name_search.casefold()))
    if member_search:
        needle = member_search.casefold()
        with_member = (
            sa.select(members.c.organization_id)
            .join(users, users.c.id == members.c.user_id)
            .where(
                sa.or_(contains(sa.func.lower(users.c.name), needle), contains(users.c.email_folded, needle))
            )
        )
        statement = statement.where(organizations.c.id.in_(with_member))
    total = int((await tx.across(counted(statement))).scalar_one())
    rows = (await tx.across(statement.order_by(organizations.c.id.desc()).offset(skip).limit(limit))).all()
    return Found(await _with_members(tx, rows), total, skip)


async def _insert_members(tx: Tx, organization_id: str, new: Sequence[Membership]) -> None:
    rows = [
        _MEMBER.values(member, organization_id=organization_id, position=position)
        for position, member in enumerate(new)
    ]
    if rows:
        await tx.across(sa.insert(members), rows)


async def _with_members(tx: Tx, rows: Sequence[Row[Any]]) -> list[Organization]:
    belonging: dict[str, list[Membership]] = defaultdict(list)
    ids = [row.id for row in rows]
    if ids:
        found = await tx.across(
            sa.select(members).where(members.c.organization_id.in_(ids)).order_by(members.c.position)
        )
        for row in found:
            belonging[row.organization_id].append(_MEMBER.of(row))
    return [_ORGANIZATION.of(row, members=tuple(belonging[row.id])) for row in rows]
