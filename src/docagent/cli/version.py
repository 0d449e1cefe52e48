"""Prints the version."""

from __future__ import annotations

import typer

from docagent import __version__
from docagent.cli.options import AsJson
from docagent.cli.output import print_json


def version(as_json: AsJson = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"version": __version__})
    else:
        typer.echo(__version__)
