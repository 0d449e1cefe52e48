"""Checks an Office file before anything opens it: is it whole, and not too large?"""

from __future__ import annotations

import zipfile
from pathlib import Path

from docagent.adapters.parse.limits import ReadLimits
from docagent.domain.errors import ReadFailed, ReadFailure

_COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_MAX_PARTS = 20_000
_MAX_RATIO = 500
_RATIO_COUNTS_FROM = 32 * 1024 * 1024

_ENCRYPTED = (
    "This Office file is protected by a password. "
    "Open it in its program, remove the password (File, Info, Protect), save it and upload that."
)
_DAMAGED = "This Office file is damaged. Open it in its program, save it anew and upload that."
_BOMB = "This Office file unpacks to far more than is read. Save it as PDF, or split it, and upload that."


def check_package(path: Path, limits: ReadLimits) -> None:
    """Raise ReadFailed if a .docx or .xlsx is protected, damaged or too large when unpacked."""
    with path.open("rb") as stream:
        start = stream.read(len(_COMPOUND_FILE))
    if start == _COMPOUND_FILE:
        protected = _ENCRYPTED_PACKAGE in path.read_bytes()
        if protected:
            raise ReadFailed(ReadFailure.ENCRYPTED, _ENCRYPTED)
        raise ReadFailed(ReadFailure.DAMAGED, _DAMAGED)
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
