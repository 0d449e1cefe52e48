"""Accounts for clients of the `/api` paths: register and sign in with a JSON body, and get a bearer token."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Cookie, Request, Response
from pydantic import BaseModel

from docagent.api.deps import PossibleCaller, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.rest.accounts.auth import address_of, set_cookies
from docagent.api.router import Router
from docagent.bootstrap import Services
from docagent.services.accounts.identity import SignedIn

router = Router(prefix="/api/auth", tags=["act"])


class CredentialsIn(BaseModel):
    email: ShortText
    password: ShortText


class BearerOut(BaseModel):
    """A token of a session that lasts a day, unless the session ends before."""

    access_token: str
    token_type: Literal["bearer"] = "bearer"
    expires_in: int


@router.post("/register", status_code=201)
async def act_register(
    body: CredentialsIn, request: Request, response: Response, caller: PossibleCaller, services: ServicesDep
) -> BearerOut:
    """Make an account and sign in. Strangers may, if the setting `auth.registration` says so."""
    address = address_of(request)
    await services.users.register(caller, email=body.email, password=body.password, address=address)
    signed_in = await services.identity.login(body.email, body.password, address)
    return _bearer(request, response, services, signed_in)


@router.post("/login")
async def act_login(
    body: CredentialsIn,
    request: Request,
    response: Response,
    services: ServicesDep,
    docagent_device: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> BearerOut:
    """Sign in with e-mail and password."""
    signed_in = await services.identity.login(body.email, body.password, address_of(request), docagent_device)
    return _bearer(request, response, services, signed_in)


def _bearer(request: Request, response: Response, services: Services, signed_in: SignedIn) -> BearerOut:
    set_cookies(request, response, signed_in)
    token, lifetime = services.identity.token_for_a_day(signed_in)
    return BearerOut(access_token=token, expires_in=int(lifetime.total_seconds()))
