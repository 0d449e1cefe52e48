"""Documents."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

import orjson
from fastapi import Depends, File, Form, Query, UploadFile
from pydantic import AliasPath, BaseModel, Field
from starlette.datastructures import UploadFile as Upload

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import OrgMember, ServicesDep, Skip, comma_separated, only_reads
from docagent.api.downloads import Download
from docagent.api.fields import PageNumber, ShortText, Text
from docagent.api.messages import MessageOut
from docagent.api.repeats import OrgRepeat
from docagent.api.router import Router
from docagent.api.server.upload_request import UploadRequest, UploadRoute
from docagent.api.stream import event_json
from docagent.domain.documents.documents import DocumentState, PrivateRegion
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import InvalidInput
from docagent.domain.listing import ListQuery, list_query
from docagent.domain.proposals import ProposalStatus
from docagent.services.documents.archives import archive
from docagent.services.documents.documents import NewDocument

router = Router(prefix="/v0/orgs/{organization_id}/documents", tags=["documents"])

CHUNK = 1024 * 1024
MOST_AT_ONCE = 1000
MOST_PRIVATE = 1000
Fraction = Annotated[float, Field(ge=0, le=1)]
AUTO_CREATE = "Once the text is read, the agent prepares a proposal: a schema, a prompt and their result"
AUTO_CREATE_WANTED = f"{AUTO_CREATE}. Left out, the organisation's `auto_create_default` decides"
FileType = Annotated[str, Query(description="`original` or `pdf`")]


def _of_proposal(name: str) -> Any:
    """A field of the document's proposal; null as long as there is none."""
    return Field(None, validation_alias=AliasPath("proposal", name))


class NewDocumentIn(BaseModel):
    name: Text
    content: str = Field(description="Base64, plain or as a data URL")
    tag_ids: list[str] = []
    metadata: dict[Text, Text] = {}
    auto_create: bool | None = Field(None, description=AUTO_CREATE_WANTED)


class UploadIn(BaseModel):
    documents: list[NewDocumentIn]


class UploadedOut(Answer):
    document_name: str = at_path("document.name")
    document_id: str = at_path("document.id")
    tag_ids: list[str] = at_path("document.tag_ids")
    metadata: dict[str, str] = at_path("document.metadata")
    upload_date: datetime = at_path("document.upload_date")
    uploaded_by: str = at_path("document.uploaded_by")
    state: DocumentState = at_path("document.state")
    type: str = at_path("document.mime_type")
    duplicate_of: list[str] = Field(description="Documents that were there before with the same bytes")


class UploadsOut(Answer):
    documents: list[UploadedOut]


class UploadOut(Answer):
    document: UploadedOut


class PrivateRegionOut(Answer):
    page: int
    box: list[float]


class DocumentOut(Answer):
    id: str
    pdf_id: str = Field(validation_alias="id")
    document_name: str = Field(validation_alias="name")
    upload_date: datetime
    uploaded_by: str
    state: DocumentState
    tag_ids: list[str]
    type: str | None = Field(validation_alias="mime_type")
    metadata: dict[str, str]
    private_regions: list[PrivateRegionOut] | None = Field(
        description="Parts of pages that no model gets, in pictures or as words"
    )
    size: int
    page_count: int | None
    pages_read: int = Field(description="Pages whose text is read so far")
    state_reason: str | None = Field(description="Why the state is a failure, or which pages have no text")
    state_reason_code: str | None
    auto_create: bool = Field(description=AUTO_CREATE)
    auto_create_status: ProposalStatus | None = _of_proposal("status")
    auto_create_schema_revid: str | None = _of_proposal("schema_revid")
    auto_create_prompt_revid: str | None = _of_proposal("prompt_revid")
    auto_create_done_at: datetime | None = _of_proposal("done_at")
    auto_create_error: str | None = _of_proposal("error")


class DocumentContentOut(DocumentOut):
    content: str | None = Field(description="Base64; null when it was not asked for")
    auto_create_agent_log: list[dict[str, Any]] | None = Field(
        description="Every event of the turn that prepared the proposal"
    )


class DocumentsOut(Page[DocumentOut]):
    items: list[DocumentOut] = Field(serialization_alias="documents")


class PrivateRegionIn(BaseModel):
    page: PageNumber
    box: tuple[Fraction, Fraction, Fraction, Fraction] = Field(
        description="Left, top, right, bottom as fractions of the page"
    )


class DocumentChangesIn(BaseModel):
    document_name: Text | None = None
    tag_ids: list[str] | None = None
    metadata: dict[Text, Text] | None = None
    private_regions: Annotated[list[PrivateRegionIn], Field(max_length=MOST_PRIVATE)] | None = Field(
        None,
        description="Parts of pages that no model gets, in pictures or as words; they replace those there are",
    )


class DownloadIn(BaseModel):
    document_ids: Annotated[list[str], Field(min_length=1, max_length=MOST_AT_ONCE)]


class PasswordIn(BaseModel):
    password: ShortText


def document_list_parameters(
    skip: Skip = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 10,
    name_search: Annotated[str | None, Query(max_length=500)] = None,
    sort: Annotated[str | None, Query(description="JSON")] = None,
    filters: Annotated[str | None, Query(description="JSON")] = None,
) -> ListQuery:
    return list_query(skip, limit, name_search, sort, filters)


async def upload_documents(
    body: UploadIn, member: OrgMember, services: ServicesDep, request: UploadRequest, repeat: OrgRepeat
) -> UploadsOut:
    """Upload documents as JSON: all of them are stored, or none."""
    new = [
        NewDocument(
            item.name, request.content_of(item.content), item.tag_ids, item.metadata, item.auto_create
        )
        for item in body.documents
    ]
    return UploadsOut.model_validate({"documents": await services.documents.upload(member, new, repeat)})


