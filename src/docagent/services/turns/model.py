"""The model of a turn: every call is held, streamed and charged like any other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from docagent.agent.ports import KillPoint, ModelFacts
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.models.credits import Charge, Operation
from docagent.domain.models.llm import ModelEvent, ModelReply, ModelRequest
from docagent.domain.turns.events import UsageCounted
from docagent.services.models.model_calls import ModelCall, ModelCalls
from docagent.services.turns.looking import Looking
from docagent.store.engine.database import Database, OrgTx


@dataclass(eq=False)
class TurnModel:
    _db: Database
    _calls: ModelCalls
    _chosen: ChosenModel
    _organization_id: str
    _user_id: str
    _kill: KillPoint
    _looking: Looking
    unlimited: bool = False
    _call: ModelCall | None = field(default=None, init=False)
    _replied: tuple[int, ModelReply] | None = field(default=None, init=False)
    _repeats: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.last_seq: Callable[[], int] = lambda: 0
        """The number of the last event in the turn's log."""
        info = self._chosen.info
        self.facts = ModelFacts(
            name=info.name,
            context_tokens=info.max_input_tokens,
            output_tokens=info.max_output_tokens,
            thinks=info.thinks,
            calls_tools=info.calls_tools,
            is_built_in=info.is_built_in,
        )

    def repeat(self) -> None:
        """Note that the last reply may not be stored. If the log ends where it came, it is not asked for again."""
        self._repeats = True

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        repeats, self._repeats = self._repeats, False
        if repeats and self._replied is not None and self._replied[0] == self.last_seq():
            yield self._replied[1]
            return
        request = await self._looking.with_pictures(request)
        self._call = ModelCall(
            self._organization_id,
            self._user_id,
            Operation.AGENT_LLM,
            self._chosen,
            request,
            unlimited=self.unlimited,
        )
        heard = False
        async with aclosing(self._calls.stream(self._call)) as events:
            async for event in events:
                if not heard:
                    heard = True
                    self._kill.reached("within a reply")
                if isinstance(event, ModelReply):
                    self._replied = (self.last_seq(), event)
                yield event

    async def settle(self, request: ModelRequest, reply: ModelReply, purpose: str) -> UsageCounted:
        """Charge, in the transaction that the journal has open: where nothing limits the charge, at its very end."""
        assert self._call is not None
        call = self._call
        async with self._db.write_org(self._organization_id) as tx:
            if self.unlimited:
                charge = self._calls.price(call, reply)
                tx.before_commit(lambda: self._charge(tx, call, reply))
            else:
                charge = await self._charge(tx, call, reply)
        return UsageCounted(
            model=self._chosen.name,
            purpose=purpose,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            cached_input_tokens=reply.usage.cached_input_tokens,
            credits=charge.credits,
            cost=charge.cost,
        )

    async def _charge(self, tx: OrgTx, call: ModelCall, reply: ModelReply) -> Charge:
        charge = await self._calls.charge(tx, call, reply)
        self.unlimited = not charge.limited
        return charge
