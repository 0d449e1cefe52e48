"""Speaks MCP over stdin and stdout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from docagent.cli.launching import run, settings_of
from docagent.cli.options import Data, Organization
from docagent.cli.output import ExitCode
from docagent.cli.server.collecting import pause_collection


def mcp(
    url: Annotated[
        str | None,
        typer.Option(
            envvar=["DOCAGENT_URL", "DOCROUTER_API_URL"],
            help="Address of a server; left out, the data folder itself is opened.",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            "--org-token",
            envvar=["DOCAGENT_TOKEN", "DOCROUTER_ORG_API_TOKEN"],
            help="An API token of the server.",
        ),
    ] = None,
    org: Organization = None,
    email: Annotated[
        str | None,
        typer.Option(help="On whose behalf the data folder is opened; the first administrator if left out."),
    ] = None,
    approve: Annotated[
        list[str] | None,
        typer.Option(help="A tool whose calls need no approval; may be repeated, and * stands for all."),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only tools that read.")] = False,
    tools: Annotated[
        str | None,
        typer.Option(help="Sets of tools to show: extract, review, agent or all, with commas between."),
    ] = None,
    data: Data = None,
) -> None:
    """Speak MCP over stdin and stdout, for programs that use tools: of a server, or of the data folder."""
    pause_collection()
    if url is None:
        settings = settings_of(data)
        from docagent.cli.turns.mcp_embedded import Connection, serve_stdio  # noqa: PLC0415  # the bridge needs no SDK

        run(serve_stdio(settings, Connection(email, org, tuple(approve or ()), read_only, tools)))
        return
    if not token:
        typer.echo(
            "A server wants a token: --token, or DOCAGENT_TOKEN. The settings of the web client make one.",
            err=True,
        )
        raise typer.Exit(ExitCode.CANNOT_START)
    run(_bridge(url, token, org, approve or (), read_only=read_only, tools=tools))


async def _bridge(
    url: str, token: str, org: str | None, approve: Sequence[str], *, read_only: bool, tools: str | None
) -> None:
    from docagent.cli.turns.mcp_bridge import bridge, connection_headers  # noqa: PLC0415

    if org is not None:  # to look up a name takes the client, which takes time to import
        from docagent.cli.reaching import client_errors_end, organization_named  # noqa: PLC0415

        with client_errors_end():
            org = await organization_named(url, token, org)
    await bridge(url, org, connection_headers(token, approve, read_only=read_only, tools=tools))
