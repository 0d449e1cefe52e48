"""Runs the command `docagent` and writes every statement on SQLite to the file that COUNTED names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from docagent.cli.main import app
from docagent.store.engine.sqlite_driver import Connection


def tell_of_statements(file: Path) -> None:
    """Let every connection that is opened from now on tell of its statements."""
    out = file.open("a", buffering=1)
    as_it_was = Connection.__init__

    def opened(connection: Connection, database: str, **arguments: Any) -> None:
        as_it_was(connection, database, **arguments)
        connection.set_trace_callback(lambda sql: out.write(f"{' '.join(sql.split())}\n"))

    setattr(Connection, "__init__", opened)  # noqa: B010  # a type checker takes it for a slip


if __name__ == "__main__":
    tell_of_statements(Path(os.environ["COUNTED"]))
    app()
