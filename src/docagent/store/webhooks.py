"""Queries on webhooks and their deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.deliveries.webhooks import EVENT_NAMES, Delivery, DeliveryState, Outcome, Webhook
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.listing import counted
from docagent.store.tables import webhook_deliveries, webhooks

_ALL = held(sa.select(webhooks).order_by(webhooks.c.id))


def _webhook(row: Row[Any]) -> Webhook:
    return Webhook(
        id=row.id,
        organization_id=row.organization_id,
        url=row.url,
        sealed_secret=row.sealed_secret,
        events=tuple(name for name in row.events if name in EVENT_NAMES),
        active=row.active,
        created_by=row.created_by,
        created_at=row.created_at,
        updated_at=row.updated_at,
        name=row.name,
        auth_header_name=row.auth_header_name,
        sealed_auth_header=row.sealed_auth_header,
    )


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        webhook_id=row.webhook_id,
        event=row.event,
        body=row.body,
        state=DeliveryState(row.state),
        attempts=row.attempts,
        status=row.status,
        error=row.error,
        milliseconds=row.milliseconds,
        created_at=row.created_at,
        tried_at=row.tried_at,
    )


async def all_of(tx: OrgTx) -> list[Webhook]:
    return [_webhook(row) for row in await tx.rows(_ALL)]


async def get(tx: OrgTx, webhook_id: str) -> Webhook | None:
    row = await tx.first(sa.select(webhooks).where(webhooks.c.id == webhook_id))
    return _webhook(row) if row else None


async def insert(tx: OrgTx, webhook: Webhook) -> None:
    await tx.execute(
        sa.insert(webhooks).values(
            id=webhook.id,
            url=webhook.url,
            sealed_secret=webhook.sealed_secret,
            events=list(webhook.events),
            active=webhook.active,
            created_by=webhook.created_by,
            created_at=webhook.created_at,
            updated_at=webhook.updated_at,
            name=webhook.name,
            auth_header_name=webhook.auth_header_name,
            sealed_auth_header=webhook.sealed_auth_header,
        )
    )


async def update(tx: OrgTx, webhook: Webhook) -> None:
    await tx.execute(
        sa.update(webhooks)
        .where(webhooks.c.id == webhook.id)
        .values(
            url=webhook.url,
            sealed_secret=webhook.sealed_secret,
            events=list(webhook.events),
            active=webhook.active,
            updated_at=webhook.updated_at,
            name=webhook.name,
            auth_header_name=webhook.auth_header_name,
            sealed_auth_header=webhook.sealed_auth_header,
        )
    )


async def delete(tx: OrgTx, webhook_id: str) -> None:
    """Delete the webhook with its deliveries."""
    await tx.execute(sa.delete(webhooks).where(webhooks.c.id == webhook_id))


# --- deliveries -------------------------------------------------------------------------------------------------


async def add_delivery(tx: OrgTx, delivery: Delivery) -> None:
    await tx.execute(
        sa.insert(webhook_deliveries).values(
            id=delivery.id,
            webhook_id=delivery.webhook_id,
            event=delivery.event,
            body=delivery.body,
            state=delivery.state,
            attempts=delivery.attempts,
            created_at=delivery.created_at,
        )
    )


async def delivery(tx: OrgTx, delivery_id: str) -> Delivery | None:
    row = await tx.first(sa.select(webhook_deliveries).where(webhook_deliveries.c.id == delivery_id))
    return _delivery(row) if row else None


async def deliveries(
    tx: OrgTx,
    *,
    webhook_id: str | None = None,
    state: str | None = None,
    event: str | None = None,
    skip: int,
    limit: int,
) -> tuple[Sequence[Delivery], int]:
    """One page of the deliveries, of one webhook or of all, newest first, and how many there are."""
    wanted = {"webhook_id": webhook_id, "state": state, "event": event}
    statement = sa.select(webhook_deliveries).where(
        *(webhook_deliveries.c[name] == value for name, value in wanted.items() if value is not None)
    )
    total = int(await tx.scalar(counted(statement)))
    rows = await tx.rows(statement.order_by(webhook_deliveries.c.id.desc()).offset(skip).limit(limit))
    return [_delivery(row) for row in rows], total


async def note_outcome(
    tx: OrgTx, delivery_id: str, state: DeliveryState, attempts: int, outcome: Outcome, now: datetime
) -> None:
    await tx.execute(
        sa.update(webhook_deliveries)
        .where(webhook_deliveries.c.id == delivery_id)
        .values(
            state=state,
            attempts=attempts,
            status=outcome.status,
            error=outcome.error,
            milliseconds=outcome.milliseconds,
            tried_at=now,
        )
    )


async def reopen(tx: OrgTx, delivery_id: str) -> bool:
    """Let an ended delivery wait again, as if it had not been tried. False if it waits already."""
    ended = webhook_deliveries.c.state != DeliveryState.PENDING
    changed = await tx.execute(
        sa.update(webhook_deliveries)
        .where(webhook_deliveries.c.id == delivery_id, ended)
        .values(state=DeliveryState.PENDING, attempts=0)
    )
    return bool(changed.rowcount)


async def give_up(tx: OrgTx, delivery_id: str, error: str) -> None:
    """Mark a delivery that will not be tried again as failed."""
    pending = webhook_deliveries.c.state == DeliveryState.PENDING
    await tx.execute(
        sa.update(webhook_deliveries)
        .where(webhook_deliveries.c.id == delivery_id, pending)
        .values(state=DeliveryState.FAILED, error=error)
    )


async def forget_older(tx: OrgTx, webhook_id: str, before: datetime) -> None:
    await tx.execute(
        sa.delete(webhook_deliveries).where(
            webhook_deliveries.c.webhook_id == webhook_id,
            webhook_deliveries.c.state != DeliveryState.PENDING,
            webhook_deliveries.c.created_at < before,
        )
    )
