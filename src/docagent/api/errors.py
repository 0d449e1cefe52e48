"""The one place that turns an exception into a response."""

from __future__ import annotations

import json
import logging
from errno import EDQUOT, ENOSPC
from http import HTTPStatus
from math import ceil
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from docagent.api.context import request_id, request_path
from docagent.domain import errors
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import ModelError, ModelFailure
from docagent.domain.turns.events import Failed

logger = logging.getLogger(__name__)

MAX_INPUT_SHOWN = 500
SECONDS_UNTIL_AVAILABLE = "3"
"""When it makes sense to ask again for what is away; nobody knows when it will be back."""
_WHEN_A_BODY_IS_READ = (errors.DocAgentError, ValueError, RecursionError, ClientDisconnect)
"""What the sender of a body can cause. FastAPI takes any other error there for the sender's as well."""

DISK_FULL = (
    "A disk of the server is full, so nothing can be stored. Free up space, also in the temporary folder."
)

STATUS: dict[type[errors.DocAgentError], int] = {
    errors.InvalidInput: HTTPStatus.BAD_REQUEST,
    errors.Unprocessable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.Unauthenticated: HTTPStatus.UNAUTHORIZED,
    errors.Forbidden: HTTPStatus.FORBIDDEN,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    errors.InsufficientCredits: HTTPStatus.PAYMENT_REQUIRED,
    errors.JobFailed: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ReadFailed: HTTPStatus.CONFLICT,
    errors.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}

MODEL_STATUS: dict[ModelFailure, int] = {
    ModelFailure.CONTEXT_TOO_LONG: HTTPStatus.BAD_REQUEST,
    ModelFailure.BAD_REQUEST: HTTPStatus.BAD_REQUEST,
    ModelFailure.REFUSED: HTTPStatus.BAD_REQUEST,
    ModelFailure.RATE_LIMITED: HTTPStatus.TOO_MANY_REQUESTS,
    ModelFailure.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ModelFailure.TIMED_OUT: HTTPStatus.GATEWAY_TIMEOUT,
    ModelFailure.AUTHENTICATION: HTTPStatus.BAD_GATEWAY,
    ModelFailure.ENDED_EARLY: HTTPStatus.BAD_GATEWAY,
}
"""A provider that refuses our key is not the caller's fault: a 401 would send clients to their own sign-in."""


OPENAI_PATHS = "/v1/"
OPENAI_TYPES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.PAYMENT_REQUIRED: "insufficient_quota",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}
"""What OpenAI's clients know of errors, beside the status."""

TURN_STATUS: dict[str, int] = {
    **{f"model_{failure.value}": status for failure, status in MODEL_STATUS.items()},
    "insufficient_credits": HTTPStatus.PAYMENT_REQUIRED,
    "invalid_input": HTTPStatus.BAD_REQUEST,
    "forbidden": HTTPStatus.FORBIDDEN,
    "unauthenticated": HTTPStatus.UNAUTHORIZED,
    "not_found": HTTPStatus.NOT_FOUND,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The status for each code that an event which ended the turn may carry."""


def install(app: FastAPI) -> None:
    app.add_exception_handler(errors.DocAgentError, _ours)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)


def problem(status: int, detail: Any, headers: dict[str, str] | None = None, **more: Any) -> Response:
    """An error body: the detail that clients read, and the request id that a person can quote.

    Below OpenAI's paths it also holds the error as OpenAI's clients read it.
    """
    body = {"detail": detail, "request_id": request_id.get(), **more}
    if request_path.get().startswith(OPENAI_PATHS):
        body["error"] = openai_error(status, detail)
    try:
        content = orjson.dumps(body, default=str)
    except TypeError:  # half of a surrogate pair, from the caller's own input
        content = json.dumps(body, default=str).encode()
    return Response(content, status, headers=headers, media_type="application/json")


def turn_failed(failure: Failed, headers: dict[str, str]) -> Response:
    """The answer to a request whose turn ended in an error."""
    status = TURN_STATUS.get(failure.code, HTTPStatus.BAD_GATEWAY)
    return problem(status, failure.error, headers)


def openai_error(status: int, detail: Any, code: str | None = None) -> dict[str, Any]:
    """An error in OpenAI's shape."""
    kind = OPENAI_TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    message = detail if isinstance(detail, str) else "; ".join(_in_words(entry) for entry in detail)
    return {"message": message, "type": kind, "param": None, "code": code}


def _in_words(entry: dict[str, Any]) -> str:
    """One of the entries of a refused body: where, and why."""
    place = FieldPath(part for part in entry["loc"] if part != "body").dotted
    return f"{place}: {entry['msg']}" if place else str(entry["msg"])


def unexpected(error: Exception) -> Response:
    """The answer to an unforeseen error. It is logged in full; the client gets nothing internal."""
    logger.exception("request failed", exc_info=error)
    if isinstance(error, OSError) and error.errno in (ENOSPC, EDQUOT):
        again = {"Retry-After": SECONDS_UNTIL_AVAILABLE}
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, DISK_FULL, again)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "Something went wrong on the server. Nothing was changed. "
        f"Tell your administrator the request id {request_id.get()}.",
    )


