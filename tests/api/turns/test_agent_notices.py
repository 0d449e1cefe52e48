"""What others hear of the agent: by the bus, by webhooks, and as spans and counts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from docagent.adapters.telemetry.otel import OpenTelemetry
from docagent.domain.deliveries.notices import (
    AboutTurn,
    AgentActionCompleted,
    Notice,
    TurnEnded,
    TurnWaits,
)
from docagent.services.deliveries.bus import Bus
from docagent.services.telemetry import TelemetryService
from tests.conftest import make_settings
from tests.support.agent import OPENAI, Desk, Studio, call, calls, running_studio, say, yes
from tests.support.models.provider import Refusal
from tests.support.polling import until
from tests.support.services.databases import Databases
from tests.support.services.loopback import HERE, serving

TAG = "Confidential 4711"
QUESTION = "Make a tag for secret papers"


@dataclass
class Watch:
    """Everything that is told while tests run, with and without content."""

    notices: list[Notice] = field(default_factory=list)
    spans: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    full_spans: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    metrics: InMemoryMetricReader = field(default_factory=InMemoryMetricReader)

    async def hear(self, notice: Notice) -> None:
        self.notices.append(notice)

    def listen(self, bus: Bus, studio: Studio) -> None:
        bus.subscribe(self.hear)
        db = studio.product.services.db
        for exporter, reader, content in ((self.spans, self.metrics, False), (self.full_spans, None, True)):
            telemetry = OpenTelemetry(SimpleSpanProcessor(exporter), reader)
            TelemetryService(db, telemetry, content=content).listen(bus)

    def of(self, turn_id: str) -> list[Notice]:
        return [notice for notice in self.notices if getattr(notice, "turn_id", None) == turn_id]

    def trace(self, turn_id: str, *, full: bool = False) -> list[ReadableSpan]:
        """The spans of one turn, the whole turn first."""
        finished = (self.full_spans if full else self.spans).get_finished_spans()
        for root in finished:
            if root.attributes and root.attributes.get("docagent.turn.id") == turn_id:
                trace_id = root.context.trace_id
                return sorted(
                    (span for span in finished if span.context.trace_id == trace_id),
                    key=lambda span: (span.parent is not None, span.start_time or 0),
                )
        return []

    def sums(self) -> dict[tuple[str, str], float]:
        """By metric and what is counted."""
        found: dict[tuple[str, str], float] = {}
        data = self.metrics.get_metrics_data()
        for resource in data.resource_metrics if data else ():
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    for point in metric.data.data_points:
                        about = point.attributes or {}
                        of = about.get("gen_ai.token.type") or about.get("docagent.outcome") or "all"
                        amount = point.sum if hasattr(point, "sum") else point.value
                        key = (metric.name, str(of))
                        found[key] = found.get(key, 0) + amount
        return found


@pytest.fixture(scope="module", params=["postgresql"])
async def studio_and_watch(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Studio, Watch]]:
    url = await databases.new(request.param)
    settings = make_settings(tmp_path_factory.mktemp("data"), url, egress={"allow_private": [HERE]})
    async with running_studio(settings) as studio:
        watch = Watch()
        watch.listen(studio.product.services.bus, studio)
        yield studio, watch


@pytest.fixture
def watch(studio_and_watch: tuple[Studio, Watch]) -> Watch:
    studio, watch = studio_and_watch
    studio.reset()
    watch.notices.clear()
    return watch


@pytest.fixture
async def desk(studio_and_watch: tuple[Studio, Watch], watch: Watch) -> Desk:
    studio, _ = studio_and_watch
    desk = await studio.new_desk()
    await studio.product.read_document(desk.tenant, desk.document_id)
    return desk


async def make_tag_with_approval(desk: Desk) -> str:
    turn = await desk.chat(QUESTION, calls(call("c1", "create_tag", name=TAG), call("c2", "list_tags")))
    await desk.approve(turn, yes("c1"), answers=[say("It is made.")])
    turn_id: str = turn["turn_id"]
    return turn_id


async def ended(watch: Watch, turn_id: str) -> list[Notice]:
    """The notices of a turn, once its end was told and traced."""

    async def is_over() -> bool:
        return any(isinstance(n, TurnEnded) for n in watch.of(turn_id)) and bool(
            watch.trace(turn_id) and watch.trace(turn_id, full=True)
        )

    await until(is_over)
    return watch.of(turn_id)


async def test_a_turn_tells_of_its_wait_its_actions_and_its_end(desk: Desk, watch: Watch) -> None:
    turn_id = await make_tag_with_approval(desk)
    waits, made, listed, end = await ended(watch, turn_id)
    about = (desk.tenant.organization_id, turn_id, desk.document_id, desk.tenant.user_id)
    for notice in (waits, made, listed, end):
        assert isinstance(notice, AboutTurn)
        assert (notice.organization_id, notice.turn_id, notice.document_id, notice.user_id) == about
    assert isinstance(waits, TurnWaits)
    assert (waits.waits_for, waits.tools) == ("approval", ("create_tag",))
    assert isinstance(made, AgentActionCompleted)
    assert (made.call_id, made.tool, made.outcome, made.grant) == ("c1", "create_tag", "done", "user")
    assert isinstance(listed, AgentActionCompleted)
    assert (listed.tool, listed.outcome, listed.grant) == ("list_tags", "done", "read_only")
    assert isinstance(end, TurnEnded)
    assert (end.outcome, end.reason, end.steps, end.model_calls) == ("completed", None, 2, 2)
    assert (end.model, end.strategy) == (OPENAI, "tools")
    assert end.tokens > 0
    assert end.credits > 0
    assert "Confidential" not in str([waits, made, listed, end])


async def test_calls_that_did_not_run_are_no_actions(desk: Desk, watch: Watch) -> None:
    broken = calls(call("c1", "no_such_tool"), call("c2", "get_schema"))
    turn_id = await desk.begin(QUESTION, broken, say("Well."))
    notices = await ended(watch, turn_id)
    assert [type(notice) for notice in notices] == [TurnEnded]  # nothing ran
    tools = [span for span in watch.trace(turn_id) if span.name.startswith("execute_tool")]
    assert [span.attributes and span.attributes["docagent.outcome"] for span in tools] == ["refused"] * 2
    assert all(span.status.status_code is StatusCode.UNSET for span in tools)


async def test_a_stopped_turn_says_why(desk: Desk, watch: Watch) -> None:
    turn = await desk.chat(QUESTION, calls(call("c1", "create_tag", name=TAG)))
    await desk.api.post(f"/turns/{turn['turn_id']}/stop", {})
    *_, end = await ended(watch, turn["turn_id"])
    assert isinstance(end, TurnEnded)
    assert (end.outcome, end.reason) == ("stopped", "user")


async def test_webhooks_carry_it_in_the_transaction_of_the_log(desk: Desk, watch: Watch) -> None:
    async with serving() as server:
        events = ["agent_action_completed", "turn_waits", "turn_ended"]
        await desk.api.post("/webhooks", {"url": server.url(), "events": events})
        turn_id = await make_tag_with_approval(desk)
        await server.until(4)
    told = [json.loads(body) for body in server.bodies]
    assert sorted(item["event"] for item in told) == [
        "agent_action_completed",
        "agent_action_completed",
        "turn_ended",
        "turn_waits",
    ]
    assert {item["data"]["turn_id"] for item in told} == {turn_id}
    assert "Confidential" not in str(server.bodies)
    assert "secret papers" not in str(server.bodies)


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_turn_is_one_trace_with_steps_calls_and_tools(desk: Desk, watch: Watch) -> None:
    turn_id = await make_tag_with_approval(desk)
    await ended(watch, turn_id)
    spans = watch.trace(turn_id)
    turn = spans[0]
    by_id = {span.context.span_id: span for span in spans}
    outline = [(span.name, by_id[span.parent.span_id].name if span.parent else None) for span in spans]
    assert sorted(outline, key=str) == sorted(
        [
            ("invoke_agent docagent", None),
            ("step", "invoke_agent docagent"),
            ("step", "invoke_agent docagent"),
            (f"chat {OPENAI}", "step"),
            (f"chat {OPENAI}", "step"),
            ("execute_tool create_tag", "step"),
            ("execute_tool list_tags", "step"),
        ],
        key=str,
    )
    told = attributes(turn)
    models = [attributes(span) for span in spans if span.name.startswith("chat")]
    assert told["docagent.organization.id"] == desk.tenant.organization_id
    assert told["docagent.outcome"] == "completed"
    for name in ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "docagent.credits"):
        assert told[name] == sum(item[name] for item in models) > 0
    tool = next(span for span in spans if span.name == "execute_tool create_tag")
    assert attributes(tool)["gen_ai.tool.call.id"] == "c1"
    assert attributes(tool)["docagent.grant"] == "user"
    assert all(span.kind is SpanKind.CLIENT for span in spans if span.name.startswith("chat"))
    for span in spans:
        assert (turn.start_time or 0) <= (span.start_time or 0) <= (span.end_time or 0)
        assert span.status.status_code is StatusCode.UNSET


async def test_no_text_is_in_a_span_unless_the_setting_says_so(desk: Desk, watch: Watch) -> None:
    turn_id = await make_tag_with_approval(desk)
    await ended(watch, turn_id)
    plain = "".join(span.to_json() for span in watch.trace(turn_id))
    full = "".join(span.to_json() for span in watch.trace(turn_id, full=True))
    for text in (TAG, QUESTION, "It is made."):
        assert text not in plain
        assert text in full


async def test_a_model_that_fails_makes_the_turn_an_error(desk: Desk, watch: Watch) -> None:
    turn_id = await desk.begin(QUESTION, Refusal(401))
    await desk.until(turn_id, "failed")
    *_, end = await ended(watch, turn_id)
    assert isinstance(end, TurnEnded)
    (turn, *_) = watch.trace(turn_id)
    assert turn.status.status_code is StatusCode.ERROR
    assert attributes(turn)["error.type"] == end.reason == attributes(turn)["docagent.reason"]


async def test_tokens_credits_tools_and_turns_are_counted(desk: Desk, watch: Watch) -> None:
    before = watch.sums()
    turn_id = await make_tag_with_approval(desk)
    notices = await ended(watch, turn_id)
    end = notices[-1]
    assert isinstance(end, TurnEnded)
    more = {key: amount - before.get(key, 0) for key, amount in watch.sums().items()}
    tokens = "gen_ai.client.token.usage"
    assert more[tokens, "input"] + more[tokens, "output"] == end.tokens
    assert more["docagent.credits", "all"] == end.credits
    assert more["docagent.tool.calls", "done"] == 2
    assert more["docagent.turns", "completed"] == 1
