"""The folder with the database, the files and the secret key: nobody but its owner looks into it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o700


def make_data_folder(folder: Path) -> None:
    """Make the folder if it is missing, and close it to others where that is ours to do and the disk can."""
    folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY)
    with suppress(OSError):
        folder.chmod(OWNER_ONLY)
