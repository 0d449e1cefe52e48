"""Pure ASGI layers around the application: they add nothing to a streamed chunk."""

from __future__ import annotations

import logging
import re
import time
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docagent.api.context import request_id
from docagent.api.errors import problem, unexpected
from docagent.domain.ids import new_id

logger = logging.getLogger("docagent.access")

PREFIX = "/fastapi"
_SECRET_IN_PATH = re.compile(r"(?<=/account/email/invitations/)[^/]+")
"""The secret of an invitation's link, which DocRouter's clients send in the path, and which no log may hold."""
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
MAX_LENGTH_DIGITS = 18
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
}


class AlternativePrefix:
    """Answers under `/fastapi/v0/...` as well: the address that DocRouter's clients have by default."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope["path"].startswith(PREFIX + "/"):
            path = scope["path"][len(PREFIX) :]
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


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
        started = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id.get()
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except ClientDisconnect:
            status = 499
        except Exception as error:  # noqa: BLE001  the request is one of the three seams
            response = unexpected(error)
            if status == 0:
                await response(scope, receive, sending)
        finally:
            logger.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": _SECRET_IN_PATH.sub("...", scope["path"]),
                    "status": status,
                    "ms": round((time.perf_counter() - started) * 1000, 1),
                },
            )
            request_id.reset(token)


class BodyLimit:
    """Refuses bodies over the limit before they are parsed, whether or not they announce their length."""

    def __init__(self, app: ASGIApp, *, usual: int, uploads: int) -> None:
        self._app = app
        self._usual = usual
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit(scope)
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and (len(announced) > MAX_LENGTH_DIGITS or int(announced) > limit):
            await _refuse(limit)(scope, receive, send)
            return
        body = _CountedBody(receive, send, limit)
        try:
            await self._app(scope, body.receive, body.send)
        except ClientDisconnect:
            if not body.over:
                raise
        if body.over and not body.answered:
            await _refuse(limit)(scope, receive, send)

    def _limit(self, scope: Scope) -> int:
        path = scope["path"].rstrip("/")
        is_upload = scope["method"] == "POST" and path.endswith(("/documents", "/documents/multipart"))
        return self._uploads if is_upload else self._usual


class _CountedBody:
    """A request body that the application sees end where it passes the limit."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._left = limit
        self.over = False
        self.answered = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                self.over = True
                return {"type": "http.disconnect"}
        return message

    async def send(self, message: Message) -> None:
        if not self.over:
            self.answered = True
            await self._send(message)


def _refuse(limit: int) -> ASGIApp:
    return problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"The request is larger than the {limit // (1024 * 1024)} MB that this server accepts here.",
    )
