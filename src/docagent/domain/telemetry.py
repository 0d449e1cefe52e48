"""What is measured of the agent, and the port to the system that keeps the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

AttributeValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Span:
    """Something that took time. `error` is a word for why it failed; None when it did not."""

    name: str
    start: datetime
    end: datetime
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    error: str | None = None
    calls_out: bool = False
    """Whether the time was spent elsewhere, such as at a model provider."""
    children: Sequence[Span] = ()


class Telemetry(Protocol):
    """Keeps spans and counts. Only `close` waits; the other methods return at once."""

    def trace(self, span: Span) -> None:
        """Keep a finished span with all that is inside it, as one trace."""

    def count(self, name: str, amount: int, attributes: Mapping[str, AttributeValue]) -> None:
        """Add the amount to a sum or to a distribution. The adapter knows from the name which it is."""

    async def close(self) -> None:
        """Send everything that is not sent yet."""
