"""`plan-and-execute`: a plan that the user sees and judges as a whole, then its steps one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, Note, StartStep, as_message, in_words
from docagent.agent.strategies.control import read_control, read_list, text_of
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Event, Plan, PlanDecided, PlanStep, Steered

PLAN_KEYS = frozenset({"steps"})
MOST_STEPS = 20
MOST_PLANS = 3
NOT_FOLLOWED = "The plan was not approved, so nothing was done. Tell me what to do differently."
NOT_CONTINUED = "The new plan was not approved, so I stop here. What was done before is kept."
HEED = "\nThe user has said more since your last plan. Plan what is left to do.\n"
GIVEN_UP = "The plan failed and planning again did not help. What was done before is kept."
_ITEM = re.compile(r"^\s*(?:\d+[.)]|[-*])\s+(.*\S)")


class PlanAndExecuteStrategy:
    name = "plan-and-execute"
    description = (
        "Makes a plan that you approve, change or reject, then follows it and makes a new plan on failure."
    )
    calls_per_step = 1

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def next(self, view: TurnView) -> Action:
        plan, verdict = view.plan, view.plan_verdict
        if plan is None:
            return self._ask_for_plan("")
        if verdict is not None and not verdict.approved and verdict.revision == plan.revision:
            return self._after_rejection(view, plan, verdict)
        if verdict is not None and verdict.steps is not None and not _follows(plan, verdict):
            changed = tuple(PlanStep(text) for text in verdict.steps)
            return Note((replace(plan, steps=changed, waits=False),))
        current = next((step for step in plan.steps if not step.done), None)
        if view.acted is None or view.plan_changed_in_step:
            return self._next_step(view, plan, current)
        if view.acted.calls:
            return self._after_calls(view, plan)
        return self._after_words(view.acted.text, plan, current)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        if ask.purpose != "plan":
            return [as_message(reply, view) if ask.purpose == "act" else in_words(reply, view)]
        revision = view.plan.revision + 1 if view.plan else 1
        waits = not view.started.terms.auto_approve
        return [Plan(revision, _steps(reply) or (PlanStep(view.question),), waits)]

    def _ask_for_plan(self, feedback: str) -> AskModel:
        text = self._prompts.render("plan", feedback=feedback)
        return AskModel("plan", offers_tools=False, instructions=text, control_keys=PLAN_KEYS)

    def _after_rejection(self, view: TurnView, plan: Plan, verdict: PlanDecided) -> Action:
        if _told_since(view):
            return self._ask_for_plan(HEED)
        if not verdict.reason or plan.revision >= MOST_PLANS:
            return Finish(NOT_CONTINUED if view.executed() else NOT_FOLLOWED)
        return self._ask_for_plan(f"\nThe user rejected your last plan: {verdict.reason}\n")

    def _next_step(self, view: TurnView, plan: Plan, current: PlanStep | None) -> Action:
        over = current is None or len(plan.steps) == 1  # a plan of one step ends with the words of that step
        if over and view.acted is None and _told_since(view):
            return self._ask_for_plan(HEED)
        if current is None:
            return AskModel("answer", offers_tools=False, instructions=self._prompts.text("answer"))
        return self._act(plan, current) if view.acted is None else StartStep()

    def _act(self, plan: Plan, current: PlanStep) -> AskModel:
        number = plan.steps.index(current) + 1
        listed = "\n".join(
            f"{position}. {step.text}{' (done)' if step.done else ''}"
            for position, step in enumerate(plan.steps, start=1)
        )
        text = self._prompts.render("plan_step", plan=listed, number=number, current=current.text)
        return AskModel("act", instructions=text)

    def _after_calls(self, view: TurnView, plan: Plan) -> Action:
        results = view.results_of_batch()
        if not all(result.is_error for result in results):
            return StartStep()
        if plan.revision >= MOST_PLANS:
            return Finish(GIVEN_UP)
        told = "; ".join(f"{result.name}: {result.content[:500]}" for result in results)
        return self._ask_for_plan(f"\nThe last plan failed here: {told}\nPlan what is left to do.\n")

    def _after_words(self, said: str, plan: Plan, current: PlanStep | None) -> Action:
        """Words without a call end a step of the plan; after the last one they are the answer."""
        if current is None or len(plan.steps) == 1:
            return Finish(said)
        position = plan.steps.index(current)
        steps = (*plan.steps[:position], replace(current, done=True), *plan.steps[position + 1 :])
        return Note((Plan(plan.revision, steps),))


def _told_since(view: TurnView) -> bool:
    """Whether the user has steered since the present plan was made."""
    for event in reversed(view.events):
        if isinstance(event, Plan):
            return False
        if isinstance(event, Steered):
            return True
    return False


def _follows(plan: Plan, verdict: PlanDecided) -> bool:
    """Whether the plan already holds the user's changes."""
    return plan.revision > verdict.revision or tuple(step.text for step in plan.steps) == verdict.steps


def _steps(reply: ModelReply) -> tuple[PlanStep, ...]:
    """Read the steps from a JSON object, else from a JSON list, else from a list in the text."""
    listed = read_control(reply, None, PLAN_KEYS).decision.get("steps")
    if not isinstance(listed, list):
        listed = read_list(reply)
    if listed:
        texts = [text_of(item, "text") if isinstance(item, dict) else str(item) for item in listed]
    else:
        texts = [match.group(1) for line in reply.text.splitlines() if (match := _ITEM.match(line))]
    return tuple(PlanStep(text.strip()) for text in texts if text.strip())[:MOST_STEPS]