def as_http(error: errors.DocAgentError) -> HTTPException:
    """The error as the one kind that FastAPI lets pass while it reads a body."""
    status = _status(error) or HTTPStatus.INTERNAL_SERVER_ERROR
    return HTTPException(status, error.detail, _headers(error))


async def _ours(_: Request, error: Exception) -> Response:
    if isinstance(error, ModelError):
        retry = {"Retry-After": str(ceil(error.retry_after))} if error.retry_after is not None else None
        return problem(MODEL_STATUS[error.failure], error.detail, retry)
    if isinstance(error, errors.JobFailed):
        failed = TURN_STATUS.get(error.code, STATUS[errors.JobFailed])
        return problem(failed, error.detail, code=error.code)
    if not isinstance(error, errors.DocAgentError):
        return unexpected(error)
    status = _status(error)
    if status is None:
        return unexpected(error)
    if isinstance(error, errors.Unprocessable):
        message = f"Value error, {error.detail}"
        entry = {"type": "value_error", "loc": list(error.location), "msg": message, "ctx": {"error": {}}}
        return problem(status, [entry])
    if isinstance(error, errors.Outdated) and error.merge is not None:
        return problem(status, error.detail, merge=error.merge)
    return problem(status, error.detail, _headers(error))


def _status(error: errors.DocAgentError) -> int | None:
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), None)


def _headers(error: errors.DocAgentError) -> dict[str, str]:
    if isinstance(error, errors.RateLimited):
        return {"Retry-After": str(error.retry_after_seconds)}
    if isinstance(error, errors.Unavailable):
        return {"Retry-After": SECONDS_UNTIL_AVAILABLE}
    if isinstance(error, errors.Unauthenticated):
        return {"WWW-Authenticate": "Bearer"}
    return {}


async def _validation(_: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        return unexpected(error)
    entries = []
    for entry in error.errors():
        shown = {key: value for key, value in entry.items() if key != "url"}
        if "ctx" in shown:
            shown["ctx"] = {"error": {}} if "error" in shown["ctx"] else shown["ctx"]
        if "input" in shown and (reason := _why_not_shown(shown["input"])):
            shown["input"] = f"(left out: {reason})"
        entries.append(shown)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, jsonable_encoder(entries))


def _why_not_shown(value: Any) -> str | None:
    """Why an input is not repeated in the answer; None if it is."""
    try:
        orjson.dumps(jsonable_encoder(value))
    except (TypeError, ValueError, RecursionError):
        return "it cannot be written as JSON"
    return "too long" if len(repr(value)) > MAX_INPUT_SHOWN else None


async def _http(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return unexpected(error)
    cause = error.__cause__
    if isinstance(cause, Exception) and not isinstance(cause, _WHEN_A_BODY_IS_READ):
        return unexpected(cause)
    return problem(error.status_code, error.detail, dict(error.headers or {}))
