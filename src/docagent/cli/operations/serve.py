"""Runs the server in one process, with a greeting that has the address to open."""

from __future__ import annotations

import socket
from typing import Annotated

import typer

from docagent.bootstrap import Services, running_services
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import print_json_line
from docagent.cli.server.collecting import pause_collection
from docagent.cli.server.login_link import address_of, first_admin, login_link
from docagent.cli.server.running import address_told
from docagent.cli.server.serving import listen, serve_on
from docagent.domain.accounts.accounts import User
from docagent.domain.accounts.addresses import is_loopback
from docagent.settings import Settings


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Start the server; jobs run inside it unless the settings say otherwise."""
    pause_collection()
    run(_serve_until_stopped(settings_of(data, host=host, port=port), as_json=as_json))


async def _serve_until_stopped(settings: Settings, *, as_json: bool) -> None:
    # The socket is bound before anything else, so that a port in use is reported first.
    with listen(settings.server.host, settings.server.port) as listener:
        await _serve(settings, listener, as_json=as_json)


async def _serve(settings: Settings, listener: socket.socket, *, as_json: bool) -> None:
    async with running_services(settings) as services:
        admin = await first_admin(services)
        address = address_of(settings, listener.getsockname()[1])
        await _greet(services, admin, address, as_json=as_json)
        with address_told(settings.data, address):
            await serve_on(listener, services)


async def _greet(services: Services, admin: User, address: str, *, as_json: bool) -> None:
    settings = services.settings
    link = await login_link(services, admin.email, address) if is_loopback(settings.server.host) else None
    if as_json:
        print_json_line(
            {"address": address, "login_link": link, "administrator": admin.email, "data": settings.data}
        )
        return
    sign_in = f"sign in once with       {link}" if link else "make a login link with  docagent login-link"
    lines = [
        "",
        f"  docagent is running at  {address}",
        f"  {sign_in}",
        f"  administrator           {admin.email}",
        f"  data                    {settings.data}",
        "",
    ]
    typer.echo("\n".join(lines))
