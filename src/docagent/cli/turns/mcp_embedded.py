"""MCP over stdio on the data folder itself: no server, the same product in this process.

The client is greeted at once. The product is loaded with the first request that needs it.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
from mcp.server.stdio import stdio_server

from docagent.api.mcp.contract import named_by
from docagent.api.mcp.server import make_server
from docagent.cli.server.collecting import collect_from_now_on
from docagent.domain.errors import Unauthenticated
from docagent.settings import Settings

LOCAL = "http://127.0.0.1"

if TYPE_CHECKING:
    from docagent.api.mcp.callers import Caller
    from docagent.bootstrap import Services
    from docagent.domain.accounts.accounts import Member


@dataclass(frozen=True, slots=True)
class Connection:
    """On whose behalf, and what whoever set it up allows."""

    email: str | None
    organization: str | None
    """Its id or name; else the user's own."""
    approved: tuple[str, ...]
    read_only: bool
    tools: str | None


async def serve_stdio(settings: Settings, connection: Connection) -> None:
    logging.getLogger("docagent.access").setLevel(logging.WARNING)
    product = _Product(settings, connection)
    server = make_server(product.caller)
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await product.close()


@dataclass(frozen=True, slots=True)
class _Running:
    services: Services
    app: Any
    user_id: str
    organization_id: str | None


class _Product:
    """The product of the data folder, from the first request on."""

    def __init__(self, settings: Settings, connection: Connection) -> None:
        self._settings = settings
        self._connection = connection
        self._tools = named_by(connection.tools, settings.mcp.tools)
        self._over = asyncio.Event()
        self._begun: asyncio.Future[_Running] | None = None
        self._task: asyncio.Task[None] | None = None
        self._token: str | None = None

    async def caller(self, context: Any) -> Caller:
        """The member, found again, as a server finds them for each request."""
        del context
        from docagent.api.mcp.callers import Api, Caller, Wants  # noqa: PLC0415

        running = await self._running()
        try:
            member = await self._member(running)
        except Unauthenticated:  # there is no token yet, or it has ended
            self._token = await running.services.identity.signed_token(running.user_id)
            member = await self._member(running)
        api = Api(running.app, {"Authorization": f"Bearer {self._token}"}, member.organization_id)
        chosen = self._connection
        wants = Wants(chosen.approved, chosen.read_only, self._tools, reads_files=True)
        return Caller(running.services, member, api, wants)

    async def _member(self, running: _Running) -> Member:
        identity = running.services.identity
        if running.organization_id is not None:
            return await identity.member(self._token, None, running.organization_id)
        return await identity.own_member(self._token, None)

    async def close(self) -> None:
        self._over.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _running(self) -> _Running:
        if self._begun is None:
            self._over = asyncio.Event()
            self._begun = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._begun), name="the product")
            self._task.add_done_callback(self._ended)
        return await asyncio.shield(self._begun)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Requests that wait for the start get its error; the next request tries again."""
        begun, self._begun = self._begun, None
        if begun is not None and not begun.done():
            error = None if task.cancelled() else task.exception()
            begun.set_exception(error or asyncio.CancelledError())

    async def _run(self, begun: asyncio.Future[_Running]) -> None:
        from docagent.api.app import create_app  # noqa: PLC0415
        from docagent.bootstrap import running_services  # noqa: PLC0415
        from docagent.cli.reaching import organization_named  # noqa: PLC0415
        from docagent.cli.server.login_link import first_admin  # noqa: PLC0415
        from docagent.worker.beside import at_work_beside  # noqa: PLC0415

        async with running_services(self._settings) as services:
            email = self._connection.email
            user = await (services.first_start.user_by_email(email) if email else first_admin(services))
            async with at_work_beside(services, self._over.set):
                collect_from_now_on()
                app = create_app(self._settings, services)
                self._token = await services.identity.signed_token(user.id)
                wanted, inside = self._connection.organization, httpx2.ASGITransport(app)
                organization_id = await organization_named(LOCAL, self._token, wanted, inside)
                begun.set_result(_Running(services, app, user.id, organization_id))
                await self._over.wait()
