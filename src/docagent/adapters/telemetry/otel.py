"""OpenTelemetry behind the port. Imported only when telemetry is on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Counter, Histogram
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    ConsoleMetricExporter,
    MetricReader,
    PeriodicExportingMetricReader,
)
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

from docagent import __version__
from docagent.adapters.telemetry.exporters import Exporter
from docagent.domain.telemetry import AttributeValue, Span

NAME = "docagent"
SECONDS_TO_FINISH = 5.0
POLL_SECONDS = 0.02
DISTRIBUTIONS = {"gen_ai.client.token.usage": "{token}"}
"""Measures that are recorded as histograms, as the conventions for generative AI demand. All others are sums."""


def exporting_to(
    traces: Exporter | None, metrics: Exporter | None
) -> tuple[SpanProcessor | None, MetricReader | None]:
    """Make the background senders. Headers, time limits and certificates come from the usual variables."""
    processor = reader = None
    if traces is not None:
        spans = ConsoleSpanExporter() if traces.kind == "console" else OTLPSpanExporter(traces.endpoint)
        processor = BatchSpanProcessor(spans)
    if metrics is not None:
        points = (
            ConsoleMetricExporter() if metrics.kind == "console" else OTLPMetricExporter(metrics.endpoint)
        )
        reader = PeriodicExportingMetricReader(points)
    return processor, reader


class OpenTelemetry:
    """Uses providers of its own, and leaves the process-wide ones to programs that embed docagent."""

    def __init__(
        self,
        processor: SpanProcessor | None,
        reader: MetricReader | None,
        service: str | None = None,
    ) -> None:
        resource = Resource.create({SERVICE_NAME: service or NAME, SERVICE_VERSION: __version__})
        self._traces: TracerProvider | None = None
        if processor is not None:
            self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
            self._traces.add_span_processor(processor)
        self._metrics: MeterProvider | None = None
        if reader is not None:
            self._metrics = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        self._instruments: dict[str, Counter | Histogram] = {}

    def trace(self, span: Span) -> None:
        if self._traces is not None:
            self._write(span, None)

    def _write(self, span: Span, context: object) -> None:
        assert self._traces is not None
        written = self._traces.get_tracer(NAME, __version__).start_span(
            span.name,
            context=context,  # type: ignore[arg-type]  # what set_span_in_context gave
            kind=SpanKind.CLIENT if span.calls_out else SpanKind.INTERNAL,
            attributes=dict(span.attributes),
            start_time=_nanoseconds(span.start),
        )
        if span.error is not None:
            written.set_attribute("error.type", span.error)
            written.set_status(Status(StatusCode.ERROR, span.error))
        inside = set_span_in_context(written)
        for child in span.children:
            self._write(child, inside)
        written.end(_nanoseconds(span.end))

    def count(self, name: str, amount: int, attributes: Mapping[str, AttributeValue]) -> None:
        if self._metrics is None:
            return
        instrument = self._instruments.get(name) or self._instrument(name)
        if isinstance(instrument, Histogram):
            instrument.record(amount, dict(attributes))
        else:
            instrument.add(amount, dict(attributes))

    def _instrument(self, name: str) -> Counter | Histogram:
        assert self._metrics is not None
        meter = self._metrics.get_meter(NAME, __version__)
        made: Counter | Histogram
        if name in DISTRIBUTIONS:
            made = meter.create_histogram(name, unit=DISTRIBUTIONS[name])
        else:
            made = meter.create_counter(name)
        self._instruments[name] = made
        return made

    async def close(self) -> None:
        """Send what is left, but do not wait long: a silent collector's threads die with the process."""
        providers = [provider for provider in (self._traces, self._metrics) if provider is not None]
        threads = [threading.Thread(target=provider.shutdown, daemon=True) for provider in providers]
        for thread in threads:
            thread.start()
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_FINISH):
                while True:
                    if not any(thread.is_alive() for thread in threads):
                        return
                    await asyncio.sleep(POLL_SECONDS)


def _nanoseconds(moment: datetime) -> int:
    whole = int(moment.timestamp())
    return whole * 1_000_000_000 + moment.microsecond * 1000
