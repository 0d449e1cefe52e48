"""Turns the notices of the bus into spans and counts."""

from __future__ import annotations

from docagent.agent.strategies.registry import DECIDE
from docagent.domain.deliveries.notices import (
    AgentActionCompleted,
    ModelCalled,
    Notice,
    NoticeKind,
    TurnEnded,
)
from docagent.domain.telemetry import AttributeValue, Telemetry
from docagent.services.deliveries.bus import Bus
from docagent.services.turns.views.trace import as_act, trace_of
from docagent.store.engine.database import Database
from docagent.store.turns import turns

TOKENS = "gen_ai.client.token.usage"
CREDITS = "docagent.credits"
TOOL_CALLS = "docagent.tool.calls"
TURNS = "docagent.turns"


class TelemetryService:
    def __init__(self, db: Database, telemetry: Telemetry, *, content: bool) -> None:
        self._db = db
        self._telemetry = telemetry
        self._content = content

    def listen(self, bus: Bus) -> None:
        bus.subscribe(
            self.hear, NoticeKind.TURN_ENDED, NoticeKind.AGENT_ACTION_COMPLETED, NoticeKind.MODEL_CALLED
        )

    async def hear(self, notice: Notice) -> None:
        match notice:
            case ModelCalled():
                self._count_model(notice)
            case AgentActionCompleted():
                self._telemetry.count(
                    TOOL_CALLS, 1, {"gen_ai.tool.name": notice.tool, "docagent.outcome": notice.outcome}
                )
            case TurnEnded():
                self._telemetry.count(
                    TURNS,
                    1,
                    {"docagent.strategy": notice.strategy, "docagent.outcome": notice.outcome},
                )
                await self._trace(notice)

    def _count_model(self, notice: ModelCalled) -> None:
        about: dict[str, AttributeValue] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": notice.provider,
            "gen_ai.request.model": notice.model,
            "docagent.operation": notice.operation,
        }
        self._telemetry.count(TOKENS, notice.input_tokens, {**about, "gen_ai.token.type": "input"})
        self._telemetry.count(TOKENS, notice.output_tokens, {**about, "gen_ai.token.type": "output"})
        self._telemetry.count(CREDITS, notice.credits, about)

    async def _trace(self, notice: TurnEnded) -> None:
        async with self._db.read_org(notice.organization_id) as tx:
            turn = await turns.get(tx, notice.turn_id)
            recorded = await turns.events(tx, notice.turn_id)
        if turn is not None and recorded:
            trace = trace_of(turn, recorded, content=self._content)
            self._telemetry.trace(as_act(turn, recorded, trace) if turn.strategy == DECIDE else trace)
