"""Pure ASGI layers around the application: they add nothing to a streamed chunk."""

from __future__ import annotations

import logging
import re
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docagent.api.context import request_id, request_path
from docagent.api.errors import unexpected
from docagent.domain.accounts.addresses import is_loopback
from docagent.domain.ids import new_id

logger = logging.getLogger("docagent.access")

PREFIX = "/fastapi"
_SECRET_IN_PATH = re.compile(r"(/account/email/(?:invitations|verification)/)(?!(?:send|register)/)[^/]+")
"""The secret of a mailed link, which DocRouter's clients send in the path, and which no log may hold."""
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
}
API = ("/v0/", "/v1/", "/api/")
"""Answers below these belong to somebody, so nobody stores them. Streams say `no-cache`, as the contract wants."""


class AlternativePrefix:
    """Answers under `/fastapi/v0/...` as well: the address that DocRouter's clients have by default."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope["path"].startswith(PREFIX + "/"):
            path = scope["path"][len(PREFIX) :]
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


class KnownHosts:
    """Answers only under names of this machine, where the server is for it alone, and under its public address.

    A page of somebody else's, whose name is made to point to this machine, would be answered as one of ours.
    """

    def __init__(self, app: ASGIApp, public_url: str | None) -> None:
        self._app = app
        self._public = urlsplit(public_url or "").hostname

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Headers(scope=scope).get("host") if scope["type"] in ("http", "websocket") else None
        if given is None or self._is_known(given):
            await self._app(scope, receive, send)
            return
        detail = f"This server is not known as {given[:100]!r}. Set server.public_url to its address there."
        await JSONResponse({"detail": detail}, 400)(scope, receive, send)

    def _is_known(self, given: str) -> bool:
        try:
            host = urlsplit(f"//{given}").hostname or ""
        except ValueError:
            return False
        return is_loopback(host) or host.endswith(".localhost") or host == self._public


class AnswerHeaders:
    """Adds the headers that every answer has, and keeps redirects on this server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(API):
                    headers.setdefault("Cache-Control", "no-store")
                if "location" in headers:
                    headers["Location"] = _on_this_server(headers["location"])
            await send(message)

        await self._app(scope, receive, sending)


def _on_this_server(location: str) -> str:
    """The address without its host. Whoever made it took the host from the request, where anybody can write one."""
    parts = urlsplit(location)
    return parts._replace(scheme="", netloc="", path=f"/{parts.path.lstrip('/')}").geturl()


class RequestLog:
    """Gives each request an id, writes one log line for it, and answers if an error was not caught."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        token = request_id.set(given if _GIVEN_ID.fullmatch(given) else new_id())
        path = request_path.set(scope["path"])
        started = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id.get()
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except ClientDisconnect:
            status = 499
        except Exception as error:  # noqa: BLE001  the request is one of the four seams
            response = unexpected(error)
            if status == 0:
                await response(scope, receive, sending)
        finally:
            logger.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": _SECRET_IN_PATH.sub(r"\1...", scope["path"]),
                    "status": status,
                    "ms": round((time.perf_counter() - started) * 1000, 1),
                },
            )
            request_path.reset(path)
            request_id.reset(token)
