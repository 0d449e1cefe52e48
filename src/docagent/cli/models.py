"""Models on this machine: which there are, what one can do, and making one the default."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from docagent.cli.on_server import on_server
from docagent.cli.options import AsJson
from docagent.cli.output import ExitCode, complain, note, show, show_rows
from docagent.client import AsyncClient

GIGABYTE = 1000**3
NONE_FOUND = (
    "No model was found on this machine. Start Ollama, LM Studio, llama.cpp's server or vLLM, name a GGUF file in "
    "DOCAGENT_MODELS__LOCAL_FILE, or enter a provider's key in the settings."
)
NOT_LOOKED = "The setting models.find_local is off, so nothing was looked for."
ABILITIES = {
    "speaks": "speaks",
    "calls_tools": "calls tools",
    "keeps_schema": "keeps a schema",
    "sees_pictures": "sees pictures",
}
Name = Annotated[str, typer.Argument(help="Name of the model, such as ollama/llama3.2.")]

app = typer.Typer(
    help="List the models on this machine, check one, and make one the default.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
@on_server
async def list_models(client: AsyncClient, as_json: AsJson = False) -> None:
    """List the models on this machine with their size and what they can do."""
    found = await client.local_models.list()
    if not as_json and not found.models:
        note(NONE_FOUND if found.looks else NOT_LOOKED)
    rows = [
        (
            one.name,
            f"{one.size_bytes / GIGABYTE:.1f} GB" if one.size_bytes else "",
            _said(one.calls_tools),
            _said(one.sees_images),
            ", ".join(one.default_for),
        )
        for one in found.models
    ]
    show_rows(found, ("name", "size", "tools", "pictures", "default for"), rows, as_json=as_json)


@app.command("check")
@on_server
async def check(client: AsyncClient, name: Name, as_json: AsJson = False) -> ExitCode:
    """Try with four small calls what a model can do."""
    done = await client.local_models.check(name)
    rows = (
        (ABILITIES[tick.ability], "yes" if tick.ok else "no", f"{tick.latency_ms / 1000:.1f} s")
        for tick in done.ticks
    )
    show_rows(done, ("", "", "time"), rows, as_json=as_json)
    if done.error:
        complain(done.error)
    return ExitCode.FAILED if done.error else ExitCode.DONE


@app.command("use")
@on_server
async def use(
    client: AsyncClient,
    name: Name,
    use_for: Annotated[
        Literal["agent", "extraction", "both"], typer.Option("--for", help="What it is the default of.")
    ] = "both",
    as_json: AsJson = False,
) -> None:
    """Make a model the default of the organisation."""
    chosen = await client.local_models.use(name, use_for)
    purpose = "agent and extraction" if use_for == "both" else use_for
    show(chosen, lambda: note(f"{name} is the default for {purpose} now."), as_json=as_json)


def _said(ability: bool | None) -> str:
    return {True: "yes", False: "no", None: "unknown"}[ability]
