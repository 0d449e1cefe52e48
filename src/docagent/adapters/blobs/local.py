"""Blobs as files in one folder. The default: nothing to install, nothing to configure."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import secrets
import shutil
import stat
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import BinaryIO, ParamSpec, TypeVar

from docagent.adapters.blobs.keys import checked_key
from docagent.domain.errors import Unavailable
from docagent.domain.ports import BlobMissing

CHUNK_BYTES = 1 << 20
ABANDONED_AFTER_SECONDS = 24 * 60 * 60
MOVE_ATTEMPTS = 100
# No key begins with a dot, so no blob can collide with this folder.
INCOMING = ".incoming"

P = ParamSpec("P")
T = TypeVar("T")


class LocalBlobStore:
    """Implements domain.ports.BlobStore. A blob appears by a rename, so readers see the whole blob or none."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / INCOMING
        self._swept = False

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        target = self._path(key)
        file = _IncomingFile(self._incoming)
        try:
            await self._in_thread(self._prepare)
            await self._in_thread(file.open)
            async with contextlib.aclosing(_gathered(chunks)) as pieces:
                async for piece in pieces:
                    await self._in_thread(file.write, piece)
            await self._in_thread(file.move_to, target, self._root)
        finally:
            await self._in_thread(file.discard)

    async def put_file(self, key: str, path: Path) -> None:
        await self._in_thread(self._copy_in, path, self._path(key))

    async def open(self, key: str) -> AsyncGenerator[bytes]:
        with await self._in_thread(self._open_existing, key) as file:
            while piece := await self._in_thread(file.read, CHUNK_BYTES):
                yield piece

    async def size(self, key: str) -> int:
        with await self._in_thread(self._open_existing, key) as file:
            return os.fstat(file.fileno()).st_size

    @contextlib.asynccontextmanager
    async def local_copy(self, key: str) -> AsyncIterator[Path]:
        (await self._in_thread(self._open_existing, key)).close()
        yield self._path(key)

    async def delete(self, keys: Iterable[str]) -> None:
        await self._in_thread(self._delete_files, [self._path(key) for key in keys])

    async def check(self) -> None:
        probe = _IncomingFile(self._incoming)
        try:
            await self._in_thread(self._prepare)
            await self._in_thread(probe.open)
            await self._in_thread(probe.write, b"can this folder be written?")
        finally:
            await self._in_thread(probe.discard)

    def _path(self, key: str) -> Path:
        return self._root / checked_key(key)

    def _open_existing(self, key: str) -> BinaryIO:
        try:
            return self._path(key).open("rb")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise BlobMissing(key) from None

    def _prepare(self) -> None:
        """Make the folders on first use, and remove the half-written files of processes that were killed."""
        if self._swept and self._incoming.is_dir():
            return
        self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._incoming.mkdir(exist_ok=True, mode=0o700)
        oldest_in_use = time.time() - ABANDONED_AFTER_SECONDS
        for left in self._incoming.iterdir():
            with contextlib.suppress(FileNotFoundError):
                if left.stat().st_mtime < oldest_in_use:
                    left.unlink()
        self._swept = True

    def _copy_in(self, path: Path, target: Path) -> None:
        self._prepare()
        file = _IncomingFile(self._incoming)
        try:
            with path.open("rb") as source:
                file.open()
                shutil.copyfileobj(source, file, CHUNK_BYTES)
            file.move_to(target, self._root)
        finally:
            file.discard()

    def _delete_files(self, paths: list[Path]) -> None:
        for path in paths:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
                path.unlink()
        for path in paths:
            _remove_empty_folders(path.parent, self._root)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run file work off the event loop. When cancelled, wait for the thread: it may still be using the file."""
        running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            if running.exception() is None and isinstance(opened := running.result(), io.IOBase):
                opened.close()
            raise
        except OSError as problem:
            raise Unavailable(
                f"The folder for files cannot be used: {problem.strerror}. "
                "Check free space and permissions of the folder in the setting data."
            ) from problem


class _IncomingFile:
    """A file being written, under a name that no key can have."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / secrets.token_hex(16)
        self._descriptor: int | None = None

    def open(self) -> None:
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def write(self, data: bytes) -> int:
        assert self._descriptor is not None
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        return len(data)

    def move_to(self, target: Path, root: Path) -> None:
        """Move the finished file into place, so that it survives a power cut."""
        assert self._descriptor is not None
        os.fsync(self._descriptor)
        made: set[Path] = set()
        for attempts_left in reversed(range(MOVE_ATTEMPTS)):
            try:
                made.update(_make_folders(target.parent, root))
                self._path.replace(target)
                break
            except FileNotFoundError:
                # Somebody has just deleted the last blob of the folder, and the folder with it.
                if not attempts_left:
                    raise
            except (FileExistsError, IsADirectoryError, NotADirectoryError):
                raise ValueError(
                    f"Blob key {target.relative_to(root)} is also the folder of a key."
                ) from None
        for folder in {target.parent, *made}:
            _flush_folder(folder)

    def discard(self) -> None:
        """Close the file and, unless it was moved into place, delete it. May be called at any time."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            self._path.unlink(missing_ok=True)


def _make_folders(folder: Path, root: Path) -> list[Path]:
    """Make the folder and any missing folders above it, up to the root. Return the parents of the new ones."""
    missing = [each for each in (folder, *folder.parents) if each.is_relative_to(root) and not each.exists()]
    for each in reversed(missing):
        with contextlib.suppress(FileNotFoundError):
            _make_folder(each)
    return [each.parent for each in missing]


def _make_folder(folder: Path) -> None:
    """Make a folder that others may make or remove at the same moment. `Path.mkdir` takes a removed one for a file."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise


def _flush_folder(folder: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_empty_folders(folder: Path, root: Path) -> None:
    while folder != root:
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            return
        folder = folder.parent


async def _gathered(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the same bytes in pieces large enough to be worth a trip to a thread."""
    waiting: list[bytes] = []
    size = 0
    async for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= CHUNK_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)
