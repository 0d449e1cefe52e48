"""Files that are named on the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import InvalidInput

DIGEST = "sha256"
"""The key under which a document's metadata has the digest of its file, by which a later command finds it."""


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The files, and those in folders at any depth that docagent can read; each once, hidden ones left out."""
    found: dict[Path, None] = {}
    for path in paths:
        found |= dict.fromkeys(files_in(path) if path.is_dir() else [path])
    if not found:
        raise InvalidInput("There are no files that can be read in there.")
    return list(found)


def files_in(folder: Path) -> list[Path]:
    """The files in the folder, at any depth, that docagent can read."""
    return sorted(file for file in folder.rglob("*") if _is_readable(file, folder))


def digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, DIGEST).hexdigest()


def _is_readable(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return not hidden and file.suffix.lower() in FORMATS and file.is_file()
