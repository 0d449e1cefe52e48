"""Runs the server in one process: the API, the jobs, and a greeting with the address to open."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer
import uvicorn

from docagent.api.app import create_app
from docagent.api.connections import ConnectionLimits, Connections
from docagent.api.protocol import Door
from docagent.bootstrap import Services, running_services
from docagent.cli.collecting import collect_from_now_on
from docagent.cli.login_link import address_of, first_admin, login_link
from docagent.cli.running import address_told
from docagent.domain.accounts import User
from docagent.domain.addresses import Networks, is_loopback
from docagent.settings import Settings
from docagent.worker.service import run_worker
from docagent.worker.turns import look_after_turns

SHUTDOWN_SECONDS = 10
OTHER_FILES = 256
"""Open files beside the connections: databases, documents, child processes, calls to models."""


async def serve_until_stopped(settings: Settings) -> None:
    with _listen(settings) as listener:
        await _serve(settings, listener)


async def _serve(settings: Settings, listener: socket.socket) -> None:
    async with running_services(settings) as services:
        admin = await first_admin(services)
        connections = Connections(_connection_limits(settings))
        server = _Server(_uvicorn_config(settings, services, connections), services)
        address = address_of(settings, listener.getsockname()[1])
        await _greet(services, admin, address)
        loop = asyncio.get_running_loop()
        collect_from_now_on()
        background = [
            asyncio.create_task(look_after_turns(services)),
            asyncio.create_task(connections.keep_looking(loop.time)),
        ]
        if settings.worker.embedded:
            background.append(asyncio.create_task(run_worker(services)))
        for task in background:
            task.add_done_callback(lambda _: setattr(server, "should_exit", True))
        try:
            with address_told(settings.data, address):
                await server.serve(sockets=[listener])
        finally:
            for task in background:
                await _stop(task)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._app: Any = config.app
        self._services = services

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn's own raises the signal again at the end, and that kills the process before it hands its work on."""
        loop = asyncio.get_running_loop()
        for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(asked_to_stop, self.handle_exit, asked_to_stop, None)
        try:
            yield
        finally:
            for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(asked_to_stop)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends first what would last for ever: uvicorn waits for the answers under way."""
        self._services.live_changes.close()
        if (sessions := getattr(self._app.state, "mcp_sessions", None)) is not None:
            await sessions.close()
        await super().shutdown(sockets)


async def _greet(services: Services, admin: User, address: str) -> None:
    lines = ["", f"  docagent is running at  {address}"]
    if is_loopback(services.settings.server.host):
        link = await login_link(services, admin.email, address)
        lines += [f"  sign in once with       {link}"]
    else:
        lines += ["  make a login link with  docagent login-link"]
    lines += [
        f"  administrator           {admin.email}",
        f"  data                    {services.settings.data}",
        "",
    ]
    typer.echo("\n".join(lines))


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


def _uvicorn_config(settings: Settings, services: Services, connections: Connections) -> uvicorn.Config:
    door = Door(connections, Networks(settings.server.trusted_proxies))
    return uvicorn.Config(
        create_app(settings, services),
        lifespan="off",
        http=door.http(),
        ws=door.websocket(),
        timeout_keep_alive=settings.connections.idle_seconds,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.server.trusted_proxies,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def _listen(settings: Settings) -> socket.socket:
    """Return the bound socket. It is bound before anything else, so that a port in use is reported first."""
    host, port = settings.server.host, settings.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
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


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
