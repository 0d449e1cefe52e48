"""Makes an address that signs a user in once."""

from __future__ import annotations

from typing import Annotated

import typer

from docagent.bootstrap import Services, running_services
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import show
from docagent.cli.server.running import told_address
from docagent.domain.accounts.accounts import User
from docagent.domain.errors import CannotStart, InvalidInput, Unprocessable
from docagent.settings import Settings


def login_link_command(
    email: Annotated[
        str | None, typer.Option(help="Whom to sign in; the first administrator if left out.")
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print an address that signs a user in once."""
    run(print_login_link(settings_of(data), email, as_json=as_json))


async def print_login_link(settings: Settings, email: str | None, *, as_json: bool) -> None:
    async with running_services(settings) as services:
        link = await login_link(services, email, told_address(settings.data) or address_of(settings))
    show({"login_link": link}, lambda: typer.echo(link), as_json=as_json)


async def login_link(services: Services, email: str | None, address: str) -> str:
    """Return an address that signs a user in once: the first administrator if no e-mail is given."""
    if email is None:
        user = await first_admin(services)
    else:
        user = await services.first_start.user_by_email(email)
    return f"{address}/login?once={await services.identity.make_login_link(user.id)}"


def address_of(settings: Settings, port: int | None = None) -> str:
    if settings.server.public_url:
        return settings.server.public_url.rstrip("/")
    host = settings.server.host
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port or settings.server.port}"


async def first_admin(services: Services) -> User:
    """The first administrator, made from the settings if there is none yet."""
    auth = services.settings.auth
    password = auth.admin_password.get_secret_value() if auth.admin_password else None
    try:
        return await services.first_start.ensure_admin(auth.admin_email, password)
    except (InvalidInput, Unprocessable) as error:
        raise CannotStart(
            f"The first administrator from the settings cannot be created. {error.detail} "
            "See auth.admin_email and auth.admin_password."
        ) from error
