"""Reads the texts of uploaded files and zips, and says of each that is refused why.

Nothing is unpacked before it is known to be small: a zip tells the sizes of its files, and no file gives more.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import orjson

from docagent.domain.errors import InvalidInput
from docagent.domain.projects.project_files import EXTENSIONS, NAMES_FILE, document_name, is_left_out
from docagent.domain.projects.projects import MOST_CONTENT_CHARACTERS, check_text, checked_name, name_key
from docagent.domain.shown import quoted

MOST_FILES = 1000
MOST_FILE_BYTES = 4 * MOST_CONTENT_CHARACTERS
MOST_BYTES = 32 * 1024 * 1024
MOST_DIRECTORY_BYTES = 2 * 1024 * 1024
"""Of a zip's list of its files, which is read as a whole."""
_END, _END_SIZE, _END_LARGE = b"PK\x05\x06", 22, b"PK\x06\x07"
_LOCATOR_SIZE = 20
_MOST_COMMENT = 65535
_ENCRYPTED, _NAME_IS_UTF8 = 0x1, 0x800
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)
"""What the library raises about a zip that is broken, or made by another than the known rules."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    path: str
    content: BinaryIO


@dataclass(frozen=True, slots=True)
class ReadText:
    """A file as it was read: the name of the document that it becomes, and its text; or why it is refused."""

    path: str
    name: str = ""
    text: str = ""
    refused: str | None = None


def read_texts(files: Sequence[UploadedFile]) -> list[ReadText]:
    """Read all files, and those in zips. Raises InvalidInput if there is too much to be imported at once."""
    wanted = [file for file in files if not is_left_out(file.path)]
    read: list[ReadText] = []
    budget = _Budget()
    for file in wanted:
        if file.path.casefold().endswith(".zip"):
            read += _of_zip(file, budget)
        else:
            size = _size(file.content)
            budget.spend(file.path, size)
            read.append(_of_file(file.path, file.content, size))
    return _without_same_names(read)


@dataclass(slots=True)
class _Budget:
    files: int = MOST_FILES
    size: int = MOST_BYTES

    def spend(self, path: str, size: int) -> None:
        """Count a file. What is refused by its extension or its size is never read, and takes no room."""
        self.files -= 1
        if path.casefold().endswith(EXTENSIONS) and size <= MOST_FILE_BYTES:
            self.size -= size
        if self.files < 0:
            raise InvalidInput(f"There are more than {MOST_FILES} files. Import them in several parts.")
        if self.size < 0:
            most = MOST_BYTES // 1024**2
            raise InvalidInput(f"The files have more than {most} MB together. Import them in several parts.")


def _size(content: BinaryIO) -> int:
    return content.seek(0, 2)


def _of_file(path: str, content: BinaryIO, size: int) -> ReadText:
    try:
        name = document_name(path)
        _check_size(size)
        content.seek(0)
        return ReadText(path, name, _text(content.read()))
    except InvalidInput as error:
        return ReadText(path, refused=str(error))


def _of_zip(file: UploadedFile, budget: _Budget) -> list[ReadText]:
    try:
        if _directory_size(file.content) > MOST_DIRECTORY_BYTES:
            raise InvalidInput(f"This zip has more than {MOST_FILES} files. Import it in several parts.")
        with zipfile.ZipFile(file.content) as archive:
            return list(_in_zip(archive, budget))
    except _DAMAGED:
        return [ReadText(file.path, refused="This is not a zip, or it is damaged. Create it again.")]


def _in_zip(archive: zipfile.ZipFile, budget: _Budget) -> Iterator[ReadText]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    names = next((_given_names(archive, entry) for entry in entries if entry.filename == NAMES_FILE), {})
    wanted = [(path, entry) for entry in entries if not is_left_out(path := _path(entry)) or path in names]
    for path, entry in wanted:
        budget.spend(path, entry.file_size)
    for path, entry in wanted:
        yield _of_entry(archive, entry, path, names.get(path))


def _of_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, name: str | None) -> ReadText:
    try:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise InvalidInput("This is a link or a device, not a file.")
        if entry.flag_bits & _ENCRYPTED:
            raise InvalidInput("It is encrypted. Make the zip without a password.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InvalidInput("It is packed in a way that is not known here. Create the zip again.")
        own = document_name(path)
        _check_size(entry.file_size)
        return ReadText(path, own if name is None else checked_name(name), _text(archive.read(entry)))
    except InvalidInput as error:
        return ReadText(path, refused=str(error))
    except _DAMAGED:
        return ReadText(path, refused="It is damaged. Create the zip again.")


def _path(entry: zipfile.ZipInfo) -> str:
    """The path as the zip has it. Many programs write UTF-8 without saying so."""
    path = entry.orig_filename
    if entry.flag_bits & _NAME_IS_UTF8 or path.isascii():
        return path
    try:
        return path.encode("cp437").decode()
    except UnicodeError:
        return path


def _given_names(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> dict[str, str]:
    """What an exported archive says about names that no file can have. What is not understood is passed over."""
    if entry.file_size > MOST_DIRECTORY_BYTES:
        return {}
    try:
        names = orjson.loads(archive.read(entry))
    except orjson.JSONDecodeError:
        return {}
    pairs = names.items() if isinstance(names, dict) else ()
    return {path: name for path, name in pairs if isinstance(name, str)}


def _directory_size(content: BinaryIO) -> int:
    """How long a zip's list of its files is, by the record at its end."""
    size = _size(content)
    content.seek(max(0, size - _END_SIZE - _MOST_COMMENT - _LOCATOR_SIZE))
    tail = content.read()
    place = len(tail) - _END_SIZE
    if tail[place : place + 4] != _END or tail[-2:] != b"\0\0":
        place = tail.rfind(_END)
    if place < 0 or len(tail) < place + _END_SIZE:
        return 0
    if tail[max(0, place - _LOCATOR_SIZE) : place].startswith(_END_LARGE):
        return MOST_DIRECTORY_BYTES + 1
    (length,) = struct.unpack_from("<L", tail, place + 12)
    return int(length)


def _check_size(size: int) -> None:
    if size > MOST_FILE_BYTES:
        raise InvalidInput(f"It is too large: a document has at most {MOST_CONTENT_CHARACTERS} characters.")


def _text(content: bytes) -> str:
    """The text with its byte order mark and its line ends."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("It is not UTF-8 text. Save it as UTF-8 and import it again.") from error
    check_text("The text", text, MOST_CONTENT_CHARACTERS)
    return text


def _without_same_names(read: Sequence[ReadText]) -> list[ReadText]:
    """Refuse files that would become the same document: nobody could say which of them is meant."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for one in read:
        if one.refused is None:
            paths[name_key(one.name)].append(one.path)

    def checked(one: ReadText) -> ReadText:
        same = paths[name_key(one.name)] if one.refused is None else []
        if len(same) < 2:
            return one
        other = same[1] if one.path == same[0] else same[0]
        said = f"It would become the same document as {quoted(other)}: case and extension do not count. Rename one."
        return replace(one, text="", refused=said)

    return [checked(one) for one in read]
