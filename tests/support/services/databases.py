"""New databases for tests: copies of one that was migrated once."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from docagent.store.engine.schema import migrate
from tests.support.services.postgres import Database, PostgresServer

EACH_DATABASE = ("sqlite", "postgresql")
"""For what SQL decides."""

THROUGH_SQLALCHEMY = "sqlite through SQLAlchemy"
"""SQLite without the short way of statements that are built beforehand: for the tests of the store."""


on_each_database = pytest.mark.databases(*EACH_DATABASE)
"""For a test of the API or of a tool that depends on SQL. Others run on PostgreSQL alone, because browsers, clients
and loops are tested on SQLite, and the store on both."""
SHARED_PRODUCTS = ("product", "running", "stage")


def choose_databases(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("databases")
    chosen = marker.args if marker else ("postgresql",)
    for fixture in SHARED_PRODUCTS:
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, chosen, indirect=True)


class Databases:
    """Makes databases with the newest schema. PostgreSQL is started when the first one is asked for."""

    def __init__(self, folder: Path, postgres: Callable[[], PostgresServer]) -> None:
        self._folder = folder
        self._postgres = postgres
        self._file: Path | None = None
        self._template: Database | None = None

    async def new(self, kind: str) -> str:
        """The address of a new database that nobody else knows."""
        return await (self._new_on_postgres() if kind == "postgresql" else self._new_file())

    async def _new_file(self) -> str:
        if self._file is None:
            template = self._folder / "template.db"
            await migrate(_address(template))
            assert not template.with_name("template.db-wal").exists(), "a part of it would not be copied"
            self._file = template
        copy = self._folder / f"{secrets.token_hex(8)}.db"
        shutil.copy(self._file, copy)
        return _address(copy)

    async def _new_on_postgres(self) -> str:
        server = self._postgres()
        if self._template is None:
            with server.template("migrated") as (template, is_new):
                if is_new:
                    await migrate(template.url)
            self._template = template
        return server.create_database(self._template).url


def _address(file: Path) -> str:
    return f"sqlite:///{file}"
