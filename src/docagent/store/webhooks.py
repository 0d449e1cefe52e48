"""Queries on webhooks and their deliveries."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.deliveries.webhooks import EVENT_NAMES, Delivery, DeliveryState, Outcome, Webhook
from docagent.domain.listing import Found
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.mapping import Mapped
from docagent.store.tables import webhook_deliveries, webhooks

_ALL = held(sa.select(webhooks).where(webhooks.c.is_callback.is_(False)).order_by(webhooks.c.id))
_WEBHOOK = Mapped(
    Webhook,
    webhooks,
    computed={"events": lambda row: tuple(name for name in row.events if name in EVENT_NAMES)},
    besides=("events",),
)
_DELIVERY = Mapped(Delivery, webhook_deliveries)

get, delete = _WEBHOOK.get, _WEBHOOK.delete
"""With a webhook go its deliveries."""
add_delivery, delivery = _DELIVERY.insert, _DELIVERY.get


async def all_of(tx: OrgTx) -> list[Webhook]:
    return _WEBHOOK.each(await tx.rows(_ALL))


async def insert(tx: OrgTx, webhook: Webhook) -> None:
    await _WEBHOOK.insert(tx, webhook, events=list(webhook.events))


async def update(tx: OrgTx, webhook: Webhook) -> None:
    await _WEBHOOK.update(tx, webhook, events=list(webhook.events))


async def deliveries(
    tx: OrgTx,
    *,
    webhook_id: str | None = None,
    state: str | None = None,
    event: str | None = None,
    skip: int,
    limit: int,
) -> Found[Delivery]:
    """The deliveries of one webhook or of all, newest first."""
    wanted = {"webhook_id": webhook_id, "state": state, "event": event}
    statement = sa.select(webhook_deliveries).where(
        *(webhook_deliveries.c[name] == value for name, value in wanted.items() if value is not None)
    )
    return await _DELIVERY.page(tx, statement, skip=skip, limit=limit)


async def note_outcome(
    tx: OrgTx, delivery_id: str, state: DeliveryState, attempts: int, outcome: Outcome, now: datetime
) -> None:
    tried = {"state": state, "attempts": attempts, "tried_at": now}
    await _DELIVERY.change(tx, delivery_id, {**asdict(outcome), **tried})


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
    """Delete ended deliveries of a webhook, and callbacks, that are older."""
    await tx.execute(
        sa.delete(webhook_deliveries).where(
            webhook_deliveries.c.webhook_id == webhook_id,
            webhook_deliveries.c.state != DeliveryState.PENDING,
            webhook_deliveries.c.created_at < before,
        )
    )
    old = webhooks.c.is_callback.is_(True) & (webhooks.c.created_at < before)
    await tx.execute(sa.delete(webhooks).where(old))
