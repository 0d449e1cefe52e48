"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path | None, typer.Option("--data", help="Folder for everything that is kept.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        envvar="DOCAGENT_URL",
        help="Address of a server; else the one that runs on the data folder, else one in this process.",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="DOCAGENT_TOKEN", help="An API token; not needed on the machine of the data folder."
    ),
]
Organization = Annotated[
    str | None, typer.Option("--org", help="Id or name of the organisation; else the token's own.")
]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Name of a tag; may be repeated.")]
AutoCreate = Annotated[
    bool | None,
    typer.Option(
        "--auto-create/--no-auto-create",
        help="Whether the agent prepares a schema, a prompt and a result; else as the organisation has it.",
    ),
]
"""None leaves it to the organisation's default."""
