"""Members in whose name work is done: finding them, asking again whether they still are, and what goes with them."""

from __future__ import annotations

from docagent.domain.accounts.accounts import (
    CREDENTIAL_GONE,
    NO_MEMBER_ANY_MORE,
    Credential,
    Member,
    Principal,
)
from docagent.domain.clock import now
from docagent.domain.errors import Forbidden, Unauthenticated
from docagent.store.accounts import credentials, organizations, users
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.turns import permission_rules, turns


async def member_for(tx: Tx, organization_id: str, user_id: str | None) -> Member | None:
    """The user as a member of the organisation; None if the user or the membership is gone."""
    user = await users.get(tx, user_id) if user_id else None
    role = await organizations.member_role(tx, organization_id, user.id) if user else None
    if user is None or role is None:
        return None
    principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
    return Member(principal, organization_id, role)


async def check_member(tx: Tx, member: Member, *, keep: bool = False) -> None:
    """Raises Forbidden if the member has left, and Unauthenticated if their token or session is gone.

    With `keep` nobody is removed before the transaction ends.
    """
    role, opens = await credentials.standing(
        tx, member.user_id, member.principal.credential_id, member.organization_id, now(), keep=keep
    )
    if role is None:
        raise Forbidden(NO_MEMBER_ANY_MORE)
    if not opens:
        raise Unauthenticated(CREDENTIAL_GONE)


async def forget_member(tx: OrgTx, user_id: str) -> None:
    """Take away what goes with a membership: tokens, remembered answers, and the turns that wait for the member.

    A turn that runs ends by itself: its next commit finds that the membership is gone.
    """
    await credentials.delete_tokens_of_member(tx, user_id, tx.organization_id)
    await permission_rules.delete_of_user(tx, user_id)
    await turns.end_waits(tx, user_id, now())
