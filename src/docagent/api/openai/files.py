"""Documents as files of OpenAI's API: a file's id is the document's id."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import File, Form, Query, UploadFile
from pydantic import BaseModel

from docagent.api.deps import OwnMember, ServicesDep
from docagent.api.downloads import Download
from docagent.api.fields import ShortText
from docagent.api.repeats import OwnRepeat
from docagent.api.rest.documents.documents import file_chunks
from docagent.api.router import Router
from docagent.domain.documents.documents import Document, DocumentState
from docagent.domain.listing import ListQuery

router = Router(prefix="/v1/files", tags=["OpenAI"])

MOST_LISTED = 1000
USER_DATA = "user_data"


class FileOut(BaseModel):
    id: str
    object: Literal["file"] = "file"
    bytes: int
    created_at: int
    filename: str
    purpose: str
    status: Literal["uploaded", "processed", "error"]
    status_details: str | None


class FilesOut(BaseModel):
    object: Literal["list"] = "list"
    data: list[FileOut]
    has_more: bool = False


class FileDeletedOut(BaseModel):
    id: str
    object: Literal["file"] = "file"
    deleted: Literal[True] = True


@router.post("")
async def create_file(
    member: OwnMember,
    services: ServicesDep,
    file: Annotated[UploadFile, File()],
    repeat: OwnRepeat,
    purpose: Annotated[ShortText, Form()] = USER_DATA,
) -> FileOut:
    """Upload a document. It is read at once."""
    uploaded = await services.documents.upload_stream(
        member, file.filename or "", file_chunks(file), [], {}, auto_create=False, repeat=repeat
    )
    return _file(uploaded.document, purpose)


@router.get("")
async def list_files(
    member: OwnMember,
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=10_000)] = MOST_LISTED,
) -> FilesOut:
    """The newest documents, at most 1,000."""
    query = ListQuery(limit=min(limit, MOST_LISTED))
    found = await services.documents.list(member, query, tag_ids=(), metadata_search=None)
    return FilesOut(data=[_file(document) for document in found.items])


@router.get("/{file_id}")
async def get_file(file_id: str, member: OwnMember, services: ServicesDep) -> FileOut:
    """One document as a file."""
    return _file(await services.documents.get(member, file_id))


@router.get("/{file_id}/content", response_class=Download)
async def get_file_content(file_id: str, member: OwnMember, services: ServicesDep) -> Download:
    """The bytes of the document as they were uploaded."""
    document = await services.documents.get(member, file_id)
    chunks = await services.documents.open_original(document)
    return Download(services, member, chunks, document.mime_type, document.name)


@router.delete("/{file_id}")
async def delete_file(file_id: str, member: OwnMember, services: ServicesDep) -> FileDeletedOut:
    """Delete the document with its text."""
    await services.documents.delete(member, file_id)
    return FileDeletedOut(id=file_id)


def _file(document: Document, purpose: str = USER_DATA) -> FileOut:
    status: Literal["uploaded", "processed", "error"] = "uploaded"
    if document.state is DocumentState.OCR_FAILED:
        status = "error"
    elif document.text_run_id is not None:
        status = "processed"
    return FileOut(
        id=document.id,
        bytes=document.size,
        created_at=int(document.upload_date.timestamp()),
        filename=document.name,
        purpose=purpose,
        status=status,
        status_details=document.state_reason,
    )
