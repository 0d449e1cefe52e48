"""What is measured of the agent, and the port to whoever keeps it."""

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
    """The time was spent elsewhere, such as at a model provider."""
    children: Sequence[Span] = ()


class Telemetry(Protocol):
    """Keeps spans and counts. None of its methods waits, but for `close`."""

    def trace(self, span: Span) -> None:
        """Keep a finished span with all that is inside it, as one trace."""

    def count(self, name: str, amount: int, attributes: Mapping[str, AttributeValue]) -> None:
        """Add to a sum, or to a distribution: the adapter knows which by the name."""

    async def close(self) -> None:
        """Send what is left."""
