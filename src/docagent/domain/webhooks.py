"""Webhooks: who is told of notices by HTTP, and what became of each delivery."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from docagent.domain.notices import NoticeKind

TEST_EVENT = "test"
SECRET_PREFIX = "whsec_"


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Webhook:
    id: str
    organization_id: str
    url: str
    sealed_secret: str
    events: tuple[NoticeKind, ...]
    """The kinds that the webhook wants. Empty for all, including those that later versions add."""
    active: bool
    created_by: str
    created_at: datetime
    updated_at: datetime

    def wants(self, kind: NoticeKind) -> bool:
        return self.active and (not self.events or kind in self.events)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One notice for one webhook. Every try sends exactly this `body`."""

    id: str
    webhook_id: str
    event: str
    body: str
    state: DeliveryState
    attempts: int
    status: int | None
    """The status of the receiver's last answer."""
    error: str | None
    milliseconds: int | None
    created_at: datetime
    tried_at: datetime | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one try to deliver went."""

    status: int | None
    error: str | None
    milliseconds: int
    is_final: bool = False
    """Whether another try would end the same way."""

    @property
    def is_delivered(self) -> bool:
        return self.error is None


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The signature that proves that we sent this body at this time."""
    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={mac.hexdigest()}"
