"""Organisations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import AccountCaller, Limit, ServicesDep, Skip
from docagent.api.fields import JsonObject, Name, TimeZone
from docagent.api.router import Router
from docagent.domain.accounts.accounts import Membership, OrganizationType, Role
from docagent.domain.documents.ocr_config import ocr_catalog
from docagent.domain.extraction.seeing import Pictures

router = Router(prefix="/v0/account/organizations", tags=["organizations"])

LogLevel = Literal["ERROR", "INFO", "TRACE"]
TIME_ZONE = "IANA name of the time zone in which the agent says what day it is; null for that of the server"
AUTO_CREATE_DEFAULT = "Whether uploads that do not say have the agent prepare a proposal"


SameForAll = Annotated[dict[str, Any], BeforeValidator(lambda _: ocr_catalog())]


class MemberModel(Answer):
    user_id: str
    role: Role


PICTURES = (
    "When models that see get pictures of pages; null for the usual, `doubtful`. A prompt may say otherwise."
)
REMOTE_PICTURES = "Whether pictures and PDFs may go to models outside of the own network"


class OrganizationOut(Answer):
    id: str
    name: str
    members: list[MemberModel]
    type: OrganizationType
    default_prompt_enabled: bool
    experimental_features: bool
    flow_log_level: str
    auto_create_default: bool = Field(description=AUTO_CREATE_DEFAULT)
    time_zone: str | None = Field(description=TIME_ZONE)
    pictures: Pictures | None = Field(description=PICTURES)
    remote_pictures: bool = Field(description=REMOTE_PICTURES)
    ocr_config: dict[str, Any]
    ocr_catalog: SameForAll = at_path("ocr_config")
    created_at: datetime
    updated_at: datetime


class OrganizationsOut(Page[OrganizationOut]):
    items: list[OrganizationOut] = Field(serialization_alias="organizations")


class NewOrganizationIn(BaseModel):
    name: Name
    type: OrganizationType = OrganizationType.INDIVIDUAL
    default_prompt_enabled: bool = True
    experimental_features: bool = False
    flow_log_level: LogLevel = "ERROR"
    auto_create_default: bool = Field(False, description=AUTO_CREATE_DEFAULT)
    time_zone: TimeZone | None = Field(None, description=TIME_ZONE)
    pictures: Pictures | None = Field(None, description=PICTURES)
    remote_pictures: bool = Field(True, description=REMOTE_PICTURES)
    ocr_config: JsonObject | None = None


class OrganizationChangesIn(BaseModel):
    """What is left out stays as it is."""

    name: Name | None = None
    type: OrganizationType | None = None
    members: list[MemberModel] | None = None
    default_prompt_enabled: bool | None = None
    experimental_features: bool | None = None
    flow_log_level: LogLevel | None = None
    auto_create_default: bool | None = Field(None, description=AUTO_CREATE_DEFAULT)
    time_zone: TimeZone | None = Field(None, description=TIME_ZONE)
    pictures: Pictures | None = Field(None, description=PICTURES)
    remote_pictures: bool | None = Field(None, description=REMOTE_PICTURES)
    ocr_config: JsonObject | None = None


class StatusOut(BaseModel):
    status: str


def _flags(body: NewOrganizationIn | OrganizationChangesIn) -> dict[str, Any]:
    return body.model_dump(exclude={"name", "type", "members", "ocr_config"}, exclude_unset=True)


@router.get("")
async def list_organizations(
    caller: AccountCaller,
    services: ServicesDep,
    user_id: str | None = None,
    organization_id: str | None = None,
    name_search: str | None = None,
    member_search: str | None = None,
    skip: Skip = 0,
    limit: Limit = 10,
) -> OrganizationsOut:
    """Organisations of the caller (all, for system administrators), newest first."""
    found = await services.organizations.list(
        caller,
        user_id=user_id,
        organization_id=organization_id,
        name_search=name_search,
        member_search=member_search,
        skip=skip,
        limit=limit,
    )
    return OrganizationsOut.model_validate(found)


@router.post("")
async def create_organization(
    body: NewOrganizationIn, caller: AccountCaller, services: ServicesDep
) -> OrganizationOut:
    """Create an organisation with the caller as its only admin."""
    made = await services.organizations.create(
        caller, name=body.name, type=body.type, flags=_flags(body), ocr_config=body.ocr_config
    )
    return OrganizationOut.model_validate(made)


@router.put("/{organization_id}")
async def update_organization(
    organization_id: str, body: OrganizationChangesIn, caller: AccountCaller, services: ServicesDep
) -> OrganizationOut:
    """Change an organisation (its admins and system administrators)."""
    members = body.members
    changed = await services.organizations.update(
        caller,
        organization_id,
        name=body.name,
        type=body.type,
        members=None if members is None else [Membership(item.user_id, item.role) for item in members],
        flags=_flags(body),
        ocr_config=body.ocr_config,
    )
    return OrganizationOut.model_validate(changed)


@router.delete("/{organization_id}/membership")
async def leave_organization(organization_id: str, caller: AccountCaller, services: ServicesDep) -> StatusOut:
    """Leave an organisation: ends your own membership. Its only admin cannot leave."""
    await services.organizations.leave(caller, organization_id)
    return StatusOut(status="success")


@router.delete("/{organization_id}")
async def delete_organization(
    organization_id: str, caller: AccountCaller, services: ServicesDep
) -> StatusOut:
    """Delete an organisation with everything in it."""
    await services.organizations.delete(caller, organization_id)
    return StatusOut(status="success")
