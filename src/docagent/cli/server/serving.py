"""The server in this process: the API on a socket, the jobs and what looks after turns beside it."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import typer
import uvicorn

from docagent.api.app import create_app
from docagent.api.server.connections import ConnectionLimits, Connections
from docagent.api.server.uvicorn_internals import Door, Server, ServerUntilSignal
from docagent.bootstrap import Services
from docagent.cli.server.collecting import collect_from_now_on
from docagent.domain.accounts.addresses import Networks, is_loopback
from docagent.settings import Settings
from docagent.worker.beside import at_work_beside

SHUTDOWN_SECONDS = 10
OTHER_FILES = 256
"""Open files beside the connections: databases, documents, child processes, calls to models."""


async def serve_on(listener: socket.socket, services: Services) -> None:
    """Answer on the socket until a signal asks to stop."""
    async with _prepared(services, ServerUntilSignal) as server:
        await server.serve(sockets=[listener])


@asynccontextmanager
async def served_on(listener: socket.socket, services: Services) -> AsyncIterator[None]:
    """Answer on the socket while the block runs. Signals are left to the block."""
    async with _prepared(services, Server) as server:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        try:
            yield
        finally:
            server.end()
            await serving


@asynccontextmanager
async def _prepared(services: Services, kind: type[Server]) -> AsyncIterator[Server]:
    settings = services.settings
    connections = Connections(_connection_limits(settings))
    app = create_app(settings, services, on_loopback=is_loopback(settings.server.host))

    async def end_what_lasts() -> None:
        """Uvicorn waits for the answers under way, of which some would last for ever."""
        services.live_changes.close()
        if (sessions := getattr(app.state, "mcp_sessions", None)) is not None:
            await sessions.close()

    server = kind(_uvicorn_config(settings, app, connections), end_what_lasts)
    collect_from_now_on()
    looking = asyncio.create_task(connections.keep_looking(asyncio.get_running_loop().time))
    looking.add_done_callback(lambda _: server.end())
    try:
        async with at_work_beside(services, server.end):
            yield server
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


def _connection_limits(settings: Settings) -> ConnectionLimits:
    wanted = settings.connections
    return ConnectionLimits(
        in_all=_open_files_for(wanted.in_all),
        per_place=wanted.per_address,
        head_seconds=wanted.header_seconds,
        idle_seconds=wanted.idle_seconds,
        bytes_per_second=wanted.bytes_per_second,
        body_seconds=wanted.body_seconds,
        answer_seconds=wanted.answer_seconds,
    )


def _open_files_for(connections: int) -> int:
    """Let this process open as many files as it needs. Returns for how many connections that is enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return connections
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - OTHER_FILES)


def _uvicorn_config(settings: Settings, app: Any, connections: Connections) -> uvicorn.Config:
    door = Door(connections, Networks(settings.server.trusted_proxies))
    return uvicorn.Config(
        app,
        lifespan="off",
        http=door.http(),
        ws=door.websocket(),
        timeout_keep_alive=settings.connections.idle_seconds,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.server.trusted_proxies),
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return the bound socket."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Python's own loop sends small pieces at once only on a socket that names its protocol; the last piece of every
    # answer would wait 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise typer.BadParameter(
            f"Cannot listen on {host} port {port}: {error.strerror}. Choose another with --port.",
            param_hint="port",
        ) from error
    return listener
