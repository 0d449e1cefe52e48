"""The command `docagent`. Each command imports what it needs, so that none waits for the libraries of the others."""

from __future__ import annotations

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
import uvloop

from docagent import __version__
from docagent.api.logs import configure_logging
from docagent.cli.collecting import pause_collection
from docagent.cli.reading_settings import read_settings
from docagent.domain.errors import CannotStart, DocAgentError
from docagent.settings import Settings

app = typer.Typer(
    help="A self-hosted document agent.", no_args_is_help=True, add_completion=False, rich_markup_mode=None
)

CANNOT_START = 2
"""The exit code for settings or data that cannot be used. Other errors end with 1."""

Data = Annotated[Path | None, typer.Option("--data", help="Folder for everything that is kept.")]


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one.")] = None,
    data: Data = None,
) -> None:
    """Start the server; jobs run inside it unless the settings say otherwise."""
    pause_collection()
    settings = _settings(data, host=host, port=port)
    from docagent.cli.serve import serve_until_stopped

    _run(serve_until_stopped(settings))


@app.command()
def worker(data: Data = None) -> None:
    """Run background jobs in a process of their own."""
    pause_collection()
    settings = _settings(data)
    from docagent.cli.work import work_until_stopped

    _run(work_until_stopped(settings))


@app.command("migrate")
def migrate_command(data: Data = None) -> None:
    """Bring the database to the newest schema (serve and worker do so by themselves)."""
    settings = _settings(data)
    from docagent.cli.migrating import bring_up_to_date

    _run(bring_up_to_date(settings))
    typer.echo("The database is up to date.")


@app.command("login-link")
def login_link_command(
    email: Annotated[
        str | None, typer.Option(help="Whom to sign in; the first administrator if left out.")
    ] = None,
    data: Data = None,
) -> None:
    """Print an address that signs a user in once."""
    settings = _settings(data)
    from docagent.cli.login_link import print_login_link

    _run(print_login_link(settings, email))


@app.command("rotate-secret")
def rotate_secret_command(
    new: Annotated[
        str,
        typer.Option(
            envvar="DOCAGENT_NEW_SECRET", prompt="The new secret", hide_input=True, help="The new secret."
        ),
    ],
    data: Data = None,
) -> None:
    """Replace the secret that seals stored keys and signs sessions. Stop the server first."""
    settings = _settings(data)
    from docagent.cli.rotate_secret import rotate

    _run(rotate(settings, new))


@app.command("forget-sealed")
def forget_sealed_command(data: Data = None) -> None:
    """Remove stored keys and passwords that the present secret cannot open, when the one that sealed them is lost.
    Stop the server first."""
    settings = _settings(data)
    from docagent.cli.rotate_secret import forget_sealed

    _run(forget_sealed(settings))


@app.command("compare")
def compare_command(
    doc: Annotated[str, typer.Option(help="Id of the document.")],
    task: Annotated[str, typer.Option(help="What the agent is to do.")],
    strategies: Annotated[str, typer.Option(help="Names of strategies, with commas between them.")],
    model: Annotated[str | None, typer.Option(help="The model; else the organisation's default.")] = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Most steps of each run.")] = None,
    org: Annotated[
        str | None, typer.Option(help="Id of the organisation; else the one that has the document.")
    ] = None,
    email: Annotated[
        str | None, typer.Option(help="On whose behalf; the first administrator if left out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data: Data = None,
) -> None:
    """Run one task under several strategies on copies of the state, and print them side by side."""
    settings = _settings(data)
    from docagent.cli.compare import compare
    from docagent.services.lab import Comparison

    names = [name.strip() for name in strategies.split(",") if name.strip()]
    asked = Comparison(doc, task, names, model, max_steps)
    _run(compare(settings, asked, organization_id=org, email=email, as_json=as_json))


@app.command("upload")
def upload_command(
    files: Annotated[list[Path], typer.Argument(help="The files.", exists=True, dir_okay=False)],
    token: Annotated[
        str, typer.Option(envvar="DOCAGENT_TOKEN", prompt="The token", hide_input=True, help="An API token.")
    ],
    server: Annotated[
        str, typer.Option(envvar="DOCAGENT_SERVER", help="Address of the server.")
    ] = "http://127.0.0.1:8000",
    org: Annotated[str | None, typer.Option(help="Id of the organisation; else the token's own.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Name of a tag; may be repeated.")] = None,
    auto_create: Annotated[
        bool | None,
        typer.Option(
            "--auto-create/--no-auto-create",
            help="Whether the agent prepares a schema, a prompt and a result; else as the organisation has it.",
        ),
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait, and tell what became of each file.")] = False,
) -> None:
    """Upload files to a server."""
    from docagent.cli.upload import Wanted, upload

    _run(upload(server, token, org, Wanted(files, tag or (), auto_create, wait)))


@app.command("mcp")
def mcp_command(
    url: Annotated[
        str | None,
        typer.Option(
            envvar=["DOCAGENT_SERVER", "DOCROUTER_API_URL"],
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
    org: Annotated[
        str | None, typer.Option(help="Id of the organisation; else the token's or your own.")
    ] = None,
    email: Annotated[
        str | None,
        typer.Option(help="On whose behalf the data folder is opened; the first administrator if left out."),
    ] = None,
    approve: Annotated[
        list[str] | None,
        typer.Option(help="A tool whose calls need no approval; may be repeated, and * stands for all."),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only tools that read.")] = False,
    data: Data = None,
) -> None:
    """Speak MCP over stdin and stdout, for programs that use tools: of a server, or of the data folder."""
    pause_collection()
    if url is None:
        settings = _settings(data)
        from docagent.cli.mcp_embedded import Connection, serve_stdio

        _run(serve_stdio(settings, Connection(email, org, tuple(approve or ()), read_only)))
        return
    if not token:
        typer.echo(
            "A server wants a token: --token, or DOCAGENT_TOKEN. The settings of the web client make one.",
            err=True,
        )
        raise typer.Exit(CANNOT_START)
    from docagent.cli.mcp_bridge import bridge, connection_headers

    _run(bridge(url, org, connection_headers(token, approve or (), read_only=read_only)))


@app.command()
def openapi() -> None:
    """Print the description of the API as JSON."""
    from docagent.api.app import openapi_document

    document = openapi_document()
    typer.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode())


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def _settings(data: Path | None, **server: Any) -> Settings:
    try:
        settings = read_settings(os.environ)
    except CannotStart as error:
        typer.echo(error.detail, err=True)
        raise typer.Exit(CANNOT_START) from error
    changes = {key: value for key, value in server.items() if value is not None}
    update: dict[str, Any] = {"server": settings.server.model_copy(update=changes)}
    if data is not None:
        update["data"] = data
    settings = settings.model_copy(update=update)
    configure_logging(settings.log)
    return settings


def _run(work: Coroutine[Any, Any, None]) -> None:
    try:
        uvloop.run(work)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
    except DocAgentError as error:
        typer.echo(error.detail, err=True)
        raise typer.Exit(CANNOT_START if isinstance(error, CannotStart) else 1) from error
