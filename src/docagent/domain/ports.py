"""What the services need from the outside, as small protocols. Each has a real adapter and a fake."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from docagent.domain.documents.pictures import Drawing
from docagent.domain.documents.text import PackedPage


class BlobMissing(Exception):
    """The blob store holds nothing under that key."""


class BlobStore(Protocol):
    """Bytes by key. Keys are relative paths with `/`; the first part is the organisation's id."""

    async def put(self, key: str, chunks: AsyncIterator[bytes]) -> None:
        """Store the chunks under the key and replace what was there. Readers see the blob whole or not at all."""

    async def put_file(self, key: str, path: Path) -> None:
        """Store a local file's bytes under the key."""

    def open(self, key: str) -> AsyncGenerator[bytes]:
        """The bytes in chunks. Raises BlobMissing before the first chunk."""

    async def size(self, key: str) -> int:
        """The number of bytes under the key. Raises BlobMissing."""

    def local_copy(self, key: str) -> AbstractAsyncContextManager[Path]:
        """A path on this machine with the same bytes, for readers that need a file. Read only."""

    async def delete(self, keys: Iterable[str]) -> None:
        """Remove the keys; absent ones are no error."""

    async def check(self) -> None:
        """Raise Unavailable when the store cannot be used."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a reader says first about a file."""

    page_count: int


class FileReader(Protocol):
    """Turns files into pages of words, and into PDFs for the viewer, safely."""

    def read(
        self,
        path: Path,
        extension: str,
        *,
        password: str | None = None,
        first_page: int = 1,
        pictures: Path | None = None,
    ) -> AsyncGenerator[Opened | PackedPage]:
        """Yields Opened, then each page from `first_page` on, in order. Raises ReadFailed.

        Where that costs little, pictures of the first page are left in the folder `pictures` in the end.
        """

    async def make_pdf(
        self, path: Path, extension: str, target: Path, *, password: str | None = None
    ) -> None:
        """Write a PDF that shows the file. Raises ReadFailed."""

    async def draw(
        self,
        pdf: Path,
        pictures: Path,
        *,
        strip: int | None = None,
        drawings: Sequence[Drawing] = (),
        password: str | None = None,
    ) -> None:
        """Draw these pictures of a PDF into the folder; without any, those of its first page, or a strip of its pages.

        Raises ReadFailed.
        """

    async def reread(
        self, pdf: Path, drawings: Sequence[Drawing], *, password: str | None = None
    ) -> list[PackedPage]:
        """Read parts of pages closely, with every reader. Each comes as a page of its own. Raises ReadFailed."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter in plain text to one address."""

    to: str
    subject: str
    text: str


class Mailer(Protocol):
    """Sends letters."""

    async def send(self, mail: Mail) -> None:
        """Hand the letter over. Raises Unavailable, or InvalidInput for an address that is refused."""