router.add_api_route("", upload_documents, methods=["POST"], route_class_override=UploadRoute)


@router.post("/multipart")
async def upload_document_multipart(
    member: OrgMember,
    services: ServicesDep,
    file: Annotated[UploadFile, File()],
    repeat: OrgRepeat,
    name: Annotated[str | None, Form()] = None,
    tag_ids: Annotated[str | None, Form(description="JSON array of ids")] = None,
    metadata: Annotated[str | None, Form(description="JSON object with string values")] = None,
    auto_create: Annotated[bool | None, Form(description=AUTO_CREATE_WANTED)] = None,
) -> UploadOut:
    """Upload one document as a form. The bytes are streamed to the store."""
    uploaded = await services.documents.upload_stream(
        member,
        name or file.filename or "",
        file_chunks(file),
        _tag_ids(tag_ids),
        _metadata(metadata),
        auto_create=auto_create,
        repeat=repeat,
    )
    return UploadOut.model_validate({"document": uploaded})


@router.get("")
async def list_documents(
    member: OrgMember,
    services: ServicesDep,
    query: Annotated[ListQuery, Depends(document_list_parameters)],
    tag_ids: Annotated[str | None, Query(description="Ids, separated by commas; all must match")] = None,
    metadata_search: Annotated[
        str | None, Query(description="`key=value` pairs, separated by commas")
    ] = None,
    auto_create_status: Annotated[
        ProposalStatus | None, Query(description="Only documents whose proposal has this status")
    ] = None,
) -> DocumentsOut:
    """Documents, newest first unless sorted otherwise."""
    found = await services.documents.list(
        member,
        query,
        tag_ids=comma_separated(tag_ids),
        metadata_search=metadata_search,
        proposal_status=auto_create_status,
    )
    return DocumentsOut.model_validate(found)


@router.get("/{document_id}")
async def get_document(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    file_type: FileType = "original",
    include_content: bool = True,
) -> DocumentContentOut:
    """One document, with its content in base64 unless that is declined."""
    document = await services.documents.get(member, document_id)
    is_pdf, content = file_type == "pdf", None
    if include_content:
        open_file = services.documents.open_pdf if is_pdf else services.documents.open_original
        whole = b"".join([chunk async for chunk in await open_file(document)])
        content = base64.b64encode(whole).decode()
    fields = DocumentOut.model_validate(document).model_dump()
    if is_pdf:
        fields["type"] = FORMATS[".pdf"].mime_type
    log = await services.proposals.log(member, document) if document.proposal else None
    events = None if log is None else [event_json(event) for event in log]
    return DocumentContentOut(**fields, content=content, auto_create_agent_log=events)


@router.post("/download", response_class=Download)
@only_reads
async def download_documents(body: DownloadIn, member: OrgMember, services: ServicesDep) -> Download:
    """The originals of several documents as one zip file."""
    chunks = await archive(services.documents, member, body.document_ids)
    return Download(services, member, chunks, "application/zip", "documents.zip")


@router.get("/{document_id}/file", response_class=Download)
async def download_document(
    document_id: str, member: OrgMember, services: ServicesDep, file_type: FileType = "pdf"
) -> Download:
    """The bytes of the document: the original, or a PDF that shows it."""
    document = await services.documents.get(member, document_id)
    if file_type == "original":
        chunks, mime, name = services.documents.open_original(document), document.mime_type, document.name
    else:
        chunks, mime = services.documents.open_pdf(document), FORMATS[".pdf"].mime_type
        name = document.name if document.extension == ".pdf" else f"{document.name}.pdf"
    return Download(services, member, await chunks, mime, name)


@router.put("/{document_id}")
async def update_document(
    document_id: str, body: DocumentChangesIn, member: OrgMember, services: ServicesDep
) -> MessageOut:
    """Change a document's name, tags, metadata or private regions."""
    changed = await services.documents.update(
        member,
        document_id,
        name=body.document_name,
        tag_ids=body.tag_ids,
        metadata=body.metadata,
        private_regions=None
        if body.private_regions is None
        else [PrivateRegion(one.page, list(one.box)) for one in body.private_regions],
    )
    return MessageOut(message="Document updated successfully" if changed else "No updates provided")


@router.post("/{document_id}/password")
async def set_password(
    document_id: str, body: PasswordIn, member: OrgMember, services: ServicesDep
) -> MessageOut:
    """Give the password of an encrypted document; it is kept sealed, and the document is read again."""
    await services.documents.set_password(member, document_id, body.password)
    return MessageOut(message="The document is being read with the password")


@router.delete("/{document_id}")
async def delete_document(document_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a document with its text."""
    await services.documents.delete(member, document_id)
    return MessageOut(message="Document deleted successfully")


async def file_chunks(file: Upload) -> AsyncIterator[bytes]:
    while chunk := await file.read(CHUNK):
        yield chunk


def _tag_ids(text: str | None) -> list[str]:
    if not text:
        return []
    value = _json(text, "tag_ids")
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput("tag_ids must be a JSON array of strings")
    return value


def _metadata(text: str | None) -> dict[str, str]:
    if not text:
        return {}
    value = _json(text, "metadata")
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise InvalidInput("metadata must be a JSON object with string values")
    if any("\x00" in part for pair in value.items() for part in pair):
        raise InvalidInput("metadata cannot hold NUL characters")
    return value


def _json(text: str, what: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"Invalid {what} JSON: {error}") from error
