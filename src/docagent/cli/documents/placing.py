"""Puts files where the server has them, each once: what an earlier command uploaded is found by its digest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from docagent.cli.documents.files import DIGEST, digest_of
from docagent.client import AsyncClient
from docagent.client.models import DocumentContent
from docagent.domain.errors import InvalidInput

UNREAD = ("uploaded", "ocr_processing")
UNREADABLE = "ocr_failed"
FIRST_LOOK_SECONDS, LONGER, LAST_LOOK_SECONDS = 0.1, 1.4, 2.0


async def digest(file: Path) -> str:
    return await asyncio.to_thread(digest_of, file)


async def find(client: AsyncClient, file_digest: str) -> str | None:
    """The id of the oldest document with these bytes that a command uploaded."""
    found = await client.documents.list(metadata={DIGEST: file_digest}, limit=100)
    return found.documents[-1].id if found.documents else None


async def place(
    client: AsyncClient,
    file: Path,
    file_digest: str,
    *,
    tag_ids: Sequence[str] = (),
    auto_create: bool | None = None,
) -> tuple[str, bool]:
    """The document's id, and whether it was uploaded now. A kill in between uploads nothing twice: the digest is
    stored in the transaction that stores the document."""
    known = await find(client, file_digest)
    if known is not None:
        return known, False
    made = await client.documents.upload(
        file, tag_ids=tag_ids, metadata={DIGEST: file_digest}, auto_create=auto_create
    )
    return made.document_id, True


async def until_read(client: AsyncClient, document_id: str) -> DocumentContent:
    """The document, once its text is read or cannot be read."""
    return await _until(client, document_id, lambda document: document.state not in UNREAD)


async def until_prepared(client: AsyncClient, document_id: str) -> DocumentContent:
    """The document, once the agent has prepared a proposal for it or could not."""
    return await _until(
        client, document_id, lambda document: document.auto_create_status not in (None, "running")
    )


async def _until(
    client: AsyncClient, document_id: str, is_done: Callable[[DocumentContent], bool]
) -> DocumentContent:
    """Look at the document less and less often: many are waited for at once, and looking costs the server too."""
    pause = FIRST_LOOK_SECONDS
    while True:
        document = await client.documents.get(document_id)
        if is_done(document):
            return document
        await asyncio.sleep(pause)
        pause = min(pause * LONGER, LAST_LOOK_SECONDS)


async def tag_named(client: AsyncClient, name: str) -> str:
    """The id of the tag."""
    tag = await client.tags.named(name)
    if tag is None:
        raise InvalidInput(f"There is no tag named {name}. Create it first, or leave --tag out.")
    return tag.id
