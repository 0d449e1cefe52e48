"""Where one kind of signal is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Exporter:
    """A destination. OTLP without an endpoint goes to a collector on this machine, at its usual address."""

    kind: Literal["otlp", "console"]
    endpoint: str | None = None
