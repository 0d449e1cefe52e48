"""Follows a turn for a call: tells progress, asks the person when it waits, stops it when the call is cancelled.

A client that asked for no progress gets an answer before it would give up: the turn runs on, and its id is told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass

import anyio
import mcp_types as types

from docagent.agent.state import TurnView
from docagent.api.mcp import asking
from docagent.api.mcp.call import Call
from docagent.domain.errors import Conflict, DocAgentError
from docagent.domain.turns.events import Recorded, ToolFinished, ToolProgress
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.turns.deciding import Decision
from docagent.services.turns.live import Item

SECONDS_TO_STOP = 10.0
Finish = Callable[[Turn, TurnView], Awaitable[types.CallToolResult]]
Answer = types.CallToolResult | types.InputRequiredResult


@dataclass(frozen=True, slots=True)
class Following:
    call: Call
    finish: Finish
    """Makes the answer once the turn is over, waits and nobody can be asked here, or takes longer than the client."""

    async def to_its_end(self, turn: Turn) -> Answer:
        """Follow a turn. The answer is final, or a question that the client brings back with the same call."""
        await self.call.tell(f"Turn {turn.id} has begun.")
        try:
            return await self._follow(turn)
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(SECONDS_TO_STOP, shield=True), suppress(DocAgentError):
                await self.call.caller.services.turns.steering.stop(self.call.caller.member, turn.id)
            raise

    async def again(self, turn: Turn) -> Answer:
        """Continue a turn about which the person was asked."""
        view, said = await self._view(turn), asking.given(self.call.parameters)
        went_on = None if said is None else await self._told(turn, view, said)
        return await self.finish(turn, view) if went_on is None else await self.to_its_end(went_on)

    async def _follow(self, turn: Turn) -> Answer:
        while True:
            turn, view = await self._paused(turn)
            question = _question(turn, view)
            if question is None or not asking.can_ask(self.call.context):
                return await self.finish(turn, view)
            if asking.asks_by_answer(self.call.context):
                return asking.ask_by_answer(question, turn.id)
            said = await asking.ask_now(self.call.context, question)
            went_on = await self._told(turn, view, said)
            if went_on is None:
                return await self.finish(turn, view)
            turn = went_on

    async def _told(self, turn: Turn, view: TurnView, said: types.ElicitResult) -> Turn | None:
        """Record what the person said. None if they said nothing: it waits on in the inbox."""
        if said.action == "cancel":
            return None
        deciding, member = self.call.caller.services.turns.deciding, self.call.caller.member
        with suppress(
            Conflict
        ):  # decided meanwhile in the inbox, or its target changed: the log has what is true
            if turn.state is TurnState.AWAITING_INPUT:
                answer = asking.said(said, "answer")
                return await deciding.answer(member, turn.id, answer, seen=turn.last_seq) if answer else None
            approved, reason = said.action == "accept", asking.said(said, "reason")
            decisions = [Decision(call.id, approved, reason=reason) for call in view.undecided]
            return await deciding.decide(member, turn.id, decisions)
        return await self.call.caller.services.turns.watching.get(member, turn.id)

    async def _paused(self, turn: Turn) -> tuple[Turn, TurnView]:
        """The turn once it pauses, ends, or the client will wait no longer."""
        watching, member = self.call.caller.services.turns.watching, self.call.caller.member
        with anyio.CancelScope(deadline=self.call.deadline):
            async with aclosing(watching.watch(member, turn.id, until_pause=True)) as groups:
                async for items in groups:
                    for item in items:
                        await self._tell(item)
            turn, log = await watching.settled(member, turn)
            return turn, TurnView.of(item.event for item in log)
        return await watching.get(member, turn.id), await self._view(turn)

    async def _tell(self, item: Item) -> None:
        event = item.event if isinstance(item, Recorded) else None
        if isinstance(event, ToolProgress):
            await self.call.tell(f"{event.message} ({event.done} of {event.total})")
        elif isinstance(event, ToolFinished):
            await self.call.tell(event.summary or event.name)

    async def _view(self, turn: Turn) -> TurnView:
        log = await self.call.caller.services.turns.watching.events(self.call.caller.member, turn.id)
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
