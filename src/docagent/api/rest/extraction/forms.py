"""Forms, their versions, and what was filled in for a document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

from fastapi import Query
from pydantic import BaseModel, Field, model_validator

from docagent.api.answers import Answer, Page
from docagent.api.deps import ListParameters, OrgMember, ServicesDep, comma_separated
from docagent.api.fields import JsonList, JsonObject, Name, ShortText
from docagent.api.messages import MessageOut
from docagent.api.router import Router

router = Router(tags=["forms"])


class FormFormat(BaseModel):
    """Form.io components, and from which extracted field each is filled."""

    json_formio: JsonList | None = None
    json_formio_mapping: JsonObject | None = None


class FormIn(BaseModel):
    name: Name
    response_format: FormFormat
    tag_ids: list[ShortText] = Field(default_factory=list)


class FormChangeIn(BaseModel):
    name: Name | None = None
    response_format: FormFormat | None = None
    tag_ids: list[ShortText] | None = None

    @model_validator(mode="after")
    def _has_something(self) -> Self:
        if self.name is None and self.response_format is None and self.tag_ids is None:
            raise ValueError("At least one of 'name', 'response_format' and 'tag_ids' must be given")
        return self


class FormOut(Answer):
    name: str
    response_format: FormFormat
    tag_ids: list[str]
    form_revid: str = Field(validation_alias="revid")
    form_id: str = Field(validation_alias="id")
    form_version: int = Field(validation_alias="version")
    created_at: datetime
    created_by: str


class FormsOut(Page[FormOut]):
    items: list[FormOut] = Field(serialization_alias="forms")


class SubmissionIn(BaseModel):
    form_revid: ShortText
    submission_data: JsonObject
    submitted_by: ShortText | None = None


class SubmissionOut(Answer):
    form_revid: str
    submission_data: dict[str, Any]
    submitted_by: str | None
    id: str
    organization_id: str
    created_at: datetime
    updated_at: datetime


@router.post("/v0/orgs/{organization_id}/forms/submissions/{document_id}")
async def submit_form(
    document_id: str, body: SubmissionIn, member: OrgMember, services: ServicesDep
) -> SubmissionOut:
    """Store what was filled in for a document. A second submission replaces the first."""
    found = await services.forms.submit(member, document_id, **body.model_dump())
    return SubmissionOut.model_validate(found)


@router.get("/v0/orgs/{organization_id}/forms/submissions/{document_id}")
async def get_form_submission(
    document_id: str, form_revid: str, member: OrgMember, services: ServicesDep
) -> SubmissionOut | None:
    """Read what was filled in; null when nothing was."""
    submission = await services.forms.submission(member, document_id, form_revid)
    return SubmissionOut.model_validate(submission) if submission else None


@router.delete("/v0/orgs/{organization_id}/forms/submissions/{document_id}")
async def delete_form_submission(
    document_id: str, form_revid: str, member: OrgMember, services: ServicesDep
) -> MessageOut:
    """Delete what was filled in."""
    await services.forms.delete_submission(member, document_id, form_revid)
    return MessageOut(message="Form submission deleted successfully")


@router.post("/v0/orgs/{organization_id}/forms")
async def create_form(body: FormIn, member: OrgMember, services: ServicesDep) -> FormOut:
    """Make a form, or a new version of the form that has this name."""
    made = await services.forms.create(member, **body.model_dump())
    return FormOut.model_validate(made)


@router.get("/v0/orgs/{organization_id}/forms")
async def list_forms(
    query: ListParameters,
    member: OrgMember,
    services: ServicesDep,
    tag_ids: Annotated[str | None, Query(description="Only forms with all of these tags")] = None,
) -> FormsOut:
    """List the newest version of each form."""
    return FormsOut.model_validate(await services.forms.list(member, query, comma_separated(tag_ids)))


@router.get("/v0/orgs/{organization_id}/forms/{form_revid}")
async def get_form(form_revid: str, member: OrgMember, services: ServicesDep) -> FormOut:
    """Read one version of a form."""
    return FormOut.model_validate(await services.forms.get(member, form_revid))


@router.get("/v0/orgs/{organization_id}/forms/{form_id}/versions")
async def list_form_versions(form_id: str, member: OrgMember, services: ServicesDep) -> FormsOut:
    """List all versions of a form, newest first."""
    return FormsOut.model_validate(await services.forms.versions(member, form_id))


@router.put("/v0/orgs/{organization_id}/forms/{form_id}")
async def update_form(form_id: str, body: FormChangeIn, member: OrgMember, services: ServicesDep) -> FormOut:
    """Rename a form, or make a new version of it. What is left out stays."""
    found = await services.forms.update(member, form_id, **body.model_dump())
    return FormOut.model_validate(found)


@router.delete("/v0/orgs/{organization_id}/forms/{form_id}")
async def delete_form(form_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete all versions of a form."""
    await services.forms.delete(member, form_id)
    return MessageOut(message="Form deleted successfully")
