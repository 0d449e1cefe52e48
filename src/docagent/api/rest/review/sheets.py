"""Sheets: the results of one prompt as a table."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, PathOut, at_path
from docagent.api.deps import ListParameters, OrgMember, ServicesDep
from docagent.api.downloads import Download
from docagent.api.router import Router
from docagent.domain.documents.formats import FORMATS
from docagent.domain.extraction.sheets import ColumnChoice
from docagent.domain.projects.citations import MOST_SHEET_COLUMNS, CitedSheet, SheetForm
from docagent.export import ForPeople, SheetFormat

router = Router(prefix="/v0/orgs/{organization_id}/sheets", tags=["sheets"])

Unfold = Annotated[
    str | None, Query(max_length=500, description="A table whose rows become the rows of the sheet: `lines`")
]
Decimal = Literal[".", ","]
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
    hidden: bool = Field(description="Whether the sheet's template leaves it out")


class ColumnChoiceIn(BaseModel):
    path: Annotated[str, Field(max_length=500)]
    title: Annotated[
        str | None, Field(max_length=100, description="Its heading; null for the field's own")
    ] = None
    hidden: bool = False


class SheetTemplateIn(BaseModel):
    columns: Annotated[list[ColumnChoiceIn], Field(max_length=400)] = Field(
        default_factory=list, description="In their order. Left out or empty: as the schema has them"
    )
    decimal: Decimal | Literal[""] = Field("", description="The decimal mark of CSV files for people")


class SheetMarkdownOut(BaseModel):
    markdown: str


class ColumnChoiceOut(Answer):
    path: str
    title: str | None
    hidden: bool


class SheetTemplateOut(Answer):
    columns: list[ColumnChoiceOut]
    decimal: str


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
    tables: list[ColumnOut] = Field(description="The columns whose rows can be unfolded")
    rows: list[SheetRowOut]
    total_count: int = at_path("total", "How many documents there are, of which each may have several rows")
    skip: int
    settled: int = Field(
        description="Of all documents of the sheet, those that are verified, or sure and without a problem or remark"
    )
    to_review: int = Field(description="Of all documents of the sheet, those that a person should look at")
    to_check: int = Field(description="Values of these that a person should look at; missing ones count")
    decimal: str = Field(
        description="The decimal mark that the template has for CSV files; empty without one"
    )


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


@router.get("/{prompt_id}/markdown")
async def cite_sheet(
    prompt_id: str,
    member: OrgMember,
    services: ServicesDep,
    column: Annotated[
        list[str], Query(min_length=1, max_length=MOST_SHEET_COLUMNS, description="Paths, in their order")
    ],
    form: Annotated[
        SheetForm,
        Query(description="`rows` of documents, or `sum`: of the second column for each value of the first"),
    ] = SheetForm.ROWS,
    caption: Annotated[str, Query(max_length=200, description="The name of the sheet when empty")] = "",
) -> SheetMarkdownOut:
    """Columns of the sheet, or sums, as markdown for a living document, which stays bound to the sheet."""
    cited = CitedSheet(prompt_id, form, tuple(column))
    return SheetMarkdownOut(markdown=await services.evidence.cite_sheet(member, cited, caption))


@router.put("/{prompt_id}/template")
async def set_sheet_template(
    prompt_id: str, body: SheetTemplateIn, member: OrgMember, services: ServicesDep
) -> SheetTemplateOut:
    """Remember order and names of the columns, for everybody: for the sheet, its workbook and its CSV for people."""
    columns = [ColumnChoice(one.path, one.title, one.hidden) for one in body.columns]
    return SheetTemplateOut.model_validate(
        await services.sheets.set_template(member, prompt_id, columns, body.decimal)
    )


@router.get("/{prompt_id}/export", response_class=Download)
async def export_sheet(
    request: Request,
    prompt_id: str,
    member: OrgMember,
    services: ServicesDep,
    query: ListParameters,
    unfold: Unfold = None,
    format: SheetFormat = SheetFormat.CSV,
    columns: Annotated[
        list[str] | None, Query(max_length=200, description="Paths; all when left out")
    ] = None,
    decimal: Annotated[
        Decimal | None,
        Query(description="CSV for people: headings, and with a comma a semicolon between the values"),
    ] = None,
    language: Annotated[Literal["en", "de"], Query(description="Of the headings in files for people")] = "en",
    pictures: Annotated[
        bool, Query(description="A tab of the workbook with pictures of the words on first pages")
    ] = False,
) -> Download:
    """Everything that the query finds, in its order, as a file; `skip` and `limit` do not matter.

    Workbooks, and CSV with a `decimal`, are for people: columns, order and headings are those of the template. The
    other files are for programs: every field under its path.
    """
    people = None
    if format is SheetFormat.XLSX or (format is SheetFormat.CSV and decimal is not None):
        server = (services.settings.server.public_url or str(request.base_url)).rstrip("/")
        address = f"{server}/orgs/{member.organization_id}/documents"
        people = ForPeople(address, prompt_id, language, decimal or ".", pictures)
    name, chunks = await services.sheets.export(
        member, prompt_id, query, unfold=unfold, format=format, only=columns or (), people=people
    )
    return Download(services, member, chunks, MEDIA_TYPES[format], f"{name}.{format}")
