"""A view of a blob store that somebody else owns: blobs can be read but never changed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from docagent.domain.errors import Forbidden
from docagent.domain.ports import BlobStore

REFUSED = "Files cannot be stored here: this is a copy that only reads them."


class ReadOnlyBlobStore:
    """Refuses to store. Deleting does nothing, because a copy of the state owns none of the blobs it points to."""

    def __init__(self, store: BlobStore) -> None:
        self._store = store

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        raise Forbidden(REFUSED)

    async def put_file(self, key: str, path: Path) -> None:
        raise Forbidden(REFUSED)

    def open(self, key: str) -> AsyncGenerator[bytes]:
        return self._store.open(key)

    async def size(self, key: str) -> int:
        return await self._store.size(key)

    def local_copy(self, key: str) -> AbstractAsyncContextManager[Path]:
        return self._store.local_copy(key)

    async def delete(self, keys: Iterable[str]) -> None:
        del keys

    async def check(self) -> None:
        await self._store.check()
