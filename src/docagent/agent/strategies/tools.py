"""`tools`: the model calls tools until it answers in words."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, StartStep, as_message
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event


class ToolsStrategy:
    name = "tools"
    description = "The model calls tools as it sees fit and answers when it is done."
    calls_per_step = 1

    def next(self, view: TurnView) -> Action:
        if view.acted is None:
            return AskModel("act")
        if view.acted.calls:
            return StartStep()
        return Finish(view.acted.text)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        return [as_message(reply, view)]
