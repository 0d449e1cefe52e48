"""Invitations: DocRouter's paths, where the link's secret names one, and ours for those who are signed in."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import AccountCaller, Limit, PossibleCaller, ServicesDep, Skip
from docagent.api.fields import Email, Name, ShortText
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.accounts.accounts import Role
from docagent.domain.listing import Found
from docagent.services.accounts.invitations import Newcomer

router = Router(prefix="/v0/account", tags=["invitations"])


class NewInvitationIn(BaseModel):
    email: Email
    organization_id: str | None = None
    """Left out by system administrators who invite to the server alone."""
    role: Role = Role.USER


class AcceptIn(BaseModel):
    """What a newcomer chooses. People with an account sign in and send nothing."""

    name: Name | None = None
    password: ShortText | None = None


class InvitationOut(Answer):
    id: str = at_path("invitation.id")
    email: str
    """Empty if an account was invited by its id: its address is shown after the yes."""
    user_id: str | None = at_path("invitation.user_id")
    organization_id: str | None = at_path("invitation.organization_id")
    organization_name: str | None
    role: Role = at_path("invitation.role")
    user_exists: bool | None
    """None where it is withheld: otherwise a person who invites could find out who has an account."""
    invited_by: str
    created_at: datetime = at_path("invitation.created_at")
    expires_at: datetime = at_path("invitation.expires_at")


class NewInvitationOut(InvitationOut):
    mailed: bool
    link: str | None
    """What to hand over, shown once. None if it was mailed. Without a host if `server.public_url` is not set."""


class InvitationsOut(Page[InvitationOut]):
    items: list[InvitationOut] = Field(serialization_alias="invitations")


@router.post("/email/invitations")
async def create_invitation(
    body: NewInvitationIn, caller: AccountCaller, services: ServicesDep
) -> NewInvitationOut:
    """Invite somebody (administrators of the organisation). The link is mailed, or given back to be handed over."""
    view, link = await services.invitations.create(
        caller, email=body.email, organization_id=body.organization_id, role=body.role
    )
    shown = InvitationOut.model_validate(view).model_dump()
    return NewInvitationOut(**shown, mailed=view.invitation.mailed, link=link)


@router.get("/email/invitations")
async def list_invitations(
    caller: AccountCaller,
    services: ServicesDep,
    organization_id: str | None = None,
    skip: Skip = 0,
    limit: Limit = 10,
) -> InvitationsOut:
    """Open invitations of the organisations that the caller administers (all, for system administrators)."""
    found = await services.invitations.list(caller, organization_id=organization_id, skip=skip, limit=limit)
    return InvitationsOut.model_validate(found)


@router.get("/email/invitations/{token}")
async def get_invitation(token: str, services: ServicesDep) -> InvitationOut:
    """What a link invites to. `token` is the link's secret."""
    return InvitationOut.model_validate(await services.invitations.view(token))


@router.post("/email/invitations/{token}/accept")
async def accept_invitation(
    token: str, caller: PossibleCaller, services: ServicesDep, body: AcceptIn | None = None
) -> MessageOut:
    """Accept by link: signed in as whoever is invited, or with a name and a password that make the account."""
    newcomer = None
    if body is not None and body.name is not None and body.password is not None:
        newcomer = Newcomer(body.name, body.password)
    await services.invitations.accept_by_link(token, caller, newcomer)
    return MessageOut(message="Invitation accepted successfully")


@router.post("/email/invitations/{token}/decline")
async def decline_invitation(token: str, services: ServicesDep) -> MessageOut:
    """Decline by link. The link then opens nothing any more."""
    await services.invitations.decline_by_link(token)
    return MessageOut(message="Invitation declined")


@router.get("/invitations")
async def list_my_invitations(caller: AccountCaller, services: ServicesDep) -> InvitationsOut:
    """What the caller is asked: by their id, or by their address if it is verified."""
    found = await services.invitations.waiting_for(caller)
    return InvitationsOut.model_validate(Found(found, len(found), 0))


@router.post("/invitations/{invitation_id}/accept")
async def accept_my_invitation(
    invitation_id: str, caller: AccountCaller, services: ServicesDep
) -> MessageOut:
    """Say yes, in a session."""
    await services.invitations.answer(caller, invitation_id, yes=True)
    return MessageOut(message="Invitation accepted successfully")


@router.post("/invitations/{invitation_id}/decline")
async def decline_my_invitation(
    invitation_id: str, caller: AccountCaller, services: ServicesDep
) -> MessageOut:
    """Say no, in a session."""
    await services.invitations.answer(caller, invitation_id, yes=False)
    return MessageOut(message="Invitation declined")


@router.delete("/invitations/{invitation_id}")
async def revoke_invitation(invitation_id: str, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Take an invitation back (administrators of the organisation)."""
    await services.invitations.revoke(caller, invitation_id)
    return MessageOut(message="Invitation revoked")
