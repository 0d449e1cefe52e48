"""Who calls over MCP, and the API inside this process, which they reach with their own credentials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

import httpx2
from starlette.types import ASGIApp

from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member, TokenScope
from docagent.domain.errors import DocAgentError
from docagent.domain.field_path import FieldPath
from docagent.domain.turns.events import TurnTerms

ALL = "*"
APPROVE = "X-Docagent-Approve"
"""The header that names tools whose calls need no approval."""
READ_ONLY = "X-Docagent-Read-Only"
TOOLS = "X-Docagent-Tools"
"""The header that names sets of tools; `?tools=` of the address does too."""
YES = ("1", "true", "yes")


class Refused(DocAgentError):
    """The API refused a call, in its own words."""


@dataclass(frozen=True, slots=True)
class Api:
    """The routes of this process, so that a call over MCP is checked and answered as one over HTTP is."""

    app: ASGIApp
    headers: Mapping[str, str]
    """The caller's credentials."""
    organization_id: str

    async def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        return await self.call("get", path, query)

    async def call(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
    ) -> Any:
        """The answer, as JSON or text. `path` is below the organisation's. Raises Refused."""
        answer = await self._ask(method, path, query, body, key)
        if "json" in answer.headers.get("content-type", ""):
            return answer.json()
        return answer.text

    async def file(self, path: str) -> tuple[bytes, str]:
        """A file, and its media type. Raises Refused."""
        answer = await self._ask("get", path)
        return answer.content, answer.headers.get("content-type", "application/octet-stream")

    async def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
    ) -> httpx2.Response:
        transport = httpx2.ASGITransport(app=self.app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.request(
                method.upper(),
                f"/v0/orgs/{self.organization_id}{path}",
                params={name: _text(value) for name, value in (query or {}).items()} or None,
                json=body,
                headers={**self.headers, **({"Idempotency-Key": key} if key else {})},
            )
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            raise Refused(_detail(answer))
        return answer


@dataclass(frozen=True)
class Wants:
    """What whoever set the connection up said about it. The model on the other side cannot change it."""

    approved: tuple[str, ...] = ()
    """Tools whose calls need no approval; `*` for all. The organisation's policy comes first."""
    read_only: bool = False
    tools: frozenset[str] | None = None
    """The tools that are listed, where these are not all."""
    reads_files: bool = False
    """Whether paths in an upload are those of this machine: over stdio they are."""
    terms: TurnTerms = field(init=False)

    def within(self, scope: TokenScope) -> Wants:
        """What is left of it, or added to it, with a token of this scope."""
        match scope:
            case TokenScope.READ:
                return replace(self, read_only=True)
            case TokenScope.ASK:
                return self
            case TokenScope.WRITE:
                return replace(self, approved=(ALL,))

    def __post_init__(self) -> None:
        named = tuple(name for name in self.approved if name != ALL)
        terms = TurnTerms(auto_approve=ALL in self.approved, auto_approved_tools=named)
        object.__setattr__(self, "terms", terms)


@dataclass(frozen=True, slots=True)
class Caller:
    """A member who calls, looked up for each request, so that removed members lose access at once."""

    services: Services
    member: Member
    api: Api
    wants: Wants


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else value


def _detail(answer: httpx2.Response) -> str:
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"The server answered {answer.status_code}."
    if isinstance(detail, list):
        return "; ".join(f"{FieldPath(item['loc'][1:]).dotted}: {item['msg']}" for item in detail)
    return str(detail)
