"""Opens Office files that a password protects. What comes out lies in the reading process's own folder."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO
from xml.parsers.expat import ExpatError

import msoffcrypto
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

from docagent.adapters.parse.office.package import damaged
from docagent.adapters.parse.request import ReadRequest
from docagent.domain.errors import ReadFailed, ReadFailure

_COMPOUND_FILE = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OF_EXCEL = "VelvetSweatshop"
"""Excel protects files against changes with this password, and opens them without asking."""
_DAMAGES = (
    FileFormatError,
    ParseError,
    ExpatError,
    OSError,
    struct.error,
    ValueError,
    LookupError,
    TypeError,
)

_ENCRYPTED = "This Office file is protected by a password. Give the password to have it read."
_WRONG_PASSWORD = "The password does not open this Office file. Check it and try again."
_UNSUPPORTED = (
    "This Office file is protected in a way that cannot be opened here. "
    "Open it in its program, remove the password (File, Info, Protect), save it and upload that."
)


def unlocked(request: ReadRequest) -> Path:
    """Return the file, or an open copy of it if it is protected. Raises ReadFailed if its password is not known."""
    with request.path.open("rb") as stream:
        if stream.read(len(_COMPOUND_FILE)) != _COMPOUND_FILE:
            return request.path
        try:
            file = msoffcrypto.OfficeFile(stream)
            is_encrypted = file.is_encrypted()
        except _DAMAGES as error:
            if request.password is None and _ENCRYPTED_PACKAGE in request.path.read_bytes():
                raise ReadFailed(ReadFailure.ENCRYPTED, _ENCRYPTED) from error
            return request.path
        if not is_encrypted:
            return request.path
        target = Path.cwd() / f"unlocked{request.extension}"
        with target.open("wb") as opened:
            _decrypt(file, request.password, opened)
    return target


def _decrypt(file: msoffcrypto.format.base.BaseOfficeFile, password: str | None, target: BinaryIO) -> None:
    try:
        file.load_key(password=password or _OF_EXCEL, verify_password=True)
        file.decrypt(target)
    except InvalidKeyError as error:
        if password is None:
            raise ReadFailed(ReadFailure.ENCRYPTED, _ENCRYPTED) from error
        raise ReadFailed(ReadFailure.WRONG_PASSWORD, _WRONG_PASSWORD) from error
    except DecryptionError as error:
        raise ReadFailed(ReadFailure.UNSUPPORTED, _UNSUPPORTED) from error
    except _DAMAGES as error:
        raise damaged() from error
