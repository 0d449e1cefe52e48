"""Gets data out of files, as a table or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docagent.cli.documents.files import files_of
from docagent.cli.extraction.asked_prompt import prompt_named, schema_asked
from docagent.cli.extraction.extract_output import Shown, Target
from docagent.cli.extraction.extracted import Extracted
from docagent.cli.extraction.extracting import AgentExtraction
from docagent.cli.launching import run
from docagent.cli.options import AsJson, Data, Organization, Token, Url
from docagent.cli.output import ExitCode, complain
from docagent.cli.reaching import Where, reached
from docagent.client import AsyncClient, Outcome, Unreachable
from docagent.client.extraction import Asked, Options


def extract(
    files: Annotated[list[Path], typer.Argument(help="Files, or folders of them.", exists=True)],
    schema: Annotated[
        str | None,
        typer.Option(
            help="A class (module:Invoice), a file with a JSON Schema, or the name or id of a schema."
        ),
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
    A call that was stopped or killed is made again with the same words: what is there is not uploaded or run again.

    \b
      docagent extract invoice.pdf --schema models:Invoice
      docagent extract invoices/*.pdf --schema invoice.json --out invoices.xlsx
      docagent extract scans/ --auto --json | jq '.[].data'
    """
    if [schema is not None, prompt is not None, auto].count(True) != 1:
        raise typer.BadParameter("Say what to extract: --schema, --prompt or --auto, exactly one of them.")

    shown = Shown()

    async def extracted(client: AsyncClient, found: list[Path]) -> list[Extracted]:
        if auto:
            return await AgentExtraction(client, shown.ended, parallel).all_of(found)
        asked = await (prompt_named(client, prompt) if prompt else schema_asked(client, schema or ""))
        return await _of_each(client, found, asked, model, parallel, shown)

    async def work() -> ExitCode:
        target, found = Target.of(out, as_json=as_json), files_of(files)
        async with reached(Where(url, token, org, data)) as client:
            with shown.of(len(found)):
                made = await extracted(client, found)
        target.write(made)
        if any(one.error for one in made):
            return ExitCode.FAILED
        return ExitCode.DOUBTFUL if any(one.is_doubtful for one in made) else ExitCode.DONE

    try:
        run(work())
    except typer.Exit as end:
        if end.exit_code == ExitCode.INTERRUPTED:
            complain(f"Stopped. {shown.done} of {shown.files} files are done; the same command continues.")
        raise


async def _of_each(
    client: AsyncClient, files: list[Path], asked: Asked, model: str | None, parallel: int, shown: Shown
) -> list[Extracted]:
    """What came out of each file. Raises Unreachable if the server is gone: that is no matter of one file."""
    made: dict[Path, Extracted] = {}

    def ended(done: int, of: int, one: Outcome[Any]) -> None:
        del done, of
        file = Path(str(one.source))
        made[file] = Extracted.of(file, one)
        shown.ended(made[file])

    options = Options(model=model) if model else Options()
    outcomes = await client.extract_many(files, asked, at_once=parallel, progress=ended, **options)
    if gone := [one.error for one in outcomes if isinstance(one.error, Unreachable)]:
        raise gone[0]
    return [made[file] for file in files]
