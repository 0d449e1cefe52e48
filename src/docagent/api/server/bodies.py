"""Nothing is read before one knows who sends it. Large bodies are for members; strangers send small ones."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docagent.api.deps import check_caller
from docagent.api.errors import as_http
from docagent.domain.errors import DocAgentError
from docagent.settings import MEBIBYTE

STRANGERS = 64 * 1024
"""The largest body of somebody who has not signed in: an e-mail address, a password, names."""
MAX_LENGTH_DIGITS = 18
JSON_UPLOADS = "/v0/orgs/{organization_id}/documents"
FORM_UPLOADS = (
    "/v0/orgs/{organization_id}/documents/multipart",
    "/v0/orgs/{organization_id}/extract",
    "/v0/orgs/{organization_id}/projects/{project_id}/import",
    "/v1/files",
)


class BodyLimit:
    """Lets the application read a body once its sender is known, and only as much as they may send.

    The sender is looked up when the application asks for the first byte: by then the route is known, which says who
    may call. The route asks again when the body has come, because an upload may last longer than a membership.
    """

    def __init__(self, app: ASGIApp, *, usual: int, uploads: int) -> None:
        self._app = app
        self._usual = usual
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _announces_body(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        body = _Body(self, scope, receive, send)
        await self._app(scope, body.receive, body.send)

    async def allowed(self, scope: Scope) -> int:
        """How many bytes the sender may send here. Raises HTTPException if they may not call at all."""
        try:
            is_known = await check_caller(Request(scope))
        except DocAgentError as error:
            raise as_http(error) from error
        if not is_known:
            return STRANGERS
        return self._uploads if _is_upload(scope) else self._usual


class _Body:
    """A request body that is read as far as it is allowed to be."""

    def __init__(self, limit: BodyLimit, scope: Scope, receive: Receive, send: Send) -> None:
        self._limit = limit
        self._scope = scope
        self._receive = receive
        self._send = send
        self._announced = _announced_length(Headers(scope=scope))
        self._allowed: int | None = None
        self._read = 0
        self._is_read = False
        self._is_answered = False

    async def receive(self) -> Message:
        if self._allowed is None:
            self._allowed = await self._limit.allowed(self._scope)
            if self._announced is not None and self._announced > self._allowed:
                raise _too_large(self._allowed)
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self._is_read = not message.get("more_body", False)
            if self._read > self._allowed:
                if self._is_answered:
                    return {"type": "http.disconnect"}
                raise _too_large(self._allowed)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._is_answered = True
            if not self._is_read and (self._announced is None or self._announced > STRANGERS):
                # The server would have to read the rest before the next request on this connection.
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)


def is_json(headers: Headers) -> bool:
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return media_type == "application/json" or (
        media_type.startswith("application/") and media_type.endswith("+json")
    )


def _is_upload(scope: Scope) -> bool:
    path = getattr(scope.get("route"), "path", None)
    uploads = (JSON_UPLOADS,) if is_json(Headers(scope=scope)) else FORM_UPLOADS
    return path in uploads and scope["method"] == "POST"


def _announces_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _announced_length(headers: Headers) -> int | None:
    """The announced length; None if there is none, or if it is no number."""
    announced = headers.get("content-length", "")
    if "transfer-encoding" in headers or not (announced.isascii() and announced.isdecimal()):
        return None
    return int(announced[: MAX_LENGTH_DIGITS + 1])


def _too_large(limit: int) -> HTTPException:
    shown = f"{limit // MEBIBYTE} MB" if limit >= MEBIBYTE else f"{limit // 1024} KB"
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"The request is larger than the {shown} that this server accepts here.",
    )
