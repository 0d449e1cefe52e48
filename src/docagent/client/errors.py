"""What can go wrong when a server is asked.

ClientError
├── Unreachable        no answer came
└── Refused            the server said no, and why
    ├── BadRequest     400, 413, 422: what was sent cannot be right
    ├── SignInNeeded   401: the token is missing, wrong or has ended
    ├── NoCredits      402: too few credits for a model
    ├── Forbidden      403
    ├── NotFound       404: absent, or not yours to see
    ├── Conflict       409: right in itself, but not in the present state
    ├── TooManyRequests  429
    └── ServerTrouble  5xx
"""

from __future__ import annotations

from typing import Any


class ClientError(Exception):
    """Base of all errors of the client. `detail` says what happened and what to do."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Unreachable(ClientError):
    """No answer came."""


class Refused(ClientError):
    """The server said no. `request_id` is what an administrator needs to find it in the server's log."""

    def __init__(
        self,
        detail: str,
        status: int,
        request_id: str | None = None,
        body: Any = None,
        code: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.request_id = request_id
        self.body = body
        """The whole answer, for instance the `merge` that comes with an outdated version."""
        self.code = code
        """For programs, where the server gives one."""


class BadRequest(Refused):
    """What was sent cannot be right."""


class SignInNeeded(Refused):
    """The token is missing, wrong or has ended."""


class NoCredits(Refused):
    """The organisation has too few credits for a call of a model."""


class Forbidden(Refused):
    """The token's owner may not do this."""


class NotFound(Refused):
    """It does not exist, or is not yours to see."""


class Conflict(Refused):
    """Right in itself, but not in the present state."""


class TooManyRequests(Refused):
    """Too many requests in too short a time."""


class ServerTrouble(Refused):
    """The server, or a part of it, cannot do it now."""


_BY_STATUS: dict[int, type[Refused]] = {
    400: BadRequest,
    401: SignInNeeded,
    402: NoCredits,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: BadRequest,
    422: BadRequest,
    429: TooManyRequests,
}


def refusal(status: int, body: Any) -> Refused:
    """The error for an answer with this status and body."""
    kind = _BY_STATUS.get(status, ServerTrouble if status >= 500 else Refused)
    fields = body if isinstance(body, dict) else {}
    detail = _sentence(fields.get("detail")) or f"The server answered with status {status}."
    return kind(detail, status, fields.get("request_id"), body, fields.get("code"))


def _sentence(detail: Any) -> str:
    """The detail as text; a list of broken rules as one line for each, which names the field."""
    if isinstance(detail, list):
        return "\n".join(
            f"{'.'.join(str(part) for part in entry['loc'])}: {entry['msg']}" for entry in detail
        )
    return str(detail) if detail else ""
