"""Prints the description of the API."""

from __future__ import annotations

import orjson
import typer

from docagent.api.app import openapi_document
from docagent.cli.options import AsJson


def openapi(as_json: AsJson = True) -> None:
    """Print the description of the API as JSON."""
    del as_json  # it is JSON in any case
    document = orjson.dumps(openapi_document(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    typer.echo(document.decode())
