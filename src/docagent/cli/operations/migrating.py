"""Brings the database to the newest schema."""

from __future__ import annotations

import typer

from docagent.bootstrap import database_url, starting
from docagent.bootstrap.starting import make_data_folder
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import print_json
from docagent.settings import Settings
from docagent.store.engine import schema


def migrate(data: Data = None, as_json: AsJson = False) -> None:
    """Bring the database to the newest schema. `serve` and `worker` do so by themselves."""
    run(bring_up_to_date(settings_of(data)))
    if as_json:
        print_json({"up_to_date": True})
    else:
        typer.echo("The database is up to date.")


async def bring_up_to_date(settings: Settings) -> None:
    with starting():
        make_data_folder(settings.data)
        await schema.migrate(database_url(settings))
