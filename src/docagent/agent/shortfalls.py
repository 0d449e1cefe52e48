"""Replies that are empty, cut off or filtered, and the note that people get with such an answer."""

from __future__ import annotations

from docagent.agent.state import TurnView
from docagent.domain.models.llm import FinishReason, ModelReply
from docagent.domain.turns.events import Completed, Shortfall

NOTES: dict[Shortfall, str] = {
    Shortfall.EMPTY: "The model gave no answer. Send the message again, or choose another model.",
    Shortfall.CUT_OFF: "The answer was cut off at the most tokens that this model writes in one reply. Ask it to go "
    "on, or ask for less at once.",
    Shortfall.FILTERED: "The provider of the model held back the answer, or a part of it, under its content rules. "
    "Change the message, or choose another model.",
}


def shortfall_of(reply: ModelReply) -> Shortfall | None:
    match reply.finish_reason:
        case FinishReason.REFUSED:
            return Shortfall.FILTERED
        case FinishReason.LENGTH:
            return Shortfall.CUT_OFF
        case _:
            return Shortfall.EMPTY if reply.is_empty else None


def is_asked_for_again(reply: ModelReply, view: TurnView) -> bool:
    """Whether to ask once more: the reply is empty, and was not refused, which would only happen again."""
    return reply.is_empty and reply.finish_reason is not FinishReason.REFUSED and not view.asked_again


def completed(text: str, view: TurnView) -> Completed:
    """The end of a turn with this answer, and what the answer lacks."""
    shortfall = view.shortfall_of_answer(text)
    if shortfall is None:
        return Completed(text, view.step)
    note = NOTES[shortfall]
    return Completed(text if text.strip() else note, view.step, shortfall, note)
