"""Sign-in, sessions and the signed token endpoint."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import orjson
from fastapi import Cookie, Header, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from docagent.api.deps import AccountCaller, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.rest.accounts.users import UserOut
from docagent.api.router import Router
from docagent.api.web import API_PAGE, REFRESH_COOKIE, page, wants_page
from docagent.domain.errors import InvalidInput, NotFound, Unauthenticated
from docagent.services.accounts.identity import SignedIn

router = Router(tags=["auth"])

DEVICE_COOKIE = "docagent_device"
"""Makes a browser known at its next sign-in. No script can read it."""
DEVICE_DAYS = 365
COOKIE_PATH = "/"
LINK_REFUSED = "/login?link=refused"
"""Where the web client says that a link was already used or is too old."""


class LoginIn(BaseModel):
    email: ShortText
    password: ShortText


class SessionOut(BaseModel):
    """An access token for the Authorization header; the refresh secret travels in a cookie that scripts cannot read."""

    token: str
    expires_in: int
    user: UserOut


class SignedTokenOut(BaseModel):
    token: str


@router.post("/v0/account/auth/login")
async def login(
    body: LoginIn,
    request: Request,
    response: Response,
    services: ServicesDep,
    docagent_device: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> SessionOut:
    """Open a session with e-mail and password."""
    signed_in = await services.identity.login(body.email, body.password, address_of(request), docagent_device)
    return _session(request, response, signed_in)


@router.post("/v0/account/auth/refresh")
async def refresh(
    request: Request,
    response: Response,
    services: ServicesDep,
    docagent_refresh: Annotated[str | None, Cookie()] = None,
) -> SessionOut:
    """Renew the session of the refresh cookie."""
    return _session(request, response, await services.identity.refresh(docagent_refresh))


@router.post("/v0/account/auth/logout", status_code=204)
async def logout(
    response: Response, services: ServicesDep, docagent_refresh: Annotated[str | None, Cookie()] = None
) -> None:
    """End the session of the refresh cookie."""
    await services.identity.logout(docagent_refresh)
    response.delete_cookie(REFRESH_COOKIE, path=COOKIE_PATH)


@router.get("/v0/account/auth/me")
async def me(caller: AccountCaller, services: ServicesDep) -> UserOut:
    """The user behind the credentials."""
    return UserOut.model_validate(await services.users.get(caller, caller.user_id))


@router.post("/v0/account/auth/token")
async def signed_token(
    request: Request, services: ServicesDep, x_request_signature: Annotated[str | None, Header()] = None
) -> SignedTokenOut:
    """A session token for a trusted front end, which signs the raw body with the server's secret."""
    body = await request.body()
    services.identity.check_signature(body, x_request_signature)
    try:
        wanted = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InvalidInput("Invalid JSON body") from error
    if not isinstance(wanted, dict) or not isinstance(wanted.get("id"), str):
        raise InvalidInput("The body needs the user's id, name and email.")
    return SignedTokenOut(token=await services.identity.signed_token(wanted["id"]))


@router.get("/login", include_in_schema=False)
async def use_login_link(request: Request, services: ServicesDep, once: str | None = None) -> Response:
    """The address that the one-time link opens. A browser that brings no link sees the client's sign-in."""
    is_browser = wants_page(request)
    if once is None and is_browser:
        return page(request)
    if once is None:
        raise NotFound(
            "Open the login link that the server printed at its start, or run: docagent login-link"
        )
    try:
        signed_in = await services.identity.use_login_link(once)
    except Unauthenticated:
        if is_browser:
            return RedirectResponse(LINK_REFUSED, status_code=303)
        raise
    response = RedirectResponse("/" if is_browser else API_PAGE, status_code=303)
    set_cookies(request, response, signed_in)
    return response


def address_of(request: Request) -> str:
    return request.client.host if request.client else "unknown"


def _session(request: Request, response: Response, signed_in: SignedIn) -> SessionOut:
    set_cookies(request, response, signed_in)
    return SessionOut(
        token=signed_in.access_token,
        expires_in=int(signed_in.access_lifetime.total_seconds()),
        user=UserOut.model_validate(signed_in.user),
    )


def set_cookies(request: Request, response: Response, signed_in: SignedIn) -> None:
    """Let the browser keep a session that was just opened or renewed."""
    _keep(request, response, REFRESH_COOKIE, signed_in.refresh_token, signed_in.refresh_lifetime)
    if signed_in.device_token:
        _keep(request, response, DEVICE_COOKIE, signed_in.device_token, timedelta(days=DEVICE_DAYS))


def _keep(request: Request, response: Response, name: str, value: str, lifetime: timedelta) -> None:
    response.set_cookie(
        name,
        value,
        max_age=int(lifetime.total_seconds()),
        path=COOKIE_PATH,
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict",
    )
