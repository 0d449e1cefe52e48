"""Living documents as files: which name a file gives its document, and where an archive keeps each document.

A folder is a part of the name: `guides/Start.md` is the document `guides/Start`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from docagent.domain.documents.documents import safe_part
from docagent.domain.errors import InvalidInput
from docagent.domain.projects.projects import checked_name

EXTENSIONS = (".md", ".markdown", ".txt")
NAMES_FILE = ".docagent.json"
"""In an exported archive: the names of documents that no file can have, by the path of their file."""
_DRIVE = re.compile(r"[A-Za-z]:")


def is_left_out(path: str) -> bool:
    """Whether a file is one of those that systems put into folders by themselves, which nobody wants to import."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    return any(part.startswith(".") or part == "__MACOSX" for part in parts) or (
        bool(parts) and parts[-1].casefold() in ("thumbs.db", "desktop.ini")
    )


def document_name(path: str) -> str:
    """The name of the document that a file with this path becomes. Raises InvalidInput that says what is wrong."""
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in path):
        raise InvalidInput("Its name holds control characters or broken Unicode. Rename the file.")
    if "\\" in path:
        raise InvalidInput("Its name holds a backslash. Rename the file; folders are separated by a slash.")
    if path.startswith("/") or _DRIVE.match(path):
        raise InvalidInput("Its path is absolute. Only files below the imported folder are imported.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise InvalidInput("Its path leads out of the imported folder (..). Such files are not imported.")
    plain = "/".join(parts)
    extension = next((end for end in EXTENSIONS if plain.casefold().endswith(end)), None)
    if extension is None:
        raise InvalidInput(f"Only markdown and plain text are imported: {', '.join(EXTENSIONS)}.")
    return checked_name(unicodedata.normalize("NFC", plain[: -len(extension)]))


def archive_paths(names: Sequence[str]) -> list[str]:
    """Where each document stands in an archive: in folders that any system accepts, no two in one place."""
    taken: set[str] = set()
    found = []
    for name in names:
        *folders, last = [part for part in name.split("/") if part.strip(" .")] or ["_"]
        above = "".join(f"{_folder(part)}/" for part in folders)
        stem = _safe(last[:-3] if last.casefold().endswith(".md") else last)
        path, number = f"{above}{stem}.md", 1
        while path.casefold() in taken:
            number += 1
            path = f"{above}{stem} ({number}).md"
        taken.add(path.casefold())
        found.append(path)
    return found


def _folder(part: str) -> str:
    """The name of a folder. It never looks like a file, so that no document blocks another's folder."""
    safe = _safe(part)
    return f"{safe}_" if safe.casefold().endswith(EXTENSIONS) else safe


def _safe(part: str) -> str:
    return unicodedata.normalize("NFC", safe_part(part))


def names_no_file_has(names: Sequence[str], paths: Sequence[str]) -> dict[str, str]:
    """By path, the names of those documents that an import would not find in the path."""
    pairs = zip(names, paths, strict=True)
    return {path: name for name, path in pairs if is_left_out(path) or document_name(path) != name}
