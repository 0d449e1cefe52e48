"""What every blob store must do, run against the local folder and against a real S3-compatible server."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from docagent.adapters.blobs.local import CHUNK_BYTES, LocalBlobStore
from docagent.adapters.blobs.s3 import S3BlobStore
from docagent.domain.errors import FilesAway, Unavailable
from docagent.domain.ids import new_id
from docagent.domain.ports import BlobMissing, BlobStore
from tests.support.services.s3 import S3Server, free_ports, running_s3

# One worker runs all of these, so that one S3 server is enough.

MIB = 1 << 20


@pytest.fixture(scope="module")
def s3_server() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


def s3_store(
    server: S3Server,
    *,
    bucket: str | None = None,
    endpoint: str | None = None,
    access_key: str | None = None,
    secret_key: str | None = None,
    prefix: str = "",
    scratch: Path | None = None,
) -> S3BlobStore:
    return S3BlobStore(
        bucket or server.bucket,
        endpoint=endpoint or server.endpoint,
        access_key_id=access_key or server.access_key,
        secret_access_key=secret_key or server.secret_key,
        prefix=prefix,
        scratch=scratch,
    )


@pytest.fixture(params=["local", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    if request.param == "local":
        return LocalBlobStore(tmp_path / "blobs")
    return s3_store(request.getfixturevalue("s3_server"))


@pytest.fixture
def organization() -> str:
    return new_id()


async def chunks_of(data: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def made_chunks(count: int, fail_at: int | None = None) -> AsyncIterator[bytes]:
    """Fresh megabytes, each different, so that whoever keeps them is seen in the memory figures."""
    for number in range(count):
        if number == fail_at:
            raise ConnectionAbortedError("the sender went away")
        yield number.to_bytes(4, "big") * (MIB // 4)


async def content(store: BlobStore, key: str) -> bytes:
    return b"".join([chunk async for chunk in store.open(key)])


@pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, 5 * MIB, 5 * MIB + 1])
async def test_bytes_come_back_as_they_went_in(
    store: BlobStore, organization: str, tmp_path: Path, size: int
) -> None:
    data = os.urandom(size)
    key = f"{organization}/documents/file"
    await store.put(key, chunks_of(data))
    assert await content(store, key) == data
    assert await store.size(key) == size
    async with store.local_copy(key) as path:
        assert path.read_bytes() == data

    source = tmp_path / "source"
    source.write_bytes(data)
    await store.put_file(f"{key}-2", source)
    assert await content(store, f"{key}-2") == data


async def test_a_large_blob_is_never_whole_in_memory(store: BlobStore, organization: str) -> None:
    key = f"{organization}/large"
    size = 48
    hashes: list[str] = []

    async def write() -> None:
        await store.put(key, made_chunks(size))

    async def read() -> None:
        digest = hashlib.sha256()
        async for chunk in store.open(key):
            digest.update(chunk)
        hashes.append(digest.hexdigest())

    async def copy() -> None:
        async with store.local_copy(key) as path:
            assert path.stat().st_size == size * MIB

    peaks = {}
    for work in (write, read, copy):
        tracemalloc.start()
        try:
            await work()
            peaks[work.__name__] = tracemalloc.get_traced_memory()[1] // MIB
        finally:
            tracemalloc.stop()

    expected = hashlib.sha256()
    async for chunk in made_chunks(size):
        expected.update(chunk)
    assert hashes == [expected.hexdigest()]
    assert max(peaks.values()) < size // 2, peaks


async def test_putting_again_replaces(store: BlobStore, organization: str) -> None:
    key = f"{organization}/file"
    await store.put(key, chunks_of(b"a long first version"))
    await store.put(key, chunks_of(b"short"))
    assert await content(store, key) == b"short"
    assert await store.size(key) == 5


async def test_a_missing_blob_is_told_before_the_first_chunk(store: BlobStore, organization: str) -> None:
    key = f"{organization}/nothing/here"
    with pytest.raises(BlobMissing):
        await anext(store.open(key))
    with pytest.raises(BlobMissing):
        await store.size(key)
    with pytest.raises(BlobMissing):
        async with store.local_copy(key):
            pytest.fail("there is nothing to copy")


async def test_a_folder_of_keys_is_not_a_blob(store: BlobStore, organization: str) -> None:
    await store.put(f"{organization}/folder/file", chunks_of(b"x"))
    with pytest.raises(BlobMissing):
        await store.size(f"{organization}/folder")
    with pytest.raises(BlobMissing):
        await anext(store.open(f"{organization}/folder"))


async def test_deleting_many_leaves_the_others(store: BlobStore, organization: str) -> None:
    keys = [f"{organization}/page/{number}" for number in range(30)]
    await asyncio.gather(*(store.put(key, chunks_of(key.encode())) for key in keys))
    await store.delete([*keys[:20], f"{organization}/never/was"])
    await store.delete([])
    for key in keys[:20]:
        with pytest.raises(BlobMissing):
            await store.size(key)
    assert [await content(store, key) for key in keys[20:]] == [key.encode() for key in keys[20:]]
    await store.delete(keys)
    await store.delete(keys)


@pytest.mark.parametrize("fail_at", [0, 1, 12])
async def test_a_put_that_fails_leaves_nothing(store: BlobStore, organization: str, fail_at: int) -> None:
    with pytest.raises(ConnectionAbortedError):
        await store.put(f"{organization}/new", made_chunks(20, fail_at))
    with pytest.raises(BlobMissing):
        await store.size(f"{organization}/new")


async def test_a_put_that_fails_leaves_the_old_version(store: BlobStore, organization: str) -> None:
    key = f"{organization}/file"
    await store.put(key, chunks_of(b"old"))
    with pytest.raises(ConnectionAbortedError):
        await store.put(key, made_chunks(20, 12))
    assert await content(store, key) == b"old"


async def test_a_cancelled_put_leaves_nothing(store: BlobStore, organization: str) -> None:
    started = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield bytes(MIB)
            started.set()
            await asyncio.sleep(0)

    putting = asyncio.create_task(store.put(f"{organization}/new", endless()))
    await started.wait()
    putting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await putting
    with pytest.raises(BlobMissing):
        await store.size(f"{organization}/new")


@pytest.mark.parametrize(
    "name",
    [
        "two words",
        "Rechnung für Müller.pdf",
        "100%",
        "a%2Fb",
        "a+b&c=d",
        "what?",
        "#1",
        "~x",
        "'q'",
        "[1]",
        "…",
        "😀",
    ],
)
async def test_odd_names_are_kept_apart(store: BlobStore, organization: str, name: str) -> None:
    key = f"{organization}/{name}"
    await store.put(key, chunks_of(name.encode()))
    assert await content(store, key) == name.encode()
    await store.delete([key])
    with pytest.raises(BlobMissing):
        await store.size(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "/",
        "/etc/passwd",
        "../outside",
        "a/../../outside",
        "a/..",
        "a/./b",
        "a//b",
        "a/",
        "a\\..\\b",
        "a\0b",
        "a\nb",
        ".incoming/x",
        "a" * 201,
        "/".join(["a" * 100] * 10),
    ],
)
async def test_keys_that_could_leave_the_store_are_refused(
    store: BlobStore, tmp_path: Path, key: str
) -> None:
    with pytest.raises(ValueError, match="Blob key"):
        await store.put(key, chunks_of(b"x"))
    with pytest.raises(ValueError, match="Blob key"):
        await store.put_file(key, Path(__file__))
    with pytest.raises(ValueError, match="Blob key"):
        await anext(store.open(key))
    with pytest.raises(ValueError, match="Blob key"):
        await store.size(key)
    with pytest.raises(ValueError, match="Blob key"):
        await store.delete([key])
    with pytest.raises(ValueError, match="Blob key"):
        async with store.local_copy(key):
            pytest.fail("the key should have been refused")


async def test_many_puts_at_once_to_one_key_leave_one_of_them_whole(
    store: BlobStore, organization: str
) -> None:
    key = f"{organization}/contested"
    versions = [bytes([number]) * (300_000 + number) for number in range(8)]
    await asyncio.gather(*(store.put(key, chunks_of(version)) for version in versions))
    assert await content(store, key) in versions


async def test_a_working_store_passes_its_check(store: BlobStore) -> None:
    await store.check()


async def test_s3_copies_are_removed(s3_server: S3Server, organization: str, tmp_path: Path) -> None:
    store = s3_store(s3_server, scratch=tmp_path)
    await store.put(f"{organization}/file", chunks_of(b"secret"))
    async with store.local_copy(f"{organization}/file") as path:
        assert path.parent == tmp_path
        assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


async def test_s3_prefixes_keep_installations_apart(s3_server: S3Server, organization: str) -> None:
    ours, theirs = s3_store(s3_server, prefix="ours"), s3_store(s3_server, prefix="theirs")
    await ours.put(f"{organization}/file", chunks_of(b"ours"))
    with pytest.raises(BlobMissing):
        await theirs.size(f"{organization}/file")
    assert await content(s3_store(s3_server), f"ours/{organization}/file") == b"ours"


async def test_s3_errors_name_the_setting_and_no_secret(s3_server: S3Server) -> None:
    nobody_listens = f"http://127.0.0.1:{free_ports(1)[0]}"
    for setting, store in {
        "blobs.endpoint": s3_store(s3_server, endpoint=nobody_listens),
        "blobs.access_key_id": s3_store(s3_server, access_key="not-the-access-key"),
        "blobs.secret_access_key": s3_store(s3_server, secret_key="not-the-secret-key"),
        "blobs.bucket": s3_store(s3_server, bucket="no-such-bucket"),
    }.items():
        with pytest.raises(Unavailable, match=re.escape(setting)) as caught:
            await store.check()
        for secret in (s3_server.secret_key, s3_server.access_key, "not-the-"):
            assert secret not in str(caught.value)


async def test_s3_that_is_down_is_unavailable_in_every_call(s3_server: S3Server, organization: str) -> None:
    store = s3_store(s3_server, endpoint=f"http://127.0.0.1:{free_ports(1)[0]}")
    key = f"{organization}/file"
    with pytest.raises(FilesAway):
        await store.put(key, chunks_of(b"x"))
    with pytest.raises(FilesAway):
        await store.put(key, made_chunks(8))
    with pytest.raises(FilesAway):
        await anext(store.open(key))
    with pytest.raises(FilesAway):
        await store.size(key)
    with pytest.raises(FilesAway):
        await store.delete([key])
