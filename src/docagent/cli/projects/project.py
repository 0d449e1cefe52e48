"""Living documents of projects as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import ExitCode, print_json, show_rows
from docagent.cli.projects import project_files
from docagent.cli.projects.project_files import Moved
from docagent.cli.projects.project_folder import ProjectFolder
from docagent.client import AsyncClient, BadRequest, NotFound
from docagent.domain import errors

AT_ONCE = 100
Folder = Annotated[Path, typer.Argument(help="The folder of a pulled project.", file_okay=False)]

app = typer.Typer(
    help="Have the living documents of a project as files: pull, push, diff.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
@on_server
async def list_projects(client: AsyncClient, as_json: AsJson = False) -> None:
    """List the projects."""
    found = (await client.projects.list(limit=AT_ONCE)).projects
    rows = ((one.id, one.document_count, one.name) for one in found)
    show_rows(found, ("id", "documents", "name"), rows, as_json=as_json)


@app.command("pull")
@on_server
async def pull(
    client: AsyncClient,
    project: Annotated[str, typer.Argument(help="Id or name of the project.")],
    folder: Annotated[Path | None, typer.Argument(help="Where to; else a folder with its name.")] = None,
    as_json: AsJson = False,
) -> ExitCode:
    """Write the project's documents into a folder. Files that were changed here are left alone."""
    project_id, name = await _project(client, project)
    moved = await project_files.pull(client, ProjectFolder.of(folder or Path(name), project_id))
    return _told(moved, as_json=as_json)


@app.command("push")
@on_server
async def push(
    client: AsyncClient,
    folder: Folder = Path(),
    reason: Annotated[str, typer.Option(help="Why; it stands beside the new versions.")] = "",
    as_json: AsJson = False,
) -> ExitCode:
    """Make new versions of the documents whose files were changed, and new documents of new files.

    What others have written in the meantime is merged. Where both changed the same lines nothing is overwritten: the
    file is left as it is, and the exit code is 3. Documents whose files are gone stay.
    """
    moved = await project_files.push(client, ProjectFolder.open(folder), reason)
    return _told(moved, as_json=as_json)


@app.command("diff")
@on_server
async def diff(
    client: AsyncClient,
    folder: Folder = Path(),
    as_json: AsJson = False,
) -> ExitCode:
    """Show how the files differ from the newest versions. The exit code is 3 if they do."""
    found = await project_files.differences(client, ProjectFolder.open(folder))
    if as_json:
        print_json([{"file": one.file, "lines": one.lines} for one in found])
    else:
        for one in found:
            project_files.show(one)
    return ExitCode.DOUBTFUL if found else ExitCode.DONE


def _told(moved: list[Moved], *, as_json: bool) -> ExitCode:
    told = [{"file": one.file, "version": one.version, "outcome": one.outcome} for one in moved]
    show_rows(told, ("file", "version", "outcome"), (tuple(one.values()) for one in told), as_json=as_json)
    return ExitCode.DOUBTFUL if any(one.conflicts for one in moved) else ExitCode.DONE


async def _project(client: AsyncClient, wanted: str) -> tuple[str, str]:
    """The id and name of the project with this id or name."""
    for project in (await client.projects.list(search=wanted, limit=AT_ONCE)).projects:
        if wanted.casefold() == project.name.casefold():
            return project.id, project.name
    try:
        found = await client.projects.get(wanted)
    except (NotFound, BadRequest):
        raise errors.NotFound(f"There is no project with the id or name {wanted}.") from None
    return found.id, found.name
