"""`react`: strict reason, act, observe in every step, each phase a call of its own."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.context import fenced
from docagent.agent.state import TurnView
from docagent.agent.strategies import control
from docagent.agent.strategies.base import Action, AskModel, AskUser, Finish, StartStep
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import AssistantMessage, Event, Observe, Reason, Steered, UserMessage

REASON_KEYS = frozenset({"plan", "tools_to_consider", "finish", "final_answer", "request_input"})
OBSERVE_KEYS = frozenset({"observation", "should_continue", "final_answer"})
MOST_RESULT_CHARACTERS = 400
"""How much of each result the summary shows. The conversation holds all of it."""


class ReactStrategy:
    name = "react"
    description = "Reasons, acts and observes in every step, and shows all three. Slower, easy to follow."
    calls_per_step = 3

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def next(self, view: TurnView) -> Action:
        if view.reasoned is None:
            return self._reason(view)
        if view.observed is not None:
            return self._after_observing(view, view.observed)
        if view.acted is not None:
            return self._observe(view)
        return self._after_reasoning(view, view.reasoned)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        match ask.purpose:
            case "reason":
                read = control.read_control(reply, control.DECIDE_NEXT, REASON_KEYS)
                return [Reason(view.step, read.text or control.text_of(read.decision, "plan"), read.decision)]
            case "observe":
                read = control.read_control(reply, control.OBSERVE_DECIDE, OBSERVE_KEYS)
                said = read.text or control.text_of(read.decision, "observation")
                return [Observe(view.step, said, read.decision)]
            case _:
                return [control.as_spoken(reply, view)]

    def _reason(self, view: TurnView) -> AskModel:
        last = view.last_observed
        text = self._prompts.render(
            "reason",
            step=view.step,
            user_question=_wanted(view),
            files_manifest=fenced("files", "\n".join(view.started.files)) if view.started.files else "none",
            last_observation=last.text if last else "nothing yet",
        )
        return AskModel(
            "reason",
            offers_tools=False,
            instructions=text,
            control_tools=(control.DECIDE_NEXT,),
            control_keys=REASON_KEYS,
        )

    def _after_reasoning(self, view: TurnView, reasoned: Reason) -> Action:
        """A question to the user comes before finishing, finishing before acting."""
        question = control.question_of(reasoned.decision)
        if question:
            return StartStep() if view.asked_in_step else AskUser(question)
        if control.flag(reasoned.decision, "finish"):
            return Finish(control.text_of(reasoned.decision, "final_answer") or reasoned.text)
        plan = control.text_of(reasoned.decision, "plan") or reasoned.text
        text = self._prompts.render("act", plan=plan)
        return AskModel("act", instructions=text, control_keys=control.MISPLACED_KEYS)

    def _observe(self, view: TurnView) -> AskModel:
        text = self._prompts.render(
            "observe", step=view.step, user_question=_wanted(view), tool_summaries=_summaries(view)
        )
        return AskModel(
            "observe",
            offers_tools=False,
            instructions=text,
            control_tools=(control.OBSERVE_DECIDE,),
            control_keys=OBSERVE_KEYS,
        )

    def _after_observing(self, view: TurnView, observed: Observe) -> Action:
        final = control.text_of(observed.decision, "final_answer")
        goes_on = control.flag(observed.decision, "should_continue")
        if final and goes_on is not True:
            return Finish(final)
        only_words = view.acted is not None and not view.acted.calls
        said = view.acted.text if view.acted is not None and only_words else ""
        if goes_on is False or (goes_on is None and only_words and _said_only_words(view, view.step - 1)):
            return Finish(final or said or observed.text)
        return StartStep()


def _said_only_words(view: TurnView, step: int) -> bool:
    """Whether a step had no call and no decision whether to go on. Two such steps in a row end the turn: a model that
    never writes decisions, or nothing at all, must come to an end too.
    """
    observed = [event for event in view.events if isinstance(event, Observe) and event.step == step]
    acted = [event for event in view.events if isinstance(event, AssistantMessage) and event.step == step]
    undecided = [control.flag(event.decision, "should_continue") is None for event in observed]
    return any(undecided) and not any(message.calls for message in acted)


def _wanted(view: TurnView) -> str:
    """All that the user said in this turn: an answer or a word in between does not replace the question."""
    said = [
        f"(while you worked) {event.text}" if isinstance(event, Steered) else event.text
        for event in view.events
        if isinstance(event, UserMessage | Steered)
    ]
    if view.question_to_user is not None and view.answer is not None:
        said.append(f"(asked: {view.question_to_user.question}) {view.answer.text}")
    return "\n".join(said)


def _summaries(view: TurnView) -> str:
    results = view.results_of_batch()
    if not results:
        said = view.acted.text if view.acted else ""
        return f"No tool was called. You said: {said}" if said else "No tool was called."
    return "\n".join(
        f"- {result.name}: {'failed' if result.is_error else 'done'}.\n{fenced(result.name, _cut(result.content))}"
        for result in results
    )


def _cut(text: str) -> str:
    left = len(text) - MOST_RESULT_CHARACTERS
    return text if left <= 0 else f"{text[:MOST_RESULT_CHARACTERS]} … {left} characters left out"
