"""What was sent by all webhooks of an organisation, in DocRouter's shape, for its administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import Query
from pydantic import BaseModel

from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.fields import ShortText
from docagent.api.router import Router
from docagent.domain.deliveries.webhooks import AuthType, Delivery, DeliveryState
from docagent.domain.jobs import retry_delay

router = Router(prefix="/v0/orgs/{organization_id}/webhooks/deliveries", tags=["webhooks"])


class SentOut(BaseModel):
    id: str
    event_id: str
    event_type: str
    webhook_id: str
    status: DeliveryState
    attempts: int
    max_attempts: int
    document_id: str | None
    prompt_revid: str | None
    prompt_id: str | None
    prompt_version: int | None
    last_http_status: int | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    next_attempt_at: datetime | None


class SentListOut(BaseModel):
    deliveries: list[SentOut]
    total_count: int
    skip: int


class SentDetailOut(SentOut):
    organization_id: str
    payload: dict[str, Any]
    target_url: str
    auth_type: AuthType
    auth_header_name: str | None
    auth_header_value: None = None
    """Always null, as the next: secrets are not shown, and answers of receivers are not read."""
    last_response_text: None = None
    delivered_at: datetime | None
    failed_at: datetime | None


class RetryOut(BaseModel):
    status: Literal["enqueued"] = "enqueued"
    delivery_id: str


@router.get("")
async def list_deliveries(
    member: OrgMember,
    services: ServicesDep,
    status: Annotated[ShortText | None, Query(description="pending, delivered or failed")] = None,
    event_type: ShortText | None = None,
    webhook_id: str | None = None,
    skip: Skip = 0,
    limit: Limit = 25,
) -> SentListOut:
    """What was sent by all webhooks, or by one of them, newest first."""
    found = await services.webhooks.deliveries(
        member, webhook_id, state=status, event=event_type, skip=skip, limit=limit
    )
    attempts = services.webhooks.attempts
    return SentListOut(
        deliveries=[SentOut(**_sent(delivery, attempts)) for delivery in found.items],
        total_count=found.total,
        skip=found.skip,
    )


@router.get("/{delivery_id}")
async def get_delivery(delivery_id: str, member: OrgMember, services: ServicesDep) -> SentDetailOut:
    """One delivery with everything that was sent but secrets."""
    delivery, webhook = await services.webhooks.delivery(member, delivery_id)
    return SentDetailOut(
        **_sent(delivery, services.webhooks.attempts),
        organization_id=webhook.organization_id,
        payload=orjson.loads(delivery.body),
        target_url=webhook.url,
        auth_type=webhook.auth_type,
        auth_header_name=webhook.auth_header_name,
        delivered_at=delivery.tried_at if delivery.state is DeliveryState.DELIVERED else None,
        failed_at=delivery.tried_at if delivery.state is DeliveryState.FAILED else None,
    )


@router.post("/{delivery_id}/retry")
async def retry_delivery(delivery_id: str, member: OrgMember, services: ServicesDep) -> RetryOut:
    """Send a delivery again that was delivered or given up. One that still waits stays in the queue."""
    await services.webhooks.retry(member, delivery_id)
    return RetryOut(delivery_id=delivery_id)


def _sent(delivery: Delivery, max_attempts: int) -> dict[str, Any]:
    body = orjson.loads(delivery.body)
    told = body.get("data", {}) | body.get("document", {}) | body.get("prompt", {})
    last = delivery.tried_at or delivery.created_at
    due = last + retry_delay(delivery.attempts) if delivery.attempts else last
    return {
        "id": delivery.id,
        "event_id": delivery.id,
        "event_type": delivery.event,
        "webhook_id": delivery.webhook_id,
        "status": delivery.state,
        "attempts": delivery.attempts,
        "max_attempts": max_attempts,
        **{name: told.get(name) for name in ("document_id", "prompt_revid", "prompt_id", "prompt_version")},
        "last_http_status": delivery.status,
        "last_error": delivery.error,
        "created_at": delivery.created_at,
        "updated_at": last,
        "next_attempt_at": due if delivery.state is DeliveryState.PENDING else None,
    }
