"""Brings the database to the newest schema."""

from __future__ import annotations

from docagent.bootstrap import database_url, starting
from docagent.bootstrap.data_folder import make_data_folder
from docagent.settings import Settings
from docagent.store.schema import migrate


async def bring_up_to_date(settings: Settings) -> None:
    with starting():
        make_data_folder(settings.data)
        await migrate(database_url(settings))
