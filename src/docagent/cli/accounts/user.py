"""Users of the deployment."""

from __future__ import annotations

from typing import Annotated

import typer

from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import note, show, show_rows
from docagent.client import AsyncClient
from docagent.client.models import User
from docagent.domain.errors import NotFound

AT_ONCE = 100

app = typer.Typer(help="List, add and remove users.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
@on_server
async def list_users(client: AsyncClient, as_json: AsJson = False) -> None:
    """List the users."""
    found = await _all(client)
    rows = ((one.id, one.role, one.email, one.name) for one in found)
    show_rows(found, ("id", "role", "e-mail", "name"), rows, as_json=as_json)


@app.command("add")
@on_server
async def add(
    client: AsyncClient,
    email: Annotated[str, typer.Argument(help="The e-mail address, with which they sign in.")],
    password: Annotated[
        str,
        typer.Option(
            envvar="DOCAGENT_NEW_PASSWORD",
            prompt="The password",
            hide_input=True,
            confirmation_prompt=True,
            help="At least 10 characters.",
        ),
    ],
    name: Annotated[str | None, typer.Option(help="The name; else what stands before the @.")] = None,
    as_json: AsJson = False,
) -> None:
    """Add a user with an organisation of their own. To bring somebody into yours, invite them."""
    made = await client.account.create_user(email, name or email.partition("@")[0], password)
    show(made, lambda: typer.echo(made.id), as_json=as_json)


@app.command("remove")
@on_server
async def remove(
    client: AsyncClient,
    who: Annotated[str, typer.Argument(help="E-mail address or id.")],
    as_json: AsJson = False,
) -> None:
    """Remove a user, and the organisations that have no other member."""
    found = [user for user in await _all(client) if who in (user.id, user.email)]
    if not found:
        raise NotFound(f"There is no user with the e-mail or id {who}.")
    await client.account.delete_user(found[0].id)
    show({"removed": found[0].id}, lambda: note(f"{found[0].email} is gone."), as_json=as_json)


async def _all(client: AsyncClient) -> list[User]:
    found: list[User] = []
    while True:
        page = await client.account.users(skip=len(found), limit=AT_ONCE)
        found += page.users
        if not page.users or len(found) >= page.total_count:
            return found
