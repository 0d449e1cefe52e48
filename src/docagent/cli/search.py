"""Finds anything by words."""

from __future__ import annotations

from typing import Annotated

import typer

from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import ExitCode, note, show_rows
from docagent.client import AsyncClient


@on_server
async def search(
    client: AsyncClient,
    words: Annotated[list[str], typer.Argument(help="The words.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most that is found.")] = 20,
    as_json: AsJson = False,
) -> ExitCode:
    """Find documents, values, schemas, prompts and living documents. The exit code is 1 if nothing is found."""
    found = await client.search(" ".join(words), limit=limit)
    rows = ((one.kind.replace("_", " "), one.id, one.name, one.page, one.passage) for one in found)
    show_rows(found, ("kind", "id", "name", "page", "passage"), rows, as_json=as_json)
    if not found:
        note("Nothing was found.")
        return ExitCode.FAILED
    return ExitCode.DONE
