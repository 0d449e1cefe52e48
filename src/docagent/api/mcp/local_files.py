"""Files that an upload over stdio names by path: there, the client's machine is this one."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

from docagent.domain.errors import InvalidInput

PATHS = ("path", "file_path", "filePath")


def names_files(documents: Any) -> bool:
    found = documents if isinstance(documents, list) else []
    return any(isinstance(item, dict) and any(item.get(key) for key in PATHS) for item in found)


async def with_contents(documents: list[Any]) -> list[Any]:
    """The documents with the contents of the files that they name. Raises InvalidInput for one that cannot be read."""
    return await asyncio.to_thread(lambda: [_filled(item) for item in documents])


def _filled(item: Any) -> Any:
    path = next((item[key] for key in PATHS if item.get(key)), None) if isinstance(item, dict) else None
    if path is None:
        return item
    file = Path(str(path)).expanduser()
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from error
    rest = {key: value for key, value in item.items() if key not in PATHS}
    return {"name": file.name, **rest, "content": base64.b64encode(content).decode()}
