"""Telemetry is on by OpenTelemetry's own variables and by nothing else; off, it is not even imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docagent.adapters.telemetry.choice import exporter_of, open_telemetry
from docagent.adapters.telemetry.exporters import Exporter
from docagent.domain.errors import InvalidInput
from tests.support.tables import table

COLLECTOR = "http://collector.example:4318"

CASES: list[tuple[dict[str, str], Exporter | None, Exporter | None]] = [
    ({}, None, None),
    ({"OTEL_SERVICE_NAME": "x", "OTEL_EXPORTER_OTLP_HEADERS": "a=b"}, None, None),
    (
        {"OTEL_EXPORTER_OTLP_ENDPOINT": COLLECTOR},
        Exporter("otlp", f"{COLLECTOR}/v1/traces"),
        Exporter("otlp", f"{COLLECTOR}/v1/metrics"),
    ),
    (
        {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{COLLECTOR}/otlp/", "OTEL_METRICS_EXPORTER": "none"},
        Exporter("otlp", f"{COLLECTOR}/otlp/v1/traces"),
        None,
    ),
    (
        {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{COLLECTOR}/t"},
        Exporter("otlp", f"{COLLECTOR}/t"),
        None,
    ),
    ({"OTEL_TRACES_EXPORTER": "otlp"}, Exporter("otlp"), None),
    ({"OTEL_TRACES_EXPORTER": "console"}, Exporter("console"), None),
    ({"OTEL_METRICS_EXPORTER": "console"}, None, Exporter("console")),
    ({"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"}, None, None),
    (
        {"OTEL_EXPORTER_OTLP_ENDPOINT": COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"},
        Exporter("otlp", f"{COLLECTOR}/v1/traces"),
        Exporter("otlp", f"{COLLECTOR}/v1/metrics"),
    ),
]


@table(("environment", "traces", "metrics"), CASES)
def test_who_gets_what(
    environment: dict[str, str], traces: Exporter | None, metrics: Exporter | None
) -> None:
    assert exporter_of(environment, "traces") == traces
    assert exporter_of(environment, "metrics") == metrics


def test_it_can_be_switched_off_as_a_whole() -> None:
    assert open_telemetry({"OTEL_EXPORTER_OTLP_ENDPOINT": COLLECTOR, "OTEL_SDK_DISABLED": "True"}) is None


@table(
    ("environment", "named"),
    [
        ({"OTEL_TRACES_EXPORTER": "jaeger"}, "jaeger"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "grpc"),
    ],
)
def test_what_cannot_be_done_is_said_at_the_start(environment: dict[str, str], named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        open_telemetry(environment)


def test_off_it_is_not_imported() -> None:
    program = (
        "import sys, docagent.cli.operations.serve, docagent.cli.operations.work\n"
        "from docagent.adapters.telemetry.choice import open_telemetry\n"
        "assert open_telemetry({}) is None\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
