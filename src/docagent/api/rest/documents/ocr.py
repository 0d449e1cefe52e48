"""The text of documents."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import quote

import orjson
from fastapi import Query, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep, comma_separated, only_reads
from docagent.api.downloads import Download, download_headers
from docagent.api.fields import JsonObject, ShortText
from docagent.api.router import Router
from docagent.domain.documents.formats import FORMATS
from docagent.domain.listing import ListQuery, list_query
from docagent.services.documents.text import OCR_TYPE

router = Router(prefix="/v0/orgs/{organization_id}/ocr", tags=["text"])


class QueuedOut(BaseModel):
    status: Literal["queued", "up_to_date"]
    document_id: str


class TextMetadataOut(BaseModel):
    n_pages: int
    ocr_date: datetime
    ocr_type: str
    notes: dict[int, str]


class DocumentFiltersIn(BaseModel):
    name_search: ShortText | None = None
    tag_ids: list[ShortText] | ShortText | None = None
    metadata_search: dict[str, str] | str | None = None
    filters: JsonObject | str | None = None

    @property
    def query(self) -> ListQuery:
        filters = orjson.dumps(self.filters).decode() if isinstance(self.filters, dict) else self.filters
        return list_query(name_search=self.name_search, filters=filters)

    @property
    def metadata_text(self) -> str | None:
        if isinstance(self.metadata_search, dict):
            return ",".join(f"{quote(key)}={quote(item)}" for key, item in self.metadata_search.items())
        return self.metadata_search


class OcrBulkIn(BaseModel):
    tag_id: ShortText | None = None
    mode: Literal["all", "missing", "outdated"] = "outdated"
    document_filters: DocumentFiltersIn = DocumentFiltersIn()


class OcrExecutionOut(Answer):
    document_id: str
    document_name: str
    reason: str


class OcrBulkOut(BaseModel):
    total_executions: int
    executions: list[OcrExecutionOut]


@router.post("/run/{document_id}")
async def run_ocr(
    document_id: str, member: OrgMember, services: ServicesDep, force: bool = True, ocr_only: bool = False
) -> QueuedOut:
    """Read a document's text again, in the background."""
    queued = await services.reading.request(member, document_id, force=force, ocr_only=ocr_only)
    return QueuedOut(status="queued" if queued else "up_to_date", document_id=document_id)


@router.get("/download/text/{document_id}", response_class=PlainTextResponse)
async def download_text(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    page_num: Annotated[int | None, Query(le=10**6, ge=-(10**6), description="Counted from 1")] = None,
) -> PlainTextResponse:
    """The text of a document, or of one page."""
    return PlainTextResponse(await services.text.text(member, document_id, page_num))


@router.get("/download/json/{document_id}", response_class=Download)
async def download_json(
    document_id: str, member: OrgMember, services: ServicesDep, format: Literal["plain", "gzip"] = "plain"
) -> Download:
    """Pages, lines and words with their boxes, in the shape of AWS Textract."""
    chunks = await services.text.blocks_json(member, document_id, bare=False)
    if format == "gzip":
        headers = {"Content-Encoding": "gzip"}
        return Download(services, member, _gzipped(chunks), "application/json", headers=headers)
    return Download(services, member, chunks, "application/json")


@router.get("/download/blocks/{document_id}", response_class=Download)
async def download_blocks(document_id: str, member: OrgMember, services: ServicesDep) -> Download:
    """The same blocks as a bare list: the address that published clients call."""
    chunks = await services.text.blocks_json(member, document_id, bare=True)
    return Download(services, member, chunks, "application/json")


@router.get("/download/metadata/{document_id}")
async def download_metadata(document_id: str, member: OrgMember, services: ServicesDep) -> TextMetadataOut:
    """How many pages were read, when, and what a person should know of single pages."""
    found = await services.text.metadata(member, document_id)
    return TextMetadataOut(
        n_pages=found.page_count, ocr_date=found.read_at, ocr_type=OCR_TYPE, notes=found.notes
    )


@router.get("/export/markdown/{document_id}", response_class=PlainTextResponse)
async def export_markdown(document_id: str, member: OrgMember, services: ServicesDep) -> PlainTextResponse:
    """The text as markdown, with headings and tables."""
    text = await services.text.markdown(member, document_id)
    return PlainTextResponse(text, media_type="text/markdown")


@router.get("/export/html/{document_id}", response_class=HTMLResponse)
async def export_html(document_id: str, member: OrgMember, services: ServicesDep) -> HTMLResponse:
    """The text as one page of HTML without scripts or remote parts."""
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return HTMLResponse(await services.text.html(member, document_id), headers=headers)


@router.get("/export/tables.xlsx/{document_id}", response_class=Response)
async def export_tables(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    table_index: Annotated[
        int | None, Query(ge=0, le=10**6, description="Counted from 0; all when left out")
    ] = None,
) -> Response:
    """The tables of the document as a workbook, one sheet each."""
    workbook = await services.text.tables_xlsx(member, document_id, table_index)
    return Response(
        workbook,
        media_type=FORMATS[".xlsx"].mime_type,
        headers=download_headers(f"tables_{document_id}.xlsx"),
    )


@router.post("/bulk-analyze")
@only_reads
async def bulk_analyze_ocr(body: OcrBulkIn, member: OrgMember, services: ServicesDep) -> OcrBulkOut:
    """Which documents a bulk run would read, and why. Nothing is started."""
    wanted = body.document_filters
    tag_ids = wanted.tag_ids or []
    if isinstance(tag_ids, str):
        tag_ids = comma_separated(tag_ids)
    planned = await services.reading.plan_bulk(
        member,
        body.mode,
        wanted.query,
        tag_ids=[*tag_ids, *([body.tag_id] if body.tag_id else [])],
        metadata_search=wanted.metadata_text,
    )
    executions = [OcrExecutionOut.model_validate(item) for item in planned]
    return OcrBulkOut(total_executions=len(executions), executions=executions)


async def _gzipped(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(level=6, wbits=31)
    async for chunk in chunks:
        if packed := packer.compress(chunk):
            yield packed
    yield packer.flush()
