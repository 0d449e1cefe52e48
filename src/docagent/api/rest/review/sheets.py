"""Sheets: the results of one prompt as a table."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from docagent.api.answers import Answer, PathOut, at_path
from docagent.api.deps import ListParameters, OrgMember, ServicesDep
from docagent.api.rest.documents.documents import download_headers
from docagent.api.router import Router
from docagent.domain.documents.formats import FORMATS
from docagent.export import SheetFormat

router = Router(prefix="/v0/orgs/{organization_id}/sheets", tags=["sheets"])

Unfold = Annotated[
    str | None, Query(max_length=500, description="A table whose rows become the rows of the sheet: `lines`")
]
MEDIA_TYPES = {
    SheetFormat.CSV: "text/csv; charset=utf-8",
    SheetFormat.JSON_LINES: "application/jsonl",
    SheetFormat.XLSX: FORMATS[".xlsx"].mime_type,
    SheetFormat.PARQUET: "application/vnd.apache.parquet",
}


class ColumnOut(Answer):
    path: PathOut
    title: str
    kind: str = Field(description="`text`, `number`, `boolean`, `date` or `list`")
    unfolds: bool = Field(description="Whether its rows can be unfolded")
    within: PathOut | None = Field(description="The unfolded table that it belongs to")


class CellOut(Answer):
    path: PathOut = Field(description="Where the value stands in the result, for edits and verification")
    value: Any
    match: str | None = Field(description="How the value was found on the page; null if there is none")
    page: int | None
    edited: bool = Field(description="A person has changed it")
    verified: bool
    confidence: float | None = Field(
        description="How sure the value is, 0 to 1; of a list, its least sure one"
    )
    doubtful: bool = Field(
        description="It breaks the schema, or is less sure than the prompt's policy asks for, and nobody has "
        "changed or verified it"
    )
    problem: str | None
    remark: str | None = Field(
        description="What does not add up: the same number twice, rows against a total, a date yet to come"
    )


class SheetRowOut(Answer):
    document_id: str = at_path("result.document_id")
    document_name: str = at_path("result.document_name")
    upload_date: datetime = at_path("result.upload_date")
    result_id: str = at_path("result.id")
    prompt_revid: str = at_path("result.prompt_revid")
    prompt_version: int = at_path("result.prompt_version")
    revision: int = at_path("result.revision")
    updated_at: datetime = at_path("result.updated_at")
    item: int | None = Field(description="The position in the unfolded table")
    state: str = Field(
        description="`verified`, `rejected`, `auto_verified`, `inconsistent`, `doubtful` or `proven`"
    )
    doubts: int
    cells: list[CellOut] = Field(description="In the order of the columns")


class SheetOut(Answer):
    prompt_id: str
    prompt_revid: str
    name: str
    columns: list[ColumnOut]
    rows: list[SheetRowOut]
    total_count: int = at_path("total", "How many documents there are, of which each may have several rows")
    skip: int
    settled: int = Field(
        description="Of all documents of the sheet, those that are verified, or sure and without a problem or remark"
    )
    to_review: int = Field(description="Of all documents of the sheet, those that a person should look at")


@router.get("/{prompt_id}")
async def get_sheet(
    prompt_id: str, member: OrgMember, services: ServicesDep, query: ListParameters, unfold: Unfold = None
) -> SheetOut:
    """The newest result of each document for a prompt, a column for each field.

    Sort and filter by a column's path, or by `$document`, `$uploaded`, `$updated`, `$version`, `$verified`,
    `$standing`, `$certainty`, `$tags`;
    `name_search` looks at the documents' names and all values.
    """
    return SheetOut.model_validate(await services.sheets.part(member, prompt_id, query, unfold=unfold))


@router.get("/{prompt_id}/export", response_class=StreamingResponse)
async def export_sheet(
    prompt_id: str,
    member: OrgMember,
    services: ServicesDep,
    query: ListParameters,
    unfold: Unfold = None,
    format: SheetFormat = SheetFormat.CSV,
    columns: Annotated[
        list[str] | None, Query(max_length=200, description="Paths; all when left out")
    ] = None,
) -> StreamingResponse:
    """Everything that the query finds, in its order, as a file; `skip` and `limit` do not matter."""
    name, chunks = await services.sheets.export(
        member, prompt_id, query, unfold=unfold, format=format, only=columns or ()
    )
    headers = download_headers(f"{name}.{format}")
    return StreamingResponse(chunks, media_type=MEDIA_TYPES[format], headers=headers)
