"""Prints the version."""

from __future__ import annotations

import typer

from docagent import __version__
from docagent.cli.options import AsJson
from docagent.cli.output import show


def version(as_json: AsJson = False) -> None:
    """Print the version."""
    show({"version": __version__}, lambda: typer.echo(__version__), as_json=as_json)
