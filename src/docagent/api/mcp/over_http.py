"""MCP over HTTP: the SDK's sessions, held by a task of this process from the first request to the end."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from docagent.api.mcp import dispatch, prompts, resources
from docagent.api.mcp.asking import Context
from docagent.api.mcp.callers import APPROVE, READ_ONLY, TOOLS, YES, Api, Caller, Wants
from docagent.api.mcp.contract import named_by, split
from docagent.api.mcp.server import make_server
from docagent.api.stream import until_lost
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.settings import MEBIBYTE

CALLER = "docagent.caller"
CREDENTIALS = ("authorization", "x-api-key")
SESSION_SECONDS = 30 * 60.0
MOST_SESSIONS = 1000
LOADED = (dispatch, prompts, resources)
"""What the first request needs: loaded with this module, which is done beside the event loop."""


class McpSessions:
    """The sessions of older clients, which a newer one does not have. They end with this process."""

    def __init__(self, most_bytes: int) -> None:
        self._manager = StreamableHTTPSessionManager(
            make_server(_caller),
            max_request_body_size=most_bytes,
            session_idle_timeout=SESSION_SECONDS,
            max_sessions=MOST_SESSIONS,
        )
        self._ready = asyncio.Event()
        self._over = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="MCP sessions")

    async def _run(self) -> None:
        async with self._manager.run():
            self._ready.set()
            await self._over.wait()

    async def close(self) -> None:
        """End all sessions, and with them the answers that last as long as a session."""
        self._over.set()
        await asyncio.gather(self._task, return_exceptions=True)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._ready.wait()
        await self._manager.handle_request(scope, receive, send)


class McpExchange(Response):
    """One request of an MCP client. A session belongs to the user and the organisation that began it."""

    def __init__(self, sessions: McpSessions, caller: Caller) -> None:
        super().__init__()
        self._sessions = sessions
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        member = self._caller.member
        known = AccessToken(
            token="",
            client_id=member.organization_id,
            scopes=[],
            subject=member.user_id,
            claims={"iss": "docagent"},
        )
        scope = {**scope, "user": AuthenticatedUser(known), CALLER: self._caller}
        if scope["method"] != "GET":
            await self._sessions.handle(scope, receive, send)
            return
        with self._caller.services.turns.watching.open(member) as stream:
            await until_lost(stream, partial(self._sessions.handle, scope), receive, send)


def exchange(request: Request, member: Member, services: Services) -> McpExchange:
    """The answer to a request of somebody who was found to be a member."""
    headers, state = request.headers, request.app.state
    sessions: McpSessions | None = getattr(state, "mcp_sessions", None)
    if sessions is None:
        sessions = state.mcp_sessions = McpSessions(services.settings.server.request_limit_mb * MEBIBYTE)
    credentials = {name: headers[name] for name in CREDENTIALS if name in headers}
    tools = named_by(request.query_params.get("tools") or headers.get(TOOLS), services.settings.mcp.tools)
    wants = Wants(split(headers.get(APPROVE, "")), headers.get(READ_ONLY, "").lower() in YES, tools)
    api = Api(request.app, credentials, member.organization_id)
    return McpExchange(sessions, Caller(services, member, api, wants.within(member.principal.scope)))


async def _caller(context: Context) -> Caller:
    """Who sent this message. The route found them before the SDK saw it."""
    request: Any = context.request
    caller: Caller = request.scope[CALLER]
    return caller
