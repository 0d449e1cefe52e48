"""Schemas and their versions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from fastapi import Body
from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema, model_validator

from docagent.api.answers import Answer, Page, PathOut
from docagent.api.deps import ListParameters, OrgMember, ServicesDep, only_reads
from docagent.api.fields import AnyJson, JsonObject, Name
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.jsonschema import Profile, check_response_format

router = Router(tags=["schemas"])


MESSAGES_SHOWN = 5


def _may_be_stored(value: dict[str, Any]) -> dict[str, Any]:
    if problems := check_response_format(value):
        raise ValueError("; ".join(problems[:MESSAGES_SHOWN]))
    return value


ResponseFormat = Annotated[
    JsonObject,
    AfterValidator(_may_be_stored),
    WithJsonSchema(
        {
            "type": "object",
            "description": "A named JSON schema, as structured outputs take it. It is read as draft 7.",
            "properties": {
                "type": {"const": "json_schema"},
                "json_schema": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "schema": {"type": "object"},
                        "strict": {"type": "boolean"},
                    },
                    "required": ["name", "schema"],
                },
            },
            "required": ["type", "json_schema"],
        }
    ),
]


class SchemaIn(BaseModel):
    name: Name
    response_format: ResponseFormat


class SchemaChangeIn(BaseModel):
    name: Name | None = None
    response_format: ResponseFormat | None = None

    @model_validator(mode="after")
    def _has_something(self) -> Self:
        if self.name is None and self.response_format is None:
            raise ValueError("At least one of 'name' and 'response_format' must be given")
        return self


class ProposedSchemaOut(Answer):
    name: str
    response_format: dict[str, Any]
    schema_revid: str = Field(validation_alias="revid")
    schema_id: str = Field(validation_alias="id")
    schema_version: int = Field(validation_alias="version")


class SchemaOut(ProposedSchemaOut):
    created_at: datetime
    created_by: str


class SchemasOut(Page[SchemaOut]):
    items: list[SchemaOut] = Field(serialization_alias="schemas")


class SchemaProblemOut(Answer):
    """What is wrong with a schema, and where; the path is empty for the root."""

    path: PathOut
    message: str
    keyword: str | None = Field(None, description="The keyword of JSON Schema that is broken")
    expected: Any = Field(None, description="What the keyword asks for, such as types, choices or a limit")


class DataProblemOut(SchemaProblemOut):
    """`path` joins keys and indexes with dots, whatever the names hold; `pointer` is the same as a JSON Pointer."""

    path: str
    pointer: str


class ValidationOut(BaseModel):
    valid: bool
    errors: list[DataProblemOut] = Field(default_factory=list)


class CheckIn(BaseModel):
    response_format: AnyJson


class CheckOut(Answer):
    """Errors keep a provider from enforcing the schema; warnings say what it may ignore."""

    valid: bool
    errors: list[SchemaProblemOut]
    warnings: list[SchemaProblemOut]


class Provider(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


_PROFILES = {
    Provider.OPENAI: Profile.OPENAI_STRICT,
    Provider.ANTHROPIC: Profile.ANTHROPIC,
    Provider.GEMINI: Profile.GEMINI,
}


class ChangeOut(Answer):
    """One difference from the stored schema; `lossy` when the provider no longer enforces something."""

    path: str
    change: str = Field(validation_alias="what")
    reason: str = Field(validation_alias="why")
    lossy: bool


class ProfileOut(Answer):
    sent_schema: dict[str, Any] = Field(alias="schema")
    changes: list[ChangeOut]


@router.post("/v0/orgs/{organization_id}/schemas")
async def create_schema(body: SchemaIn, member: OrgMember, services: ServicesDep) -> SchemaOut:
    """Make a schema, or a new version of the schema that has this name."""
    made = await services.schemas.create(member, name=body.name, response_format=body.response_format)
    return SchemaOut.model_validate(made)


@router.get("/v0/orgs/{organization_id}/schemas")
async def list_schemas(query: ListParameters, member: OrgMember, services: ServicesDep) -> SchemasOut:
    """List the newest version of each schema."""
    return SchemasOut.model_validate(await services.schemas.list(member, query))


@router.get("/v0/orgs/{organization_id}/schemas/{schema_revid}")
async def get_schema(schema_revid: str, member: OrgMember, services: ServicesDep) -> SchemaOut:
    """Read one version of a schema."""
    return SchemaOut.model_validate(await services.schemas.get(member, schema_revid))


@router.get("/v0/orgs/{organization_id}/schemas/{schema_id}/versions")
async def list_schema_versions(schema_id: str, member: OrgMember, services: ServicesDep) -> SchemasOut:
    """List all versions of a schema, newest first."""
    return SchemasOut.model_validate(await services.schemas.versions(member, schema_id))


@router.put("/v0/orgs/{organization_id}/schemas/{schema_id}")
async def update_schema(
    schema_id: str, body: SchemaChangeIn, member: OrgMember, services: ServicesDep
) -> SchemaOut:
    """Rename a schema, or make a new version of it."""
    return SchemaOut.model_validate(
        await services.schemas.update(member, schema_id, name=body.name, response_format=body.response_format)
    )


@router.delete("/v0/orgs/{organization_id}/schemas/{schema_id}")
async def delete_schema(schema_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete all versions of a schema that no prompt uses."""
    await services.schemas.delete(member, schema_id)
    return MessageOut(message="Schema deleted successfully")


@router.post(
    "/v0/orgs/{organization_id}/schemas/{schema_revid}/validate", response_model_exclude_defaults=True
)
@only_reads
async def validate_against_schema(
    schema_revid: str, body: Annotated[AnyJson, Body()], member: OrgMember, services: ServicesDep
) -> ValidationOut:
    """Check data against a schema: `{"data": ...}`, or the data itself when it has no key `data`."""
    data = body["data"] if isinstance(body, dict) and "data" in body else body
    problems = await services.schemas.validate(member, schema_revid, data)
    return ValidationOut(
        valid=not problems, errors=[DataProblemOut(**problem.for_docrouter()) for problem in problems]
    )


@router.post("/v0/orgs/{organization_id}/schemas/check")
@only_reads
async def check_schema_strictly(body: CheckIn, member: OrgMember, services: ServicesDep) -> CheckOut:
    """Check a response format by the strict rules that every provider enforces. Nothing is stored."""
    del member
    return CheckOut.model_validate(await services.schemas.check(body.response_format))


@router.get("/v0/orgs/{organization_id}/schemas/{schema_revid}/profiles/{provider}")
async def get_schema_profile(
    schema_revid: str, provider: Provider, member: OrgMember, services: ServicesDep
) -> ProfileOut:
    """The schema as it is sent to a provider, with every change that this takes. The stored one stays."""
    found = await services.schemas.profile(member, schema_revid, _PROFILES[provider])
    return ProfileOut.model_validate(found)
