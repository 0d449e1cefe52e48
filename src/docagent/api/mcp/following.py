"""Follows a turn for a call: tells progress, asks the person when it waits, stops it when the call is cancelled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass

import anyio
import mcp_types as types

from docagent.agent.state import TurnView
from docagent.api.mcp import asking
from docagent.api.mcp.asking import Context
from docagent.api.mcp.callers import Caller
from docagent.domain.errors import Conflict, DocAgentError
from docagent.domain.turns.events import Recorded, ToolFinished, ToolProgress
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.turns.deciding import Decision

SECONDS_TO_STOP = 10.0
Finish = Callable[[Turn, TurnView], Awaitable[types.CallToolResult]]
Answer = types.CallToolResult | types.InputRequiredResult


@dataclass(frozen=True, slots=True)
class Following:
    caller: Caller
    context: Context
    finish: Finish
    """Makes the answer once the turn is over, or waits and nobody can be asked here."""

    async def to_its_end(self, turn: Turn) -> Answer:
        """Follow a turn. The answer is final, or a question that the client brings back with the same call."""
        try:
            return await self._follow(turn)
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(SECONDS_TO_STOP, shield=True), suppress(DocAgentError):
                await self.caller.services.turns.steering.stop(self.caller.member, turn.id)
            raise

    async def again(self, turn: Turn, said: types.ElicitResult | None) -> Answer:
        """Go on with a turn about which the person was asked."""
        view = await self._view(turn)
        went_on = None if said is None else await self._told(turn, view, said)
        return await self.finish(turn, view) if went_on is None else await self.to_its_end(went_on)

    async def _follow(self, turn: Turn) -> Answer:
        while True:
            turn, view = await self._paused(turn)
            question = _question(turn, view)
            if question is None or not asking.can_ask(self.context):
                return await self.finish(turn, view)
            if asking.asks_by_answer(self.context):
                return asking.ask_by_answer(question, turn.id)
            said = await asking.ask_now(self.context, question)
            went_on = await self._told(turn, view, said)
            if went_on is None:
                return await self.finish(turn, view)
            turn = went_on

    async def _told(self, turn: Turn, view: TurnView, said: types.ElicitResult) -> Turn | None:
        """Record what the person said. None if they said nothing: it waits on in the inbox."""
        if said.action == "cancel":
            return None
        deciding, member = self.caller.services.turns.deciding, self.caller.member
        with suppress(
            Conflict
        ):  # decided meanwhile in the inbox, or its target changed: the log has what is true
            if turn.state is TurnState.AWAITING_INPUT:
                answer = asking.said(said, "answer")
                return await deciding.answer(member, turn.id, answer, seen=turn.last_seq) if answer else None
            approved, reason = said.action == "accept", asking.said(said, "reason")
            decisions = [Decision(call.id, approved, reason=reason) for call in view.undecided]
            return await deciding.decide(member, turn.id, decisions)
        return await self.caller.services.turns.watching.get(member, turn.id)

    async def _paused(self, turn: Turn) -> tuple[Turn, TurnView]:
        watching, member = self.caller.services.turns.watching, self.caller.member
        told = 0
        async with aclosing(watching.watch(member, turn.id, until_pause=True)) as groups:
            async for items in groups:
                for item in items:
                    if isinstance(item, Recorded) and item.seq > told:
                        told = item.seq
                        await self._tell(item)
        current, log = await watching.settled(member, turn)
        return current, TurnView.of(item.event for item in log)

    async def _tell(self, item: Recorded) -> None:
        event = item.event
        if isinstance(event, ToolProgress):
            words = f"{event.message} ({event.done} of {event.total})"
        elif isinstance(event, ToolFinished):
            words = event.summary or event.name
        else:
            return
        await self.context.session.report_progress(item.seq, message=words)

    async def _view(self, turn: Turn) -> TurnView:
        log = await self.caller.services.turns.watching.events(self.caller.member, turn.id)
        return TurnView.of(item.event for item in log)


def _question(turn: Turn, view: TurnView) -> types.ElicitRequestFormParams | None:
    if turn.state is TurnState.AWAITING_APPROVAL and view.undecided:
        return asking.about_calls(view.undecided)
    if turn.state is TurnState.AWAITING_INPUT and view.question_to_user is not None:
        return asking.about_question(view.question_to_user)
    return None


def waiting_calls(view: TurnView) -> Sequence[dict[str, object]]:
    return [
        {
            "id": call.id,
            "name": call.name,
            "arguments": call.arguments,
            "summary": call.summary,
            "difference": asking.difference(call.preview),
        }
        for call in view.undecided
    ]
