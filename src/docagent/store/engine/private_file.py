"""Keeps the files of an SQLite database from everybody but their owner."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite appends to the name of the database for the files beside it. New ones get the database's mode."""


def keep_private(database: Path) -> None:
    """Make the file if it is missing, and close it and those beside it to others.

    Where that is impossible, nothing is said here: SQLite says it better when it opens the file.
    """
    with suppress(OSError):
        os.close(os.open(database, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
    for ending in BESIDE:
        with suppress(OSError):
            database.with_name(database.name + ending).chmod(OWNER_ONLY)
