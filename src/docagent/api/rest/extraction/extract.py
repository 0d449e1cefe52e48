"""Extraction in one call: a file and a schema in, data with its evidence out."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal

import orjson
from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile

from docagent.api.answers import Answer, PathOut
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import JsonObject, LongText, Name, ShortText, Text
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.documents.documents import file_chunks
from docagent.api.rest.extraction.results import ProblemOut
from docagent.api.router import Router
from docagent.api.server.bodies import is_json
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.evidence import EvidenceState, evidence_of
from docagent.domain.extraction.review import open_problems
from docagent.services.documents.contents import chunks, decoded
from docagent.services.extraction.by_schema import Callback, Extraction, Wanted

router = Router(prefix="/v0/orgs/{organization_id}/extract", tags=["extraction"])

USUAL_WAIT, LONGEST_WAIT = 20, 60
WAIT = "How long to wait for the result before the answer is 202 with the job"
Wait = Annotated[float, Field(ge=0, le=LONGEST_WAIT)]
Box = tuple[float, float, float, float]


class ExtractIn(BaseModel):
    """Name a document (`document_id`, or `sha256` of its bytes) or send one, and a `schema` or a `prompt_id`."""

    model_config = ConfigDict(populate_by_name=True)

    json_schema: JsonObject | None = Field(
        None,
        alias="schema",
        description="A JSON Schema of an object. The same content makes no second schema",
    )
    prompt_id: ShortText | None = Field(None, description="A prompt that exists, instead of a schema")
    document_id: ShortText | None = None
    sha256: ShortText | None = Field(None, description="Of the bytes of a document that exists")
    name: Text | None = Field(None, description="Name of the file, with its ending")
    content: str | None = Field(None, description="The file in base64; send large ones as a form")
    schema_name: Name | None = Field(None, description="For a new schema; else its title")
    instructions: LongText | None = Field(None, description="What the prompt says beside the schema")
    model: ShortText | None = Field(None, description="The model; else the organisation's default")
    again: bool = Field(False, description="Run even if there is a result")
    wait: Wait = Field(USUAL_WAIT, description=WAIT)
    callback_url: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="Answer 202 at once, and send the result there by a signed request"
    )
    callback_secret: Annotated[str, Field(min_length=16, max_length=200)] | None = Field(
        None, description="Signs that request; left out, one is made and answered once"
    )


class ProofWordOut(Answer):
    text: str
    page: int
    box: Box


class ValueEvidenceOut(Answer):
    path: PathOut
    value: Any
    state: EvidenceState = Field(
        description="`proven` by words on a page, `verified` by a person, or `unproven`"
    )
    confidence: float | None = Field(description="How sure the value is, 0 to 1")
    page: int | None
    box: Box | None = Field(description="Left, top, right, bottom as fractions of the page, around the words")
    words: list[ProofWordOut]


class ExtractedOut(BaseModel):
    status: Literal["done", "running"]
    job_id: str | None = Field(description="Ask for the result with it; null if the result was there before")
    document_id: str
    page_count: int | None
    prompt_id: str
    prompt_revid: str
    prompt_name: str
    schema_id: str | None
    schema_version: int | None
    model: str | None = None
    data: dict[str, Any] | None = None
    evidence: list[ValueEvidenceOut] = []
    unproven: list[PathOut] = Field([], description="The values that neither a page nor a person proves")
    problems: list[ProblemOut] = Field(
        [], description="What breaks the schema, is missing or does not add up"
    )
    callback_secret: str | None = None


_FORM = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary"},
        "schema": {"type": "string", "description": "JSON"},
        **{name: {"type": "string"} for name in ("prompt_id", "schema_name", "instructions", "model")},
        "again": {"type": "boolean"},
        "wait": {"type": "number"},
        "callback_url": {"type": "string"},
        "callback_secret": {"type": "string"},
    },
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": ExtractIn.model_json_schema()},
            "multipart/form-data": {"schema": _FORM},
        },
    }
}
_UNDER_WAY: dict[int | str, dict[str, Any]] = {
    202: {"model": ExtractedOut, "description": "Under way: ask again with the `job_id`"}
}


@router.post("", openapi_extra=_BODY, responses=_UNDER_WAY)
async def extract(
    request: Request, response: Response, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> ExtractedOut:
    """Extract the fields of a schema from a file. The same file and schema give the result that is there."""
    async with request.form() as form:
        file = form.get("file")
        body = _checked(await request.body() if is_json(request.headers) else _fields(form))
        document_id = await _document(services, member, body, file if isinstance(file, UploadFile) else None)
    callback = _callback(body)
    found = await services.schema_extraction.extract(
        member,
        document_id,
        wanted(body),
        seconds=0 if callback else body.wait,
        again=body.again,
        callback=callback,
        repeat=repeat,
    )
    response.status_code = _status(found)
    return extracted_out(found)


@router.get("/{job_id}", responses=_UNDER_WAY)
async def get_extraction(
    job_id: str,
    response: Response,
    member: OrgMember,
    services: ServicesDep,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description=WAIT)] = 0,
) -> ExtractedOut:
    """What became of an extraction that was answered with 202."""
    found = await services.schema_extraction.outcome(member, job_id, seconds=wait)
    response.status_code = _status(found)
    return extracted_out(found)


def wanted(body: ExtractIn) -> Wanted:
    if (body.json_schema is None) == (body.prompt_id is None):
        raise InvalidInput("Say what to extract: a `schema` or a `prompt_id`, exactly one of them.")
    if body.json_schema is None:
        return Wanted(prompt_id=body.prompt_id)
    return Wanted.by_schema(
        body.json_schema, name=body.schema_name, instructions=body.instructions, model=body.model
    )


def extracted_out(found: Extraction) -> ExtractedOut:
    document, prompt, result = found.document, found.prompt, found.result
    out = ExtractedOut(
        status="running" if result is None else "done",
        job_id=found.job_id,
        document_id=document.id,
        page_count=document.page_count,
        prompt_id=prompt.id,
        prompt_revid=prompt.revid,
        prompt_name=prompt.name,
        schema_id=prompt.schema_id,
        schema_version=prompt.schema_version,
        callback_secret=found.callback and found.callback.secret,
    )
    if result is None:
        return out
    evidence = evidence_of(result)
    out.model, out.data = result.run.model, result.data
    out.evidence = [ValueEvidenceOut.model_validate(one) for one in evidence]
    out.unproven = [str(one.path) for one in evidence if one.state is EvidenceState.UNPROVEN]
    out.problems = [ProblemOut.model_validate(problem) for problem in open_problems(result)]
    return out


async def _document(services: Services, member: Member, body: ExtractIn, file: UploadFile | None) -> str:
    """The id of the document, which is stored if it is sent and there is none with its bytes."""
    given = (body.document_id, body.sha256, body.content, file)
    if sum(one is not None for one in given) != 1:
        raise InvalidInput(
            "Name one document: `document_id`, `sha256`, or a file (`content` with `name`, or a form)."
        )
    if body.document_id is not None:
        return body.document_id
    if body.sha256 is not None:
        return (await services.documents.with_content(member, body.sha256)).id
    wanted(body)  # what cannot be extracted is not stored either
    name = body.name or (file and file.filename) or ""
    content = file_chunks(file) if file else chunks(decoded(body.content or ""))
    return await services.documents.with_bytes(member, name, content)


def _checked(given: bytes | dict[str, Any]) -> ExtractIn:
    try:
        if isinstance(given, bytes):
            return ExtractIn.model_validate_json(given)
        return ExtractIn.model_validate(given)
    except ValidationError as error:
        entries = error.errors(include_url=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in entries]) from error


def _fields(form: Any) -> dict[str, Any]:
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    if "schema" in fields:
        try:
            fields["schema"] = orjson.loads(fields["schema"])
        except orjson.JSONDecodeError as error:
            raise InvalidInput(f"The schema is not JSON: {error}") from error
    return fields


def _callback(body: ExtractIn) -> Callback | None:
    if body.callback_url is None:
        return None
    secret = body.callback_secret
    return Callback(body.callback_url, secret) if secret else Callback(body.callback_url)


def _status(found: Extraction) -> int:
    return HTTPStatus.ACCEPTED if found.result is None else HTTPStatus.OK
