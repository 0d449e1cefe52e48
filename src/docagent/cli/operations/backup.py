"""Everything that is kept in the data folder as one file, and back."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from docagent import __version__
from docagent.adapters.blobs.local import INCOMING
from docagent.bootstrap.starting import make_data_folder
from docagent.cli.launching import run, settings_of
from docagent.cli.options import AsJson, Data
from docagent.cli.output import note, show
from docagent.cli.server.running import told_address
from docagent.domain.errors import CannotStart, InvalidInput
from docagent.settings import Settings

DATABASE, BLOBS, SECRET, NOTE = "docagent.db", "blobs", "secret.key", "backup.json"
OWNER_ONLY = 0o600


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as backup.tar or backup.tar.gz.")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write everything that is kept into one file. The server may run meanwhile.

    The file holds the secret key too: whoever has it can read everything.
    """
    settings = settings_of(data)

    async def work() -> None:
        told = _backed_up(settings, file)
        said = f"{told['documents']} documents are in {file}, {told['bytes']:,} bytes. Keep it safe: it has the key."
        show(told, lambda: note(said), as_json=as_json)

    run(work())


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `backup` wrote.", exists=True, dir_okay=False)],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what `backup` wrote, into a data folder that has no database yet."""
    settings = settings_of(data)

    async def work() -> None:
        told = _restored(settings, file)
        said = f"{told['documents']} documents are back in {settings.data}. Start the server again."
        show(told, lambda: note(said), as_json=as_json)

    run(work())


def _backed_up(settings: Settings, file: Path) -> dict[str, Any]:
    """The database first, then the files: a file without a row is harmless, a row without its file is not."""
    _require_folder(settings)
    if not (settings.data / DATABASE).is_file():
        raise CannotStart(f"There is nothing to back up in {settings.data.absolute()}. See --data.")
    if not file.parent.is_dir():
        raise CannotStart(f"There is no folder {file.parent} for the backup.")
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with tempfile.TemporaryDirectory(dir=settings.data) as folder:
            copy = Path(folder) / DATABASE
            documents = _copied(settings.data / DATABASE, copy)
            beside.touch(OWNER_ONLY)
            with tarfile.open(beside, "w:gz" if file.suffix in (".gz", ".tgz") else "w") as archive:
                _add_note(archive, documents)
                archive.add(copy, DATABASE)
                if (settings.data / SECRET).is_file():
                    archive.add(settings.data / SECRET, SECRET)
                _add_files(archive, settings.data)
        beside.replace(file)
    except OSError as error:
        raise CannotStart(f"{file} cannot be written: {error.strerror or error}.") from error
    finally:
        beside.unlink(missing_ok=True)
    return {"file": file, "bytes": file.stat().st_size, "documents": documents}


def _restored(settings: Settings, file: Path) -> dict[str, Any]:
    """Unpack beside the folder, look whether it is whole, and only then move it in."""
    _require_folder(settings)
    target = settings.data.absolute()
    if told_address(target) is not None:
        raise CannotStart(f"A server runs on {target}. Stop it first.")
    if (target / DATABASE).exists():
        raise CannotStart(
            f"{target} has a database already. Name an empty folder with --data, or move it away."
        )
    make_data_folder(target)
    with tempfile.TemporaryDirectory(dir=target) as folder:
        unpacked = Path(folder)
        try:
            with tarfile.open(file) as archive:
                # Debian's Python 3.11.2 does not have the filter yet; what is expected is harmless without it too.
                archive.extraction_filter = getattr(tarfile, "data_filter", None)
                archive.extractall(unpacked, members=_expected(archive))
            told = orjson.loads((unpacked / NOTE).read_bytes())
            documents = _documents(unpacked / DATABASE)
        except (tarfile.TarError, OSError, EOFError, ValueError, sqlite3.Error) as error:
            raise InvalidInput(f"{file} is not a complete backup: {error}. Nothing was changed.") from error
        if (unpacked / SECRET).is_file():
            (unpacked / SECRET).chmod(OWNER_ONLY)
        for name in (SECRET, BLOBS, DATABASE):
            if (unpacked / name).exists():
                _move(unpacked / name, target / name)
    return {
        "data": target,
        "documents": documents,
        "made_by": told.get("version"),
        "made_at": told.get("made_at"),
    }


def _require_folder(settings: Settings) -> None:
    if settings.database.is_postgresql or settings.blobs.bucket:
        raise CannotStart(
            "This deployment keeps its data in PostgreSQL or S3, which have backups of their own: see the page "
            "“Operate” of the manual."
        )


def _copied(source: Path, target: Path) -> int:
    """A copy of one moment, while others read and write. Returns how many documents are in it."""
    with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
    return _documents(target)


def _documents(database: Path) -> int:
    """How many documents there are. Raises sqlite3.Error if the file is damaged."""
    with closing(sqlite3.connect(database)) as connection:
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if said != "ok":
            raise sqlite3.DatabaseError(said)
        return int(connection.execute("SELECT count(*) FROM documents").fetchone()[0])


def _add_note(archive: tarfile.TarFile, documents: int) -> None:
    noted = {
        "version": __version__,
        "made_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "documents": documents,
    }
    content = orjson.dumps(noted)
    entry = tarfile.TarInfo(NOTE)
    entry.size, entry.mode = len(content), OWNER_ONLY
    archive.addfile(entry, io.BytesIO(content))


def _add_files(archive: tarfile.TarFile, data: Path) -> None:
    """Add every file but those that are still arriving."""
    for file in sorted((data / BLOBS).rglob("*")):
        place = file.relative_to(data)
        if place.parts[1] != INCOMING and file.is_file():
            # One that was permanently deleted in the meantime is in no document's way.
            with suppress(FileNotFoundError):
                archive.add(file, str(place), recursive=False)


def _expected(archive: tarfile.TarFile) -> list[tarfile.TarInfo]:
    """What a backup holds, as files of who restores it, and nothing else that somebody may have put into the file."""
    found = []
    for entry in archive:
        first, *others = Path(entry.name).parts or ("",)
        if not (entry.isfile() or entry.isdir()) or first not in (NOTE, DATABASE, SECRET, BLOBS):
            continue
        if ".." not in others:
            entry.uid, entry.gid, entry.uname, entry.gname = os.geteuid(), os.getegid(), "", ""
            entry.mode = 0o700 if entry.isdir() else 0o600
            found.append(entry)
    return found


def _move(source: Path, target: Path) -> None:
    if target.is_dir():
        shutil.rmtree(target)
    source.replace(target)
