"""`call`: a program made the call itself, so that no model is asked. What it may do is judged as everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, as_message
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event


class CallStrategy:
    name = "call"
    description = "Runs one call that a program made over MCP."
    calls_per_step = 0

    def next(self, view: TurnView) -> Action:
        """The log begins with the call, so once nothing is outstanding the turn is over."""
        return Finish("\n".join(result.summary or result.name for result in view.results.values()))

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        """Only a message that steers could lead here, and the loop ends the turn instead of asking."""
        return [as_message(reply, view)]
