"""Decides from OpenTelemetry's own variables whether telemetry is on and where it goes, without importing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from docagent.adapters.telemetry.exporters import Exporter
from docagent.domain.errors import InvalidInput
from docagent.domain.telemetry import Telemetry

Signal = Literal["traces", "metrics"]
EXPORTERS = ("otlp", "console", "none")
PROTOCOL = "http/protobuf"


def open_telemetry(environment: Mapping[str, str]) -> Telemetry | None:
    """Return None, at no cost, if telemetry is off. Raises InvalidInput for variables that we cannot follow."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    traces, metrics = exporter_of(environment, "traces"), exporter_of(environment, "metrics")
    if traces is None and metrics is None:
        return None
    # OpenTelemetry takes half a second to import, and most deployments do not use it.
    from docagent.adapters.telemetry.otel import OpenTelemetry, exporting_to  # noqa: PLC0415

    return OpenTelemetry(*exporting_to(traces, metrics), service=environment.get("OTEL_SERVICE_NAME"))


def exporter_of(environment: Mapping[str, str], signal: Signal) -> Exporter | None:
    """Return where one kind of signal goes: to the exporter named, or by OTLP if only an address is set."""
    upper = signal.upper()
    own = environment.get(f"OTEL_EXPORTER_OTLP_{upper}_ENDPOINT", "").strip()
    common = environment.get("OTEL_EXPORTER_OTLP_ENDPOINT", "").strip()
    named = environment.get(f"OTEL_{upper}_EXPORTER", "").strip().lower()
    kind = named or ("otlp" if own or common else "none")
    if kind not in EXPORTERS:
        raise InvalidInput(f"OTEL_{upper}_EXPORTER is {kind}; use one of {', '.join(EXPORTERS)}.")
    if kind == "none":
        return None
    if kind == "console":
        return Exporter("console")
    protocol = environment.get(f"OTEL_EXPORTER_OTLP_{upper}_PROTOCOL") or environment.get(
        "OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOL
    )
    if protocol != PROTOCOL:
        raise InvalidInput(f"OTEL_EXPORTER_OTLP_PROTOCOL is {protocol}; docagent speaks {PROTOCOL} only.")
    return Exporter("otlp", own or (f"{common.rstrip('/')}/v1/{signal}" if common else None))
