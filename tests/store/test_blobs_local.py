"""What only the local blob store promises: tidy folders, private files, no leftovers."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docagent.adapters.blobs.local import ABANDONED_AFTER_SECONDS, INCOMING, LocalBlobStore
from docagent.domain.errors import Unavailable


async def chunks(*data: bytes) -> AsyncIterator[bytes]:
    for each in data:
        yield each


def all_files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def all_folders(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir())


async def test_files_and_folders_are_private(tmp_path: Path) -> None:
    root = tmp_path / "data" / "blobs"
    store = LocalBlobStore(root)
    await store.put("org/documents/file", chunks(b"x"))
    source = tmp_path / "open-to-all"
    source.write_bytes(b"y")
    source.chmod(0o644)
    await store.put_file("org/documents/copy", source)
    assert {path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (root, *root.rglob("*")) if path.is_dir()} == {0o700}


async def test_deleting_removes_the_folders_that_became_empty(tmp_path: Path) -> None:
    store = LocalBlobStore(tmp_path)
    await store.put("org/a/b/c/one", chunks(b"1"))
    await store.put("org/a/two", chunks(b"2"))
    await store.delete(["org/a/b/c/one"])
    assert all_folders(tmp_path) == [INCOMING, "org", "org/a"]
    await store.delete(["org/a/two"])
    assert all_folders(tmp_path) == [INCOMING]


async def test_a_failed_put_leaves_no_file_at_all(tmp_path: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield bytes(3 << 20)
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        await LocalBlobStore(tmp_path).put("org/file", broken())
    assert all_files(tmp_path) == []


async def test_old_leftovers_of_killed_processes_are_removed_at_first_use(tmp_path: Path) -> None:
    incoming = tmp_path / INCOMING
    incoming.mkdir()
    (incoming / "abandoned").write_bytes(b"x")
    (incoming / "being-written").write_bytes(b"x")
    long_ago = time.time() - ABANDONED_AFTER_SECONDS - 60
    os.utime(incoming / "abandoned", (long_ago, long_ago))
    await LocalBlobStore(tmp_path).put("org/file", chunks(b"x"))
    assert all_files(tmp_path) == [f"{INCOMING}/being-written", "org/file"]


async def test_puts_survive_deletes_that_tidy_the_same_folder(tmp_path: Path) -> None:
    store = LocalBlobStore(tmp_path)

    async def put_and_delete(name: str) -> None:
        for _ in range(40):
            await store.put(f"org/folder/{name}", chunks(b"x"))
            assert await store.size(f"org/folder/{name}") == 1
            await store.delete([f"org/folder/{name}"])

    await asyncio.gather(*(put_and_delete(str(number)) for number in range(4)))
    assert all_folders(tmp_path) == [INCOMING]


@pytest.mark.parametrize("key", ["org/a", "org/a/b/c", "org/a/b/c/d"])
async def test_a_key_cannot_be_the_folder_of_another(tmp_path: Path, key: str) -> None:
    store = LocalBlobStore(tmp_path)
    await store.put("org/a/b", chunks(b"x"))
    with pytest.raises(ValueError, match="folder"):
        await store.put(key, chunks(b"y"))
    assert all_files(tmp_path) == ["org/a/b"]


async def test_a_folder_that_cannot_be_used_is_told_with_its_setting(tmp_path: Path) -> None:
    in_the_way = tmp_path / "in-the-way"
    in_the_way.write_bytes(b"a file where the folder should be")
    store = LocalBlobStore(in_the_way / "blobs")
    with pytest.raises(Unavailable, match="setting data"):
        await store.check()
    with pytest.raises(Unavailable, match="setting data"):
        await store.put("org/file", chunks(b"x"))


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Stands for a full disk: the system refuses every write beyond."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_disk_without_room_is_told_and_nothing_is_left_of_the_file(tmp_path: Path) -> None:
    store = LocalBlobStore(tmp_path)
    with files_no_larger_than(100_000), pytest.raises(Unavailable, match="free space") as told:
        await store.put("org/large", chunks(b"x" * 200_000))
    assert str(tmp_path) not in told.value.detail
    assert all_files(tmp_path) == []
    await store.put("org/large", chunks(b"x" * 200_000))
