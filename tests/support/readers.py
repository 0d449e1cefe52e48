"""A reader for tests in which nothing is read: each fake changes the one thing that it is about."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from docagent.domain.documents.pictures import Drawing
from docagent.domain.documents.text import PackedPage
from docagent.domain.ports import Opened


class NoReader:
    def read(
        self,
        path: Path,
        extension: str,
        *,
        password: str | None = None,
        first_page: int = 1,
        pictures: Path | None = None,
    ) -> AsyncGenerator[Opened | PackedPage]:
        raise NotImplementedError

    async def make_pdf(
        self, path: Path, extension: str, target: Path, *, password: str | None = None
    ) -> None:
        raise NotImplementedError

    async def draw(
        self,
        pdf: Path,
        pictures: Path,
        *,
        strip: int | None = None,
        drawings: Sequence[Drawing] = (),
        password: str | None = None,
    ) -> None:
        raise NotImplementedError

    async def reread(
        self, pdf: Path, drawings: Sequence[Drawing], *, password: str | None = None
    ) -> list[PackedPage]:
        raise NotImplementedError
