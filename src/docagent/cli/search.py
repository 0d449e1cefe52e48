"""Finds anything by words."""

from __future__ import annotations

from typing import Annotated

import typer

from docagent.cli.launching import run
from docagent.cli.options import AsJson, Data, Organization, Token, Url
from docagent.cli.output import ExitCode, note, print_json, print_table
from docagent.cli.reaching import Where, reached


def search(
    words: Annotated[list[str], typer.Argument(help="The words.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most that is found.")] = 20,
    url: Url = None,
    token: Token = None,
    org: Organization = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Find documents, values, schemas, prompts and living documents. The exit code is 1 if nothing is found."""
    run(_search(Where(url, token, org, data), " ".join(words), limit, as_json=as_json))


async def _search(where: Where, words: str, limit: int, *, as_json: bool) -> ExitCode:
    async with reached(where) as client:
        found = await client.search(words, limit=limit)
    if as_json:
        print_json(found)
    else:
        rows = [(one.kind.replace("_", " "), one.id, one.name, one.page, one.passage) for one in found]
        print_table(("kind", "id", "name", "page", "passage"), rows)
    if not found:
        note("Nothing was found.")
        return ExitCode.FAILED
    return ExitCode.DONE
