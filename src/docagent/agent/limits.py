"""How far a turn may go."""

from __future__ import annotations

from dataclasses import dataclass

from docagent.agent.state import TurnView
from docagent.domain.turns.events import Limit

FAILURES_BEFORE_REFUSAL = 2
"""A call that failed this often with the same arguments is not run again."""

RUNS_PER_PROPOSAL = {"run_extraction": 3, "measure_accuracy": 3}
"""How often these tools run while a proposal is prepared, unwatched: once, and twice more to refine it."""


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 600
    """How long one run may take, from the message or a verdict to the next pause."""
    tokens: int = 2_000_000
    credits: int = 0
    """0 means that only the organisation's account is a limit."""
    calls_per_step: int = 20
    """Model calls of one step: the built-in strategies need three, and ask again only for what came back empty."""
    calls_per_turn: int = 200

    def reached(self, view: TurnView, seconds: float) -> Limit | None:
        """The limit that forbids another step, if one does."""
        return Limit.STEPS if view.step >= view.started.max_steps else self.used_up(view, seconds)

    def forbids_call(self, view: TurnView, seconds: float) -> Limit | None:
        """The limit that forbids another model call inside the present step, if one does."""
        if view.model_calls_in_step >= self.calls_per_step:
            return Limit.CALLS_OF_STEP
        return self.used_up(view, seconds)

    def used_up(self, view: TurnView, seconds: float) -> Limit | None:
        """The limit that forbids everything that needs the model, if one does."""
        if seconds >= self.seconds:
            return Limit.TIME
        if view.tokens >= self.tokens:
            return Limit.TOKENS
        if self.credits and view.credits >= self.credits:
            return Limit.CREDITS
        if view.model_calls >= self.calls_per_turn:
            return Limit.CALLS_OF_TURN
        return None


CLOSING: dict[Limit, str] = {
    Limit.STEPS: "You have used all the steps of this turn.",
    Limit.TIME: "The time for this turn is over.",
    Limit.TOKENS: "The tokens for this turn are used up.",
    Limit.CREDITS: "The credits for this turn are used up.",
    Limit.CALLS_OF_STEP: "The model calls of one step are used up, and it did not come to an end. What was done "
    "before is kept. The setting agent.loop.calls_per_step is the limit.",
    Limit.CALLS_OF_TURN: "The model calls of this turn are used up. What was done before is kept. "
    "The setting agent.loop.calls_per_turn is the limit.",
}
CLOSING_REQUEST = (
    "Do not call any more tools. Say in a few sentences what was done, what is still missing, and what the user "
    "can do next."
)
TOO_LATE = "Your last message came too late for this turn: send it again."
