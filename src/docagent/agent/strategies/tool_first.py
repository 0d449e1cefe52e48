"""`tool-first`: act before any reasoning, then answer from the results."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, as_message, in_words
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event


class ToolFirstStrategy:
    name = "tool-first"
    description = "Looks everything up at once, then answers from the results. Quick for questions."
    calls_per_step = 2

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def next(self, view: TurnView) -> Action:
        if view.acted is None:
            return AskModel("act", instructions=self._prompts.text("tool_first"))
        if view.acted.calls:
            return AskModel("answer", offers_tools=False, instructions=self._prompts.text("answer"))
        return Finish(view.acted.text)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        return [as_message(reply, view) if ask.purpose == "act" else in_words(reply, view)]
