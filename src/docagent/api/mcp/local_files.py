"""Files that a call over stdio names by path: there, the client's machine is this one."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

from docagent.domain.errors import InvalidInput

PATHS = ("path", "file_path", "filePath")
UPLOADS, EXTRACTS = "upload_documents", "extract"


def names_files(tool: str, arguments: dict[str, Any]) -> bool:
    return any(isinstance(item, dict) and any(map(item.get, PATHS)) for item in _files(tool, arguments))


async def with_contents(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the contents of the files that they name. Raises InvalidInput if one cannot be read."""
    if not names_files(tool, arguments):
        return arguments
    filled = await asyncio.to_thread(lambda: [_filled(item) for item in _files(tool, arguments)])
    return {**arguments, "documents": filled} if tool == UPLOADS else filled[0]


def _files(tool: str, arguments: dict[str, Any]) -> list[Any]:
    """What may name a file: each document of an upload, the call itself of an extraction."""
    if tool == EXTRACTS:
        return [arguments]
    documents = arguments.get("documents") if tool == UPLOADS else None
    return documents if isinstance(documents, list) else []


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
