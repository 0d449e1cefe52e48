"""`llm-only`: one answer, no tools."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, in_words
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event


class LlmOnlyStrategy:
    name = "llm-only"
    description = "Answers from the document's text alone, without tools."
    calls_per_step = 1

    def next(self, view: TurnView) -> Action:
        if view.acted is None:
            return AskModel("act", offers_tools=False)
        return Finish(view.acted.text)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        return [in_words(reply, view)]
