"""Telemetry by its variables alone: a real product, the real exporter, and a collector on this machine."""

from __future__ import annotations

import time
from pathlib import Path

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product
from tests.support.services.loopback import serving

TEXT = "Total: 4711.50 EUR"


async def one_turn(product: Product) -> str:
    """Ask the built-in model something about a document; the organisation."""
    tenant = await product.new_tenant()
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    document = {"name": "invoice.pdf", "content": base64_of(pdf([TEXT]))}
    uploaded = await api.post("/documents", {"documents": [document]})
    document_id = uploaded["documents"][0]["document_id"]
    await product.read_document(tenant, document_id)
    messages = [{"role": "user", "content": "What is the total?"}]
    answer = await api.post(f"/documents/{document_id}/chat", {"messages": messages})
    assert "4711.50" in answer["text"]
    return tenant.organization_id


async def test_spans_and_counts_reach_the_collector(tmp_path: Path) -> None:
    async with serving() as collector:
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url(""), "OTEL_SERVICE_NAME": "papers"}
        async with running_product(make_settings(tmp_path), environment) as product:
            organization_id = await one_turn(product)
    sent = {request.path: body for request, body in zip(collector.seen, collector.bodies, strict=True)}
    assert set(sent) == {"/v1/traces", "/v1/metrics"}

    (traces,) = ExportTraceServiceRequest.FromString(sent["/v1/traces"]).resource_spans
    resource = {item.key: item.value.string_value for item in traces.resource.attributes}
    assert resource["service.name"] == "papers"
    (scope,) = traces.scope_spans
    (turn,) = [span for span in scope.spans if not span.parent_span_id]
    assert {span.trace_id for span in scope.spans} == {turn.trace_id}
    assert {span.name.partition(" ")[0] for span in scope.spans} >= {"invoke_agent", "step", "chat"}
    told = {item.key: item.value.string_value for item in turn.attributes}
    assert told["docagent.organization.id"] == organization_id
    assert 0 < turn.start_time_unix_nano <= turn.end_time_unix_nano <= time.time_ns()
    assert b"4711.50" not in sent["/v1/traces"]
    assert b"What is the total" not in sent["/v1/traces"]

    (metrics,) = ExportMetricsServiceRequest.FromString(sent["/v1/metrics"]).resource_metrics
    names = {metric.name for scope in metrics.scope_metrics for metric in scope.metrics}
    assert {"gen_ai.client.token.usage", "docagent.credits", "docagent.turns"} <= names


async def test_a_collector_that_is_gone_hurts_nobody(tmp_path: Path) -> None:
    async with serving() as collector:
        pass
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url("")}
    async with running_product(make_settings(tmp_path), environment) as product:
        await one_turn(product)
        closing = time.monotonic()
    assert time.monotonic() - closing < 10
