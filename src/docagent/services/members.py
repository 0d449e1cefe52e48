"""Finds the member for whom background work is done."""

from __future__ import annotations

from docagent.domain.accounts import Credential, Member, Principal
from docagent.store import organizations, users
from docagent.store.engine import Tx


async def member_for(tx: Tx, organization_id: str, user_id: str | None) -> Member | None:
    """The user as a member of the organisation; None if the user or the membership is gone."""
    user = await users.get(tx, user_id) if user_id else None
    role = await organizations.member_role(tx, organization_id, user.id) if user else None
    if user is None or role is None:
        return None
    principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
    return Member(principal, organization_id, role)
