"""Reads one PDF with our reader in a process of its own, so that its memory can be watched from outside."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage


async def count_characters(path: Path) -> tuple[int, int]:
    """Count pages and characters. As in the product, each page is dropped before the next one comes."""
    pages = characters = 0
    async for told in ChildProcessReader().read(path, ".pdf"):
        if isinstance(told, PackedPage):
            pages += 1
            characters += len(told.text)
    return pages, characters


async def read_pages(path: Path) -> list[PackedPage]:
    return [told async for told in ChildProcessReader().read(path, ".pdf") if isinstance(told, PackedPage)]


if __name__ == "__main__":
    print(*asyncio.run(count_characters(Path(sys.argv[1]))))
