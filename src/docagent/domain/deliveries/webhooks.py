"""Webhooks: who receives notices by HTTP, and the outcome of each delivery."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from docagent.domain.deliveries.notices import PUBLIC, NoticeKind

TEST_EVENT = "test"
CALLBACK_EVENT = "extraction"
"""What the callback of an extraction receives."""
SECRET_PREFIX = "whsec_"

DOCROUTER_NAMES = {
    NoticeKind.DOCUMENT_UPLOADED: "document.uploaded",
    NoticeKind.DOCUMENT_READ_FAILED: "document.error",
    NoticeKind.EXTRACTION_COMPLETED: "llm.completed",
    NoticeKind.EXTRACTION_FAILED: "llm.error",
}
"""What DocRouter calls these events. A webhook that asks for one by this name gets it in DocRouter's shape."""
DOCROUTER_TEST_EVENT = "webhook.test"
DOCROUTER_EVENTS = frozenset({*DOCROUTER_NAMES.values(), DOCROUTER_TEST_EVENT})
EVENT_NAMES = tuple(map(str, (*PUBLIC, *DOCROUTER_NAMES.values(), DOCROUTER_TEST_EVENT)))
"""What a webhook may ask for."""

AuthType = Literal["hmac", "header"]


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
    events: tuple[str, ...]
    """The names of the events that the webhook wants. Empty for all, including those that later versions add."""
    active: bool
    created_by: str
    created_at: datetime
    updated_at: datetime
    name: str | None = None
    auth_header_name: str | None = None
    """A header that goes with every delivery, beside the signature. Its value is there if the name is."""
    sealed_auth_header: str | None = None
    is_callback: bool = False
    """Whether it is only for the end of one job. It is not listed, and is deleted with its delivery."""

    @property
    def sends_header(self) -> bool:
        return self.auth_header_name is not None

    @property
    def auth_type(self) -> AuthType:
        return "header" if self.sends_header else "hmac"

    @property
    def test_event(self) -> str:
        return TEST_EVENT if DOCROUTER_EVENTS.isdisjoint(self.events) else DOCROUTER_TEST_EVENT

    def name_of(self, kind: NoticeKind) -> str | None:
        """The name by which the webhook wants events of this kind; None if it does not."""
        if not self.active:
            return None
        if not self.events:
            return kind
        names = (kind, DOCROUTER_NAMES.get(kind))
        return next((name for name in self.events if name in names), None)


@dataclass(frozen=True, slots=True)
class HeaderWish:
    """What is asked of the header that goes with deliveries. None leaves a part as it is, an empty text removes it."""

    auth_type: AuthType | None = None
    name: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class WebhookWish:
    """What an administrator wants of a webhook. None leaves a field as it is."""

    url: str | None = None
    events: Sequence[str] | None = None
    active: bool | None = None
    name: str | None = None
    """An empty one removes it."""
    secret: str | None = None
    """For an empty one, another is made."""
    header: HeaderWish = HeaderWish()


@dataclass(frozen=True, slots=True)
class Delivery:
    """One notice for one webhook. Every try sends exactly this `body`."""

    id: str
    webhook_id: str
    event: str
    created_at: datetime
    body: str = ""
    state: DeliveryState = DeliveryState.PENDING
    attempts: int = 0
    status: int | None = None
    """The status of the receiver's last answer."""
    error: str | None = None
    milliseconds: int | None = None
    tried_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one try to deliver went."""

    status: int | None
    error: str | None
    milliseconds: int

    @property
    def is_delivered(self) -> bool:
        return self.error is None


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The signature that proves that we sent this body at this time."""
    mac = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"sha256={mac.hexdigest()}"
