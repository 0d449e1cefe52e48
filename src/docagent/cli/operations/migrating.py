"""Brings the database to the newest schema."""

from __future__ import annotations

import typer

from docagent.bootstrap import database_url, starting
from docagent.bootstrap.starting import make_data_folder
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import show
from docagent.settings import Settings
from docagent.store.engine import schema


def migrate(data: Data = None, as_json: AsJson = False) -> None:
    """Bring the database to the newest schema. `serve` and `worker` do so by themselves."""
    run(bring_up_to_date(settings_of(data)))
    show({"up_to_date": True}, lambda: typer.echo("The database is up to date."), as_json=as_json)


async def bring_up_to_date(settings: Settings) -> None:
    with starting():
        make_data_folder(settings.data)
        await schema.migrate(database_url(settings))
