"""Webhooks of an organisation, for its administrators. Fields go by our names and by DocRouter's."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Response
from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.fields import ShortText, Text
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.deliveries.webhooks import (
    EVENT_NAMES,
    AuthType,
    DeliveryState,
    HeaderWish,
    Webhook,
    WebhookWish,
)

router = Router(prefix="/v0/orgs/{organization_id}/webhooks", tags=["webhooks"])

if TYPE_CHECKING:
    EventName = str
else:
    EventName = Literal[EVENT_NAMES]
Address = Annotated[Text, Field(min_length=1, max_length=2048)]
Events = Annotated[list[EventName], Field(max_length=50)]
Printable = Annotated[str, Field(max_length=4096, pattern=r"^[\x20-\x7e]*$")]
HeaderName = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]*$")]


class WebhookIn(BaseModel):
    """What can be set when a webhook is made and later."""

    url: Address | None = None
    events: Events | None = Field(None, description="What it wants to hear of; empty for everything")
    active: bool | None = None
    enabled: bool | None = Field(None, description="The same as `active`, under its other name")
    name: ShortText | None = Field(None, description="For people; an empty text removes it")
    secret: Printable | None = Field(None, description="A secret of your own; an empty text makes a new one")
    auth_type: AuthType | None = Field(None, description="`header` sends a header beside the signature")
    auth_header_name: HeaderName | None = None
    auth_header_value: Printable | None = None

    @property
    def wish(self) -> WebhookWish:
        return WebhookWish(
            self.url,
            self.events,
            self.enabled if self.active is None else self.active,
            "" if self.name is None and "name" in self.model_fields_set else self.name,
            self.secret,
            HeaderWish(self.auth_type, self.auth_header_name, self.auth_header_value),
        )


class NewWebhookIn(WebhookIn):
    url: Address


class WebhookChangesIn(WebhookIn):
    """What is left out stays."""

    new_secret: bool = False

    @property
    def wish(self) -> WebhookWish:
        return replace(super().wish, secret="" if self.new_secret else self.secret)


class WebhookOut(Answer):
    id: str
    name: str | None
    url: str
    events: list[EventName]
    active: bool
    enabled: bool = Field(validation_alias="active")
    auth_type: AuthType
    auth_header_name: str | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    secret: str | None = None
    """Only where it was just made or given."""
    generated_secret: str | None = None
    """The same, under its other name, where it was made here."""
    secret_set: bool = True
    secret_preview: None = None
    """Always null, as the next: nothing of a secret is shown again."""
    auth_header_set: bool = Field(validation_alias="sends_header")
    auth_header_preview: None = None


class WebhooksOut(Answer):
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


@router.get("")
async def list_webhooks(member: OrgMember, services: ServicesDep) -> WebhooksOut:
    """The webhooks of the organisation, without their secrets."""
    return WebhooksOut.model_validate({"webhooks": await services.webhooks.list(member)})


@router.post("", status_code=201)
async def create_webhook(
    body: NewWebhookIn, member: OrgMember, services: ServicesDep, response: Response
) -> WebhookOut:
    """Make a webhook. Its secret is shown once."""
    webhook, secret = await services.webhooks.add(member, body.url, body.wish)
    response.headers["Location"] = f"/v0/orgs/{webhook.organization_id}/webhooks/{webhook.id}"
    return _with_secret(webhook, secret, made_here=not body.secret)


@router.get("/{webhook_id}")
async def get_webhook(webhook_id: str, member: OrgMember, services: ServicesDep) -> WebhookOut:
    """One webhook, without its secret."""
    return WebhookOut.model_validate(await services.webhooks.get(member, webhook_id))


@router.put("/{webhook_id}")
async def update_webhook(
    webhook_id: str, body: WebhookChangesIn, member: OrgMember, services: ServicesDep
) -> WebhookOut:
    """Change a webhook. A new secret, where one is asked for, is shown once."""
    webhook, secret = await services.webhooks.update(member, webhook_id, body.wish)
    return _with_secret(webhook, secret, made_here=secret != body.secret)


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


def _with_secret(webhook: Webhook, secret: str | None, *, made_here: bool) -> WebhookOut:
    shown = {"secret": secret, "generated_secret": secret if made_here else None}
    return WebhookOut.model_validate(webhook).model_copy(update=shown)
