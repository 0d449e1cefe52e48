"""`think-act`: a thought before every action."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, StartStep
from docagent.agent.strategies.control import MISPLACED_KEYS, as_spoken, flag, read_control, text_of
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event, Reason

THINK_KEYS = frozenset({"finish", "final_answer", "next_action_hint"})


class ThinkActStrategy:
    name = "think-act"
    description = "Thinks in a sentence or two before each action."
    calls_per_step = 2

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def next(self, view: TurnView) -> Action:
        if view.reasoned is None:
            think = self._prompts.text("think")
            return AskModel("reason", offers_tools=False, instructions=think, control_keys=THINK_KEYS)
        if view.acted is not None:
            return StartStep() if view.acted.calls else Finish(view.acted.text)
        if flag(view.reasoned.decision, "finish"):
            return Finish(text_of(view.reasoned.decision, "final_answer") or view.reasoned.text)
        hint = text_of(view.reasoned.decision, "next_action_hint") or view.reasoned.text
        text = self._prompts.render("act", plan=hint)
        return AskModel("act", instructions=text, control_keys=MISPLACED_KEYS)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        if ask.purpose != "reason":
            return [as_spoken(reply, view)]
        read = read_control(reply, None, THINK_KEYS)
        return [Reason(view.step, read.text or text_of(read.decision, "next_action_hint"), read.decision)]
