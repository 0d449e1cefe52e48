"""Forms, their versions, and what was filled in for a document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, model_validator

from docagent.api.deps import ListParameters, OrgMember, ServicesDep, comma_separated
from docagent.api.fields import JsonList, JsonObject, Name, ShortText
from docagent.api.messages import MessageOut
from docagent.domain.artefacts import Form, FormSubmission
from docagent.domain.listing import Found

router = APIRouter(tags=["forms"])


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


class FormOut(BaseModel):
    name: str
    response_format: FormFormat
    tag_ids: list[str]
    form_revid: str
    form_id: str
    form_version: int
    created_at: datetime
    created_by: str


class FormsOut(BaseModel):
    forms: list[FormOut]
    total_count: int
    skip: int


class SubmissionIn(BaseModel):
    form_revid: ShortText
    submission_data: JsonObject
    submitted_by: ShortText | None = None


class SubmissionOut(BaseModel):
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
    return _submission_out(
        await services.forms.submit(
            member,
            document_id,
            form_revid=body.form_revid,
            submission_data=body.submission_data,
            submitted_by=body.submitted_by,
        )
    )


@router.get("/v0/orgs/{organization_id}/forms/submissions/{document_id}")
async def get_form_submission(
    document_id: str, form_revid: str, member: OrgMember, services: ServicesDep
) -> SubmissionOut | None:
    """Read what was filled in; null when nothing was."""
    submission = await services.forms.submission(member, document_id, form_revid)
    return _submission_out(submission) if submission else None


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
    return _out(
        await services.forms.create(
            member,
            name=body.name,
            response_format=body.response_format.model_dump(),
            tag_ids=body.tag_ids,
        )
    )


@router.get("/v0/orgs/{organization_id}/forms")
async def list_forms(
    query: ListParameters,
    member: OrgMember,
    services: ServicesDep,
    tag_ids: Annotated[str | None, Query(description="Only forms with all of these tags")] = None,
) -> FormsOut:
    """List the newest version of each form."""
    return _list_out(await services.forms.list(member, query, comma_separated(tag_ids)))


@router.get("/v0/orgs/{organization_id}/forms/{form_revid}")
async def get_form(form_revid: str, member: OrgMember, services: ServicesDep) -> FormOut:
    """Read one version of a form."""
    return _out(await services.forms.get(member, form_revid))


@router.get("/v0/orgs/{organization_id}/forms/{form_id}/versions")
async def list_form_versions(form_id: str, member: OrgMember, services: ServicesDep) -> FormsOut:
    """List all versions of a form, newest first."""
    return _list_out(await services.forms.versions(member, form_id))


@router.put("/v0/orgs/{organization_id}/forms/{form_id}")
async def update_form(form_id: str, body: FormChangeIn, member: OrgMember, services: ServicesDep) -> FormOut:
    """Rename a form, or make a new version of it. What is left out stays."""
    return _out(
        await services.forms.update(
            member,
            form_id,
            name=body.name,
            response_format=body.response_format.model_dump() if body.response_format else None,
            tag_ids=body.tag_ids,
        )
    )


@router.delete("/v0/orgs/{organization_id}/forms/{form_id}")
async def delete_form(form_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete all versions of a form."""
    await services.forms.delete(member, form_id)
    return MessageOut(message="Form deleted successfully")


def _list_out(found: Found[Form]) -> FormsOut:
    return FormsOut(forms=[_out(form) for form in found.items], total_count=found.total, skip=found.skip)


def _out(form: Form) -> FormOut:
    return FormOut(
        name=form.name,
        response_format=FormFormat(**form.response_format),
        tag_ids=form.tag_ids,
        form_revid=form.revid,
        form_id=form.id,
        form_version=form.version,
        created_at=form.created_at,
        created_by=form.created_by,
    )


def _submission_out(submission: FormSubmission) -> SubmissionOut:
    return SubmissionOut(
        form_revid=submission.form_revid,
        submission_data=submission.submission_data,
        submitted_by=submission.submitted_by,
        id=submission.id,
        organization_id=submission.organization_id,
        created_at=submission.created_at,
        updated_at=submission.updated_at,
    )
