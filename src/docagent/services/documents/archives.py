"""The originals of several documents as one file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import archive_names
from docagent.export import ArchivedFile, zipped
from docagent.services.documents.documents import DocumentService


async def archive(
    documents: DocumentService, member: Member, document_ids: Sequence[str]
) -> AsyncIterator[bytes]:
    """Yield a zip in chunks. Raises NotFound before the first chunk if a document or its file is missing."""
    found = await documents.several(member, document_ids)
    for document in found:
        await documents.check_original(document)
    names = archive_names([document.name for document in found])
    return zipped(
        ArchivedFile(name, document.upload_date, partial(documents.read_original, document))
        for name, document in zip(names, found, strict=True)
    )
