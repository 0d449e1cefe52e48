"""Webhooks of an organisation, for its administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.fields import Text
from docagent.api.messages import MessageOut
from docagent.domain.notices import NoticeKind
from docagent.domain.webhooks import DeliveryState, Webhook

router = APIRouter(prefix="/v0/orgs/{organization_id}/webhooks", tags=["webhooks"])

EventName = Literal[
    "agent_action_completed",
    "turn_ended",
    "turn_waits",
    "document_uploaded",
    "document_read",
    "document_read_failed",
    "document_deleted",
    "extraction_completed",
    "extraction_failed",
]
Address = Annotated[Text, Field(min_length=1, max_length=2048)]
Events = Annotated[list[EventName], Field(max_length=50)]


class NewWebhookIn(BaseModel):
    url: Address
    events: Events = []
    """What it wants to hear of; empty for everything."""
    active: bool = True


class WebhookChangesIn(BaseModel):
    """What is left out stays."""

    url: Address | None = None
    events: Events | None = None
    active: bool | None = None
    new_secret: bool = False


class WebhookOut(Answer):
    id: str
    url: str
    events: list[NoticeKind]
    active: bool
    created_by: str
    created_at: datetime
    updated_at: datetime
    secret: str | None = None
    """Only where it was just made."""


class WebhooksOut(BaseModel):
    webhooks: list[WebhookOut]


class DeliveryOut(Answer):
    id: str
    event: str
    state: DeliveryState
    attempts: int
    status: int | None
    """What the receiver answered last."""
    error: str | None
    milliseconds: int | None
    created_at: datetime
    tried_at: datetime | None
    body: str


class DeliveriesOut(Page[DeliveryOut]):
    items: list[DeliveryOut] = Field(serialization_alias="deliveries")


def _kinds(names: list[EventName]) -> list[NoticeKind]:
    return [NoticeKind(name) for name in names]


@router.get("")
async def list_webhooks(member: OrgMember, services: ServicesDep) -> WebhooksOut:
    """The webhooks of the organisation, without their secrets."""
    return WebhooksOut(
        webhooks=[WebhookOut.model_validate(webhook) for webhook in await services.webhooks.list(member)]
    )


@router.post("")
async def create_webhook(body: NewWebhookIn, member: OrgMember, services: ServicesDep) -> WebhookOut:
    """Make a webhook. Its secret is shown once."""
    return _with_secret(
        *await services.webhooks.add(member, body.url, _kinds(body.events), active=body.active)
    )


@router.put("/{webhook_id}")
async def update_webhook(
    webhook_id: str, body: WebhookChangesIn, member: OrgMember, services: ServicesDep
) -> WebhookOut:
    """Change a webhook. A new secret, where one is asked for, is shown once."""
    webhook, secret = await services.webhooks.update(
        member,
        webhook_id,
        url=body.url,
        events=None if body.events is None else _kinds(body.events),
        active=body.active,
        new_secret=body.new_secret,
    )
    return _with_secret(webhook, secret)


@router.delete("/{webhook_id}")
async def delete_webhook(webhook_id: str, member: OrgMember, services: ServicesDep) -> MessageOut:
    """Delete a webhook with its deliveries, those that wait included."""
    await services.webhooks.delete(member, webhook_id)
    return MessageOut(message="Webhook deleted successfully")


@router.post("/{webhook_id}/test")
async def test_webhook(webhook_id: str, member: OrgMember, services: ServicesDep) -> DeliveryOut:
    """Send a `test` event now, once, and say what came of it."""
    return DeliveryOut.model_validate(await services.webhooks.test(member, webhook_id))


@router.get("/{webhook_id}/deliveries")
async def list_webhook_deliveries(
    webhook_id: str, member: OrgMember, services: ServicesDep, skip: Skip = 0, limit: Limit = 10
) -> DeliveriesOut:
    """What was sent and what came of it, newest first."""
    found = await services.webhooks.deliveries(member, webhook_id, skip=skip, limit=limit)
    return DeliveriesOut.model_validate(found)


def _with_secret(webhook: Webhook, secret: str | None) -> WebhookOut:
    return WebhookOut.model_validate(webhook).model_copy(update={"secret": secret})
