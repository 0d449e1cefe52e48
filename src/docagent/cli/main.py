"""The command `docagent`: a list of commands by name. One is imported when it is called, so that none waits for
the libraries of the others, and the help for none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from docagent import __version__
from docagent.cli.server.collecting import collection_paused

HELP = """A self-hosted document agent.

Commands that work on documents need no server: they use the one that runs on the data folder, start one of their own
for as long as they last, or call the one that --url names.

\b
  docagent extract invoices/*.pdf --auto --out values.csv
  docagent chat contract.pdf
  docagent serve

Results go to the output, everything else to the error output, and that only when somebody watches. Every command
knows --json and --help.

\b
Exit codes: 0 done, 1 failed, 2 wrong use or settings, 3 done but a person has to look, 130 stopped by Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """Where a command is, as `module:name` within this package, and its first sentence."""

    place: str
    says: str


SECTIONS: dict[str, dict[str, Listed]] = {
    "Documents": {
        "extract": Listed("extraction.extract:extract", "Get data out of files, as a table or JSON."),
        "chat": Listed("turns.chat:chat", "Talk with the agent about a file, a document or a project."),
        "ingest": Listed("documents.ingest:ingest", "Upload what is in a folder, each file once."),
        "review": Listed(
            "extraction.review:review",
            "Go through the results that a person should look at, or list how many wait.",
        ),
        "project": Listed(
            "projects.project:app", "Have the living documents of a project as files: pull, push, diff."
        ),
        "search": Listed("search:search", "Find documents, values, schemas, prompts and living documents."),
        "upload": Listed("documents.upload:upload", "Upload files to a server."),
    },
    "Server": {
        "serve": Listed(
            "operations.serve:serve",
            "Start the server; jobs run inside it unless the settings say otherwise.",
        ),
        "mcp": Listed(
            "turns.mcp:mcp",
            "Speak MCP over stdin and stdout, for programs that use tools: of a server, or of the data folder.",
        ),
        "worker": Listed("operations.work:worker", "Run background jobs in a process of their own."),
        "models": Listed(
            "models:app", "List the models on this machine, check one, and make one the default."
        ),
        "doctor": Listed(
            "operations.doctor:doctor", "Look at everything that docagent needs, and say what is wrong."
        ),
    },
    "Accounts": {
        "user": Listed("accounts.user:app", "List, add and remove users."),
        "token": Listed("accounts.token:app", "Make, list and revoke API tokens of the organisation."),
        "login-link": Listed(
            "server.login_link:login_link_command", "Print an address that signs a user in once."
        ),
    },
    "Maintenance": {
        "backup": Listed("operations.backup:backup", "Write everything that is kept into one file."),
        "restore": Listed(
            "operations.backup:restore",
            "Bring back what `backup` wrote, into a data folder that has no database yet.",
        ),
        "migrate": Listed("operations.migrating:migrate", "Bring the database to the newest schema."),
        "rotate-secret": Listed(
            "operations.rotate_secret:rotate_secret",
            "Replace the secret that seals stored keys and signs sessions.",
        ),
        "forget-sealed": Listed(
            "operations.rotate_secret:forget_sealed",
            "Remove stored keys that the present secret cannot open.",
        ),
    },
    "Development": {
        "compare": Listed(
            "turns.compare:compare_command", "Run one task under several strategies, side by side."
        ),
        "openapi": Listed("openapi:openapi", "Print the description of the API as JSON."),
        "version": Listed("version:version", "Print the version."),
    },
}
COMMANDS = {name: listed for section in SECTIONS.values() for name, listed in section.items()}


def load(name: str) -> Any:
    """The command itself, with its options."""
    module, _, attribute = COMMANDS[name].place.partition(":")
    with collection_paused():
        found = getattr(import_module(f"docagent.cli.{module}"), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    command = typer.main.get_command(found)
    command.name = name
    return command


class ListOfCommands(TyperGroup):
    """Shows the list without loading what is in it."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The name and the sentence; all that the help and the completion of names need."""
        listed = COMMANDS.get(cmd_name)
        return listed and TyperCommand(cmd_name, help=listed.says)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load(str(name)), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, listed.says) for name, listed in commands.items()])


app = typer.Typer(cls=ListOfCommands, help=HELP, no_args_is_help=True, rich_markup_mode=None)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def docagent(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Replaced by HELP."""
    del version
