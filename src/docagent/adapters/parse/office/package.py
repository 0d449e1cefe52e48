"""Checks an Office file before anything opens it: is it whole, and not too large?"""

from __future__ import annotations

import zipfile
from pathlib import Path

from docagent.adapters.parse.limits import ReadLimits
from docagent.domain.errors import ReadFailed, ReadFailure

_MAX_PARTS = 20_000
_MAX_RATIO = 500
_RATIO_COUNTS_FROM = 32 * 1024 * 1024

_DAMAGED = "This Office file is damaged. Open it in its program, save it again and upload that."
_BOMB = "This Office file unpacks to far more than is read. Save it as PDF, or split it, and upload that."


def check_package(path: Path, limits: ReadLimits) -> None:
    """Raise ReadFailed if a .docx or .xlsx is damaged or too large when unpacked."""
    try:
        with zipfile.ZipFile(path) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED) from error
    unpacked = sum(part.file_size for part in parts)
    packed = max(path.stat().st_size, 1)
    if len(parts) > _MAX_PARTS or unpacked > limits.max_unpacked_bytes:
        raise ReadFailed(ReadFailure.TOO_LARGE, _BOMB)
    if unpacked > _RATIO_COUNTS_FROM and unpacked > _MAX_RATIO * packed:
        raise ReadFailed(ReadFailure.TOO_LARGE, _BOMB)


def damaged() -> ReadFailed:
    return ReadFailed(ReadFailure.DAMAGED, _DAMAGED)
