"""Who gets one kind of signal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Exporter:
    """Without an endpoint, OTLP goes to where the collector is by convention, on this machine."""

    kind: Literal["otlp", "console"]
    endpoint: str | None = None
