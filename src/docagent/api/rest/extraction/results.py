"""Extraction: run prompts on documents, and work with their results."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import Query, Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, PathOut, at_path
from docagent.api.deps import MemberAtDocument, OrgMember, ServicesDep, only_reads
from docagent.api.downloads import download_headers
from docagent.api.fields import AnyJson, JsonObject, PageNumber, PathIn, ShortText, Version
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.documents.ocr import DocumentFiltersIn
from docagent.api.router import Router
from docagent.domain.clock import now
from docagent.domain.documents.text import Box
from docagent.domain.errors import Unprocessable
from docagent.domain.extraction.results import DEFAULT_PROMPT

router = Router(prefix="/v0/orgs/{organization_id}", tags=["extraction"])

PromptRevid = Annotated[str, Query(description="A prompt's revision, or `default`")]


class RunInfoOut(Answer):
    prompt: str
    model: str
    requested_model: str | None
    repairs: int
    match_values: dict[str, str] | None
    match_document_ids: list[str] | None
    report: dict[str, Any]


class ProblemOut(Answer):
    path: PathOut
    message: str
    keyword: str | None = Field(None, description="The keyword of JSON Schema that it breaks, or `sum`")
    expected: Any = Field(None, description="What the keyword asks for, such as types, choices or a limit")


class ResultOut(Answer):
    prompt_revid: str
    prompt_id: str
    prompt_version: int
    document_id: str
    llm_result: dict[str, Any] = Field(validation_alias="model_data")
    updated_llm_result: dict[str, Any] = Field(validation_alias="data")
    is_edited: bool
    is_verified: bool
    auto_verified: bool = Field(description="It skipped review, because it is sure enough")
    created_at: datetime
    updated_at: datetime
    prompt_display_name: str | None
    run: RunInfoOut
    result_id: str = Field(validation_alias="id")
    revision: int
    verified_paths: list[PathOut]
    problems: list[ProblemOut] = Field(
        validation_alias="all_problems", description="What breaks the schema, is missing or does not add up"
    )
    grounding: Any = Field(description="A tree like the data: where each value stands on the pages")


class RunOut(BaseModel):
    status: Literal["success", "queued"]
    result: dict[str, Any]
    result_id: str | None = None
    job_id: str | None = None
    model: str | None = None


class ChangesIn(BaseModel):
    updated_llm_result: JsonObject
    is_verified: bool = False


Fraction = Annotated[float, Field(ge=0, le=1)]
BoxIn = tuple[Fraction, Fraction, Fraction, Fraction]


class PointedWordIn(BaseModel):
    page: PageNumber
    box: BoxIn = Field(description="Left, top, right and bottom, as fractions of the page")


class PointedPlaceIn(BaseModel):
    path: PathIn
    words: Annotated[list[PointedWordIn], Field(max_length=2000)]


class EditIn(BaseModel):
    path: PathIn
    value: AnyJson
    places: Annotated[list[PointedPlaceIn], Field(max_length=20_000)] = Field(
        [], description="Words that a person pointed at, as `point` answers them: they prove what they say"
    )


class PointIn(BaseModel):
    path: PathIn
    page: Annotated[int, Field(ge=1, le=1_000_000)]
    box: BoxIn = Field(description="Left, top, right, bottom as fractions of the page; a point for one word")


class PointedWordOut(BaseModel):
    text: str
    page: int
    box: tuple[float, float, float, float]


class PointedPlaceOut(BaseModel):
    path: PathOut
    words: list[PointedWordOut]


class PointedOut(BaseModel):
    value: Any = Field(description="As the field stores it; of a list of objects, the rows")
    text: str = Field(description="The words as they are printed")
    remark: str | None = Field(description="What could not be read as the field's type and is given as text")
    places: list[PointedPlaceOut]


class VerifyIn(BaseModel):
    path: PathIn
    verified: bool = True


class DeletedOut(BaseModel):
    status: str
    message: str


class RevisionOut(Answer):
    number: int
    origin: str
    created_at: datetime
    created_by: str


class RevisionsOut(Answer):
    revisions: list[RevisionOut]


class BulkIn(BaseModel):
    tag_id: ShortText
    mode: Literal["all", "missing", "outdated"] = "outdated"
    document_filters: DocumentFiltersIn = DocumentFiltersIn()


class ExecutionOut(Answer):
    document_id: str = at_path("id")
    document_name: str = at_path("name")


class GroupOut(Answer):
    prompt_revid: str = at_path("task.prompt_revid")
    prompt_id: str = at_path("task.prompt_id")
    prompt_version: int = at_path("task.prompt_version")
    name: str = at_path("task.name")
    executions: list[ExecutionOut] = at_path("documents")


class BulkOut(BaseModel):
    total_executions: int
    groups: list[GroupOut]


@router.post("/llm/run/{document_id}")
async def run_extraction(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    repeat: OrgRepeat,
    prompt_revid: PromptRevid = DEFAULT_PROMPT,
    force: bool = False,
    background: Annotated[bool, Query(description="Queue it as a job and answer at once")] = False,
) -> RunOut:
    """Run a prompt on a document. A stored result is returned unless `force` is set."""
    if background:
        job_id = await services.extraction.request(member, document_id, prompt_revid, repeat)
        return RunOut(status="queued", result={}, job_id=job_id)
    result = await services.extraction.run(member, document_id, prompt_revid, force=force, repeat=repeat)
    return RunOut(status="success", result=result.data, result_id=result.id, model=result.run.model)


@router.get("/llm/result/{document_id}")
async def get_result(
    document_id: str,
    member: MemberAtDocument,
    services: ServicesDep,
    prompt_revid: str | None = None,
    prompt_id: str | None = None,
    prompt_revid_fallback: bool = False,
    fallback: bool = False,
) -> ResultOut:
    """A result with its grounding, by prompt revision or the newest of a prompt."""
    if prompt_revid is None and prompt_id is None:
        raise Unprocessable("Either prompt_id or prompt_revid is required", ("query", "prompt_revid"))
    result = await services.results.get(
        member,
        document_id,
        prompt_revid=prompt_revid,
        prompt_id=prompt_id,
        fallback=prompt_revid_fallback or fallback,
    )
    return ResultOut.model_validate(result)


@router.put("/llm/result/{document_id}")
async def update_result(
    document_id: str,
    prompt_revid: PromptRevid,
    body: ChangesIn,
    member: MemberAtDocument,
    services: ServicesDep,
) -> ResultOut:
    """Replace a result by a person's version of it; the model's own stays in `llm_result`."""
    result = await services.results.replace(
        member, document_id, prompt_revid, body.updated_llm_result, is_verified=body.is_verified
    )
    return ResultOut.model_validate(result)


@router.patch("/llm/result/{document_id}")
async def edit_result(
    document_id: str, prompt_revid: PromptRevid, body: EditIn, member: MemberAtDocument, services: ServicesDep
) -> ResultOut:
    """Change one value by its path, such as `lines.0.price`."""
    places = {one.path: [(word.page, Box(*word.box)) for word in one.words] for one in body.places}
    found = await services.results.edit(member, document_id, prompt_revid, body.path, body.value, places)
    return ResultOut.model_validate(found)


@router.post("/llm/result/{document_id}/point")
@only_reads
async def point_at_page(
    document_id: str, prompt_revid: PromptRevid, body: PointIn, member: OrgMember, services: ServicesDep
) -> PointedOut:
    """Read what a person points at as a field of a result. Nothing is stored: send it with an edit."""
    left, top, right, bottom = body.box
    box = Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    taken = await services.pointing.take(member, document_id, prompt_revid, body.path, body.page, box)
    places = [
        PointedPlaceOut(
            path=str(one.path),
            words=[
                PointedWordOut(text=word.text, page=body.page, box=word.box.rounded(5)) for word in one.words
            ],
        )
        for one in taken.places
    ]
    return PointedOut(value=taken.value, text=taken.text, remark=taken.remark, places=places)


@router.post("/llm/result/{document_id}/verify")
async def verify_field(
    document_id: str,
    prompt_revid: PromptRevid,
    body: VerifyIn,
    member: MemberAtDocument,
    services: ServicesDep,
) -> ResultOut:
    """Mark one field as seen and right."""
    result = await services.results.verify(member, document_id, prompt_revid, body.path, body.verified)
    return ResultOut.model_validate(result)


@router.get("/llm/result/{document_id}/revisions")
async def list_revisions(
    document_id: str, prompt_revid: PromptRevid, member: MemberAtDocument, services: ServicesDep
) -> RevisionsOut:
    """Every revision of a result, newest first."""
    found = await services.results.revisions(member, document_id, prompt_revid)
    return RevisionsOut.model_validate({"revisions": found})


@router.get("/llm/result/{document_id}/revisions/{number}")
async def get_revision(
    document_id: str,
    number: Version,
    prompt_revid: PromptRevid,
    member: MemberAtDocument,
    services: ServicesDep,
) -> dict[str, Any]:
    """The data of one revision."""
    return await services.results.revision_data(member, document_id, prompt_revid, number)


@router.delete("/llm/result/{document_id}")
async def delete_result(
    document_id: str, prompt_revid: PromptRevid, member: OrgMember, services: ServicesDep
) -> DeletedOut:
    """Delete a result with all its revisions."""
    await services.results.delete(member, document_id, prompt_revid)
    return DeletedOut(status="success", message="LLM result deleted")


@router.get("/llm/results/{document_id}/download", response_class=Response)
async def download_results(document_id: str, member: OrgMember, services: ServicesDep) -> Response:
    """All results of a document as one JSON file."""
    document, found = await services.results.all_of(member, document_id)
    moment = now()
    body = {
        "document_id": document_id,
        "organization_id": member.organization_id,
        "document_name": document.name,
        "extraction_date": moment,
        "results": [
            {
                "prompt_revid": result.prompt_revid,
                "prompt_name": name,
                "prompt_version": result.prompt_version,
                "extraction_result": result.data,
                "metadata": {
                    "created_at": result.created_at,
                    "updated_at": result.updated_at,
                    "is_edited": result.is_edited,
                    "is_verified": result.is_verified,
                },
            }
            for name, result in found
        ],
    }
    content = orjson.dumps(body, option=orjson.OPT_UTC_Z)
    name = f"extractions_{document_id}_{moment:%Y%m%d_%H%M%S}.json"
    return Response(content, media_type="application/json", headers=download_headers(name))


@router.get("/llm/results/{document_id}/export", response_class=Response)
async def export_results(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    format: Literal["json", "csv", "xlsx"] = "xlsx",
    prompt_revid: Annotated[
        str | None, Query(description="All results when left out (CSV: `default`)")
    ] = None,
) -> Response:
    """Results as JSON, CSV or a workbook; cells that a spreadsheet would run as formulas are made harmless."""
    content, media_type = await services.results.export(member, document_id, format, prompt_revid)
    return Response(content, media_type=media_type, headers=download_headers(f"{document_id}.{format}"))


@router.post("/llm/bulk-analyze")
@only_reads
async def bulk_analyze_llm(body: BulkIn, member: OrgMember, services: ServicesDep) -> BulkOut:
    """Which prompts a bulk run would run on which documents. Nothing is started."""
    wanted = body.document_filters
    planned = await services.extraction.plan_bulk(
        member, body.tag_id, body.mode, wanted.query, metadata_search=wanted.metadata_text
    )
    groups = [GroupOut.model_validate(item) for item in planned]
    return BulkOut(total_executions=sum(len(group.executions) for group in groups), groups=groups)


@router.get("/grounding/{document_id}")
async def find_value(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    value: Annotated[str, Query(min_length=1, max_length=2000)],
    label: Annotated[
        str | None, Query(max_length=200, description="Name of the field, to choose a place")
    ] = None,
) -> dict[str, Any]:
    """Where a value stands in the document: page, boxes and words, or unproven."""
    return await services.results.find_value(member, document_id, value, label)
