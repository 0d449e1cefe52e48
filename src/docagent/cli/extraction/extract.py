"""Gets data out of files, as a table or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docagent.cli.documents.files import files_of
from docagent.cli.extraction.asked_prompt import prompt_for_schema, prompt_named
from docagent.cli.extraction.extract_output import Shown, Target
from docagent.cli.extraction.extracting import Extraction
from docagent.cli.launching import run
from docagent.cli.options import AsJson, Data, Organization, Token, Url
from docagent.cli.output import ExitCode
from docagent.cli.reaching import Where, reached
from docagent.client import AsyncClient
from docagent.client.models import Prompt


def extract(
    files: Annotated[list[Path], typer.Argument(help="Files, or folders of them.", exists=True)],
    schema: Annotated[
        str | None, typer.Option(help="A file with a JSON Schema, or the name or id of a schema.")
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="Name or id of a prompt.")] = None,
    auto: Annotated[
        bool,
        typer.Option("--auto", help="The agent finds out what is in the documents, and that is accepted."),
    ] = False,
    out: Annotated[
        str | None, typer.Option(help="csv, json or xlsx to the output, or a file that ends in one of them.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model for --schema; else the default.")] = None,
    parallel: Annotated[
        int, typer.Option(min=1, max=64, help="Files that are uploaded and read at once.")
    ] = 8,
    url: Url = None,
    token: Token = None,
    org: Organization = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Get data out of files, as a table or JSON.

    Every value is looked for on its page; what is not found there is marked as unproven, and the exit code is 3.
    A call that was stopped or killed is simply made again: files that were uploaded and results that were made are
    found and not made anew.

    \b
      docagent extract invoices/*.pdf --schema invoice.json --out invoices.xlsx
      docagent extract scans/ --auto --json | jq '.[].data'
    """
    if [schema is not None, prompt is not None, auto].count(True) != 1:
        raise typer.BadParameter("Say what to get out: --schema, --prompt or --auto, and just one of them.")

    async def chosen(client: AsyncClient) -> Prompt | None:
        if schema is not None:
            return await prompt_for_schema(client, schema, model)
        return await prompt_named(client, prompt) if prompt is not None else None

    async def work() -> ExitCode:
        target, found = Target.of(out, as_json=as_json), files_of(files)
        async with reached(Where(url, token, org, data)) as client:
            asked = await chosen(client)
            with Shown(len(found)) as shown:
                extracted = await Extraction(client, asked, shown, parallel).all_of(found)
        target.write(extracted)
        if any(one.error for one in extracted):
            return ExitCode.FAILED
        return ExitCode.DOUBTFUL if any(one.is_doubtful for one in extracted) else ExitCode.DONE

    run(work())
