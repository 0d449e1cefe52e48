"""Credits: what a model call costs an organisation, and from which of its pots it is taken."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

GRANTED_AT_START = 100
MOST_PER_CALL = 50
PAGES_PER_CREDIT = 25
MARKUP = 2
MAX_CREDITS = 10**9
"""A larger amount in one step is taken for a typing mistake."""


class Operation(StrEnum):
    """What credits are spent on."""

    DOCUMENT_LLM = "document_llm"
    AGENT_LLM = "agent_llm"
    CHAT_LLM = "chat_llm"
    OCR = "ocr"
    DOCUMENT_PROCESSING = "document_processing"
    PAID_USAGE = "paid_usage"


class EntryKind(StrEnum):
    """Why a line is in the ledger."""

    CHARGE = "charge"
    GRANT = "grant"


class UsageKey(StrEnum):
    """By what usage can be broken down."""

    DAY = "day"
    OPERATION = "operation"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Spending:
    """Where the credits of one charge came from. `paid` is what no pot could cover."""

    purchased: int = 0
    granted: int = 0
    paid: int = 0

    @property
    def total(self) -> int:
        return self.purchased + self.granted + self.paid


@dataclass(frozen=True, slots=True)
class CreditAccount:
    """An organisation's pots. `enforced` decides whether an empty account stops calls."""

    granted: int = GRANTED_AT_START
    granted_used: int = 0
    purchased: int = 0
    purchased_used: int = 0
    paid: int = 0
    enforced: bool = False

    @property
    def granted_remaining(self) -> int:
        return self.granted - self.granted_used

    @property
    def purchased_remaining(self) -> int:
        return self.purchased - self.purchased_used

    @property
    def remaining(self) -> int:
        return self.granted_remaining + self.purchased_remaining

    def spend(self, credits: int) -> Spending:
        """Purchased credits go first, then granted ones; the rest is owed."""
        purchased = min(credits, self.purchased_remaining)
        granted = min(credits - purchased, self.granted_remaining)
        return Spending(purchased, granted, credits - purchased - granted)

    def after(self, spending: Spending) -> CreditAccount:
        return replace(
            self,
            purchased_used=self.purchased_used + spending.purchased,
            granted_used=self.granted_used + spending.granted,
            paid=self.paid + spending.paid,
        )


@dataclass(frozen=True, slots=True)
class Charge:
    """What a call was charged. `cost` is in US dollars, as far as prices are known."""

    credits: int
    cost: float
    spending: Spending
    limited: bool = False
    """Whether there is a limit on what the organisation may spend."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the ledger; never changed."""

    kind: EntryKind
    credits: int
    operation: str
    source: str
    created_at: datetime
    user_id: str | None = None
    provider: str | None = None
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0
    spending: Spending = Spending()
    pictures: tuple[SentPicture, ...] | None = None
    """The pictures of pages that the model was sent."""


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture of a page that a model was sent."""

    document_id: str
    page: int
    width: int
    height: int
    region: list[float] | None = None
    """The part of the page, as fractions from its top left corner; None for the whole page."""


@dataclass(frozen=True, slots=True)
class UsagePoint:
    """Credits of one day, operation and source."""

    day: date
    operation: str
    source: str
    credits: int


@dataclass(frozen=True, slots=True)
class UsageGroup:
    """Usage under one value of a key: one day, one model, one user."""

    key: str
    calls: int
    credits: int
    input_tokens: int
    output_tokens: int
    cost: float


def page_floor(pages: int) -> int:
    """The fewest credits that a call about this many pages costs."""
    return max(1, math.ceil(pages / PAGES_PER_CREDIT))


def credits_for(cost: float, price_per_credit: float, pages: int = 0) -> int:
    """The credits that one call costs: between the page floor and MOST_PER_CALL; the floor if credits have no price."""
    credits = page_floor(pages)
    if price_per_credit > 0:
        credits = max(credits, math.ceil(round(MARKUP * cost / price_per_credit, 6)))
    return min(credits, MOST_PER_CALL)
