"""API tokens of the organisation."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import note, print_json, show, show_rows
from docagent.client import AsyncClient

app = typer.Typer(
    help="Make, list and revoke API tokens of the organisation.", no_args_is_help=True, rich_markup_mode=None
)


@app.command("make")
@on_server
async def make(
    client: AsyncClient,
    name: Annotated[str, typer.Argument(help="What it is for.")],
    days: Annotated[int, typer.Option(min=0, help="How long it works; 0 is for ever.")] = 0,
    scope: Annotated[
        Literal["read", "ask", "write"],
        typer.Option(
            help="read changes nothing; ask has your rights, and a model's changes over MCP wait for a yes; "
            "write needs no yes."
        ),
    ] = "ask",
    as_json: AsJson = False,
) -> None:
    """Make a token, and print it this once."""
    made = await client.tokens.create(name, days=days, scope=scope)
    if as_json:
        print_json(made)
    else:
        typer.echo(made.token)
        note("It is not shown again. Programs take it as DOCAGENT_TOKEN.")


@app.command("list")
@on_server
async def list_tokens(client: AsyncClient, as_json: AsJson = False) -> None:
    """List your tokens of the organisation."""
    found = (await client.tokens.list()).access_tokens
    rows = ((one.id, f"{one.token}…", one.scope, f"{one.created_at:%Y-%m-%d}", one.name) for one in found)
    show_rows(found, ("id", "token", "scope", "made", "name"), rows, as_json=as_json)


@app.command("revoke")
@on_server
async def revoke(
    client: AsyncClient,
    token_id: Annotated[str, typer.Argument(help="Id of the token.")],
    as_json: AsJson = False,
) -> None:
    """Revoke a token, and those that were made with it."""
    stopped = (await client.tokens.delete(token_id)).stopped
    told = {"revoked": token_id, "stopped": stopped.model_dump() if stopped else None}
    ended = f" Stopped: {stopped.turns} turns, {stopped.streams} streams." if stopped else ""
    show(told, lambda: note(f"Token revoked.{ended}"), as_json=as_json)
