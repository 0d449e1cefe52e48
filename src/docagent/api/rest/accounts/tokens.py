"""API tokens of accounts and organisations."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from docagent.api.answers import Answer
from docagent.api.deps import AccountCaller, AnyCaller, ServicesDep
from docagent.api.fields import Name
from docagent.api.messages import RevokedOut, StoppedOut
from docagent.api.router import Router
from docagent.domain.accounts.accounts import AccessToken, OrganizationType, TokenScope
from docagent.services.accounts.open_streams import Stopped

router = Router(tags=["tokens"])


class NewTokenIn(BaseModel):
    name: Name
    lifetime: int
    """Days; 0 for ever."""
    scope: TokenScope = TokenScope.ASK


class TokenOut(Answer):
    id: str
    user_id: str
    organization_id: str | None
    name: str
    token: str = Field(validation_alias="start")
    """The whole token when it was just made, later its first characters."""
    created_at: datetime
    lifetime: int
    scope: TokenScope
    last_used_at: datetime | None


class TokensOut(Answer):
    access_tokens: list[TokenOut]


class TokenOrganizationOut(Answer):
    organization_id: str | None = Field(validation_alias="id")
    organization_name: str | None = Field(validation_alias="name")
    organization_type: OrganizationType | None = Field(validation_alias="type")


@router.post("/v0/account/access_tokens")
async def create_account_token(body: NewTokenIn, caller: AccountCaller, services: ServicesDep) -> TokenOut:
    """Make an account token. Its secret is shown once."""
    return _with_secret(*await services.tokens.create(caller, body.name, body.lifetime, scope=body.scope))


@router.get("/v0/account/access_tokens")
async def list_account_tokens(caller: AccountCaller, services: ServicesDep) -> TokensOut:
    """The caller's own account tokens."""
    return TokensOut.model_validate({"access_tokens": await services.tokens.list(caller)})


@router.delete("/v0/account/access_tokens/{token_id}", response_model_exclude_none=True)
async def delete_account_token(token_id: str, caller: AccountCaller, services: ServicesDep) -> RevokedOut:
    """Revoke an account token, and stop what runs with it."""
    return _revoked(await services.tokens.delete(caller, token_id))


@router.get("/v0/account/token/organization")
async def organization_of_token(token: str, services: ServicesDep) -> TokenOrganizationOut:
    """Which organisation a token opens: asked by clients that only have a token."""
    organization = await services.tokens.organization_of(token)
    if organization is None:
        return TokenOrganizationOut(organization_id=None, organization_name=None, organization_type=None)
    return TokenOrganizationOut.model_validate(organization)


@router.post("/v0/orgs/{organization_id}/access_tokens")
async def create_organization_token(
    organization_id: str, body: NewTokenIn, caller: AnyCaller, services: ServicesDep
) -> TokenOut:
    """Make a token that reaches this organisation alone. Its secret is shown once."""
    made = await services.tokens.create(caller, body.name, body.lifetime, organization_id, body.scope)
    return _with_secret(*made)


@router.get("/v0/orgs/{organization_id}/access_tokens")
async def list_organization_tokens(
    organization_id: str, caller: AnyCaller, services: ServicesDep
) -> TokensOut:
    """The caller's own tokens of this organisation."""
    return TokensOut.model_validate({"access_tokens": await services.tokens.list(caller, organization_id)})


@router.delete("/v0/orgs/{organization_id}/access_tokens/{token_id}", response_model_exclude_none=True)
async def delete_organization_token(
    organization_id: str, token_id: str, caller: AnyCaller, services: ServicesDep
) -> RevokedOut:
    """Revoke a token of this organisation, and stop what runs with it."""
    return _revoked(await services.tokens.delete(caller, token_id, organization_id))


def _revoked(stopped: Stopped) -> RevokedOut:
    return RevokedOut(message="Token deleted successfully", stopped=StoppedOut.of(stopped))


def _with_secret(token: AccessToken, secret: str) -> TokenOut:
    return TokenOut.model_validate(token).model_copy(update={"token": secret})
