"""Blobs in an S3-compatible bucket. Imported only when the settings name a bucket."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, PreconditionError, UnauthenticatedError
from obstore.store import S3Store

from docagent.adapters.blobs.keys import checked_key
from docagent.domain.errors import FilesAway, Unavailable
from docagent.domain.ports import BlobMissing

if TYPE_CHECKING:
    from obstore.store import S3Config

# S3 takes at most 10,000 parts of at least 5 MiB each: enough for files of 50 GB, with few parts in memory.
PART_BYTES = 5 << 20
PARTS_AT_ONCE = 2
# Each piece is a request of its own, so a slow reader never keeps one open until it times out.
PIECE_BYTES = 4 << 20
PROBE_KEY = "docagent-check"


class S3BlobStore:
    """Implements domain.ports.BlobStore. If no keys are given, the usual AWS variables and roles apply."""

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str | None = None,
        region: str | None = None,
        access_key_id: str | None = None,
        secret_access_key: str | None = None,
        prefix: str = "",
        scratch: Path | None = None,
    ) -> None:
        self._bucket = bucket
        self._where = endpoint or "AWS"
        self._scratch = scratch
        given: S3Config = {"virtual_hosted_style_request": False}
        if endpoint:
            given["endpoint"] = endpoint
        if region:
            given["region"] = region
        if access_key_id and secret_access_key:
            given["access_key_id"] = access_key_id
            given["secret_access_key"] = secret_access_key
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            config=given,
            client_options={
                "allow_http": (endpoint or "").startswith("http://"),
                "connect_timeout": timedelta(seconds=5),
                "timeout": timedelta(seconds=60),
            },
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=30)},
        )

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        checked_key(key)
        first: list[bytes] = []
        size = 0
        async for chunk in chunks:
            first.append(chunk)
            size += len(chunk)
            if size >= PART_BYTES:
                break
        else:
            with self._explained():
                await obstore.put_async(self._store, key, b"".join(first), use_multipart=False)
            return
        await self._put_parts(key, _joined(first, chunks))

    async def put_file(self, key: str, path: Path) -> None:
        async with contextlib.aclosing(_pieces_of(path)) as pieces:
            await self.put(key, pieces)

    async def open(self, key: str) -> AsyncGenerator[bytes]:
        checked_key(key)
        with self._explained(key):
            whole = await obstore.get_async(self._store, key)
            size, version = whole.meta["size"], whole.meta["e_tag"]
            small = bytes(await whole.bytes_async()) if size <= PIECE_BYTES else b""
        if small:
            yield small
        if size <= PIECE_BYTES:
            return
        del whole
        for start in range(0, size, PIECE_BYTES):
            with self._explained(key):
                piece = await obstore.get_async(
                    self._store,
                    key,
                    options={"range": (start, min(start + PIECE_BYTES, size)), "if_match": version},
                )
                data = bytes(await piece.bytes_async())
            yield data

    async def size(self, key: str) -> int:
        with self._explained(checked_key(key)):
            return (await obstore.head_async(self._store, key))["size"]

    @contextlib.asynccontextmanager
    async def local_copy(self, key: str) -> AsyncIterator[Path]:
        with tempfile.NamedTemporaryFile(prefix="docagent-", dir=self._scratch) as file:
            try:
                async with contextlib.aclosing(self.open(key)) as pieces:
                    async for piece in pieces:
                        await asyncio.to_thread(file.write, piece)
                await asyncio.to_thread(file.flush)
            except OSError as problem:
                raise Unavailable(
                    f"The temporary folder cannot be used: {problem.strerror}. Free up space in it, or set TMPDIR."
                ) from problem
            yield Path(file.name)

    async def delete(self, keys: Iterable[str]) -> None:
        wanted = [checked_key(key) for key in keys]
        if not wanted:
            return
        with self._explained(), contextlib.suppress(FileNotFoundError):
            await obstore.delete_async(self._store, wanted)

    async def check(self) -> None:
        try:
            with self._explained(PROBE_KEY):
                await obstore.get_async(self._store, PROBE_KEY)
        except BlobMissing:
            return

    async def _put_parts(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        """Upload in parts. S3 shows the object once all parts are there; an error here aborts the upload."""
        with self._explained():
            await obstore.put_async(
                self._store,
                key,
                chunks,
                use_multipart=True,
                chunk_size=PART_BYTES,
                max_concurrency=PARTS_AT_ONCE,
            )

    @contextlib.contextmanager
    def _explained(self, key: str | None = None) -> Iterator[None]:
        """Turn obstore's errors into ours. Its own messages may hold secrets, so they are not passed on."""
        try:
            yield
        except FileNotFoundError as problem:
            if key is None or "NoSuchBucket" in str(problem):
                raise Unavailable(
                    f"The bucket {self._bucket} does not exist at {self._where}. "
                    "Create it, or check the setting blobs.bucket."
                ) from None
            raise BlobMissing(key) from None
        except (PermissionDeniedError, UnauthenticatedError):
            raise Unavailable(
                f"The file store at {self._where} refused our keys. Check the settings "
                "blobs.access_key_id and blobs.secret_access_key. They must allow to list, read, write "
                f"and delete in the bucket {self._bucket}."
            ) from None
        except PreconditionError:
            raise Unavailable("The file was replaced while it was being read. Try again.") from None
        except BaseError:
            raise FilesAway(
                f"The file store at {self._where} does not answer. Check the setting blobs.endpoint, "
                "and whether the store runs and can be reached from here."
            ) from None


async def _joined(first: list[bytes], rest: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    while first:
        yield first.pop(0)
    async for chunk in rest:
        yield chunk


async def _pieces_of(path: Path) -> AsyncGenerator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
            yield piece
