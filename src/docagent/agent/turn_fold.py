"""Folds one turn's events into messages. history.py says what they look like."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from docagent.domain.models.llm import Message, Part, TextPart, ThinkingPart, ToolCall, ToolResult
from docagent.domain.turns import events
from docagent.domain.turns.turns import REJECTED_TEXT

GO_ON = "Go on."
"""Stands between what the model wrote in another phase and its next reply."""

EMPTY_MESSAGE = "(empty message)"
NO_CONTENT = "(no content)"

NOT_RUN = "This did not run."
WAITS = "This still waits for the user's decision. It has not run."
NOT_YET = "The user approved this, but it has not run yet."
EXPIRED = "Nobody decided about this in time, so it did not run."
INTERRUPTED = "This was interrupted before it finished. Nothing was changed."
STOPPED = "Stopped before this ran."
FAILED = "The turn failed before this ran."
UNANSWERED = "The user has not answered yet."
ANSWER_TOO_LATE = "The user did not answer in time."

_STOP_NOTES = {
    "user": "(The user stopped this here.)",
    "input_timed_out": "(Stopped here: the question was not answered in time.)",
    "approval_expired": "(Stopped here: the approval was not given in time.)",
}
_FAILURE_NOTE = "(Interrupted here by an error.)"


def can_go_back(part: Part) -> bool:
    """True for what its provider takes back: signed or redacted thinking, or a signed call."""
    match part:
        case ThinkingPart():
            return part.signature is not None or part.redacted is not None
        case ToolCall():
            return part.signature is not None
        case _:
            return False


def extend(parts: list[Part], more: Iterable[Part]) -> None:
    """Append parts. Two texts in a row are joined with a blank line: some providers know only one text per message."""
    for part in more:
        last = parts[-1] if parts else None
        if isinstance(part, TextPart) and isinstance(last, TextPart):
            parts[-1] = TextPart(f"{last.text}\n\n{part.text}")
        else:
            parts.append(part)


@dataclass(slots=True)
class _Slot:
    """The place of a call's result, with what is known about the call until the result comes."""

    call: ToolCall
    result: ToolResult | None = None
    why: str = NOT_RUN
    settled: bool = False
    """Whether `why` stays true when the turn ends."""
    answer: str | None = None

    def written(self) -> ToolResult:
        if self.result is not None:
            return self.result
        said = {"error": self.why} if self.answer is None else {"answer": self.answer}
        return ToolResult(self.call.id, json.dumps(said, ensure_ascii=False), self.answer is None)


@dataclass(slots=True)
class _Draft:
    role: Literal["user", "assistant"]
    slots: list[_Slot] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def written(self) -> Message:
        return Message(self.role, (*(slot.written() for slot in self.slots), *self.parts))


class TurnFold:
    """Takes the events of a turn in order. The history of a finished turn leaves out its thinking and its phases."""

    def __init__(self, over: bool, decided_plans: frozenset[int]) -> None:
        self._over = over
        self._decided_plans = decided_plans
        self._drafts: list[_Draft] = []
        self._in_phase = False
        self._question: events.InputRequested | None = None

    def take(self, event: events.Event) -> None:
        if take := _TAKES.get(type(event)):
            take(self, event)

    def messages(self) -> tuple[Message, ...]:
        if self._in_phase and not self._over:
            self._user(GO_ON)
        return tuple(draft.written() for draft in self._drafts)

    # What is said

    def _user(self, text: str) -> None:
        self._in_phase = False
        self._draft("user").parts.append(TextPart(text))

    def _assistant(self, *parts: Part) -> None:
        extend(self._draft("assistant").parts, parts)

    def _phase(self, text: str) -> None:
        if text.strip():
            self._assistant(TextPart(text))
            self._in_phase = True

    def _draft(self, role: Literal["user", "assistant"]) -> _Draft:
        if not self._drafts or self._drafts[-1].role != role:
            self._drafts.append(_Draft(role))
        return self._drafts[-1]

    def _slot(self, call_id: str | None) -> _Slot | None:
        """The place that waits for this result; the newest calls are looked at first."""
        for draft in reversed(self._drafts):
            for slot in draft.slots:
                if slot.call.id == call_id and slot.result is None:
                    return slot
        return None

    def _know(self, call_id: str | None, why: str, *, settled: bool = False) -> None:
        slot = self._slot(call_id)
        if slot is not None:
            slot.why, slot.settled = why, settled

    # Events

    def user_message(self, event: events.UserMessage) -> None:
        self._user(event.text if event.text.strip() else EMPTY_MESSAGE)

    def steered(self, event: events.Steered) -> None:
        if event.text.strip():
            self._user(event.text)

    def reply(self, event: events.AssistantMessage) -> None:
        parts = _past(event.parts) if self._over else _present(event.parts)
        if not parts:
            return
        thinks = any(isinstance(part, ThinkingPart) for part in parts)
        if self._in_phase or (thinks and self._drafts and self._drafts[-1].role == "assistant"):
            self._user(GO_ON)
        self._assistant(*parts)
        slots = [_Slot(part) for part in parts if isinstance(part, ToolCall)]
        if slots:
            self._drafts.append(_Draft("user", slots))

    def reason(self, event: events.Reason | events.Observe) -> None:
        if not self._over:
            self._phase(event.text)

    def plan(self, event: events.Plan) -> None:
        if not self._over or event.revision in self._decided_plans:
            steps = [f"{step.text} (done)" if step.done else step.text for step in event.steps]
            self._phase(_numbered("My plan:", steps))

    def plan_decided(self, event: events.PlanDecided) -> None:
        if not event.approved:
            self._user("I do not approve the plan." + (f" {event.reason}" if event.reason else ""))
        elif event.steps is not None:
            self._user(_numbered("Follow this plan instead:", event.steps))
        else:
            self._user("I approve the plan.")

    def approval_requested(self, event: events.ApprovalRequested) -> None:
        for call in event.calls:
            self._know(call.id, WAITS)

    def approval_decided(self, event: events.ApprovalDecided) -> None:
        if event.approved:
            self._know(event.call_id, NOT_YET)
        else:
            why = f"{REJECTED_TEXT} {event.reason}" if event.reason else REJECTED_TEXT
            self._know(event.call_id, why, settled=True)

    def approval_expired(self, event: events.ApprovalExpired) -> None:
        for call_id in event.call_ids:
            self._know(call_id, EXPIRED, settled=True)

    def tool_started(self, event: events.ToolStarted) -> None:
        self._know(event.call_id, INTERRUPTED, settled=True)

    def tool_finished(self, event: events.ToolFinished) -> None:
        slot = self._slot(event.call_id)
        if slot is not None:
            content = event.content if event.content.strip() else NO_CONTENT
            slot.result = ToolResult(event.call_id, content, event.is_error)

    def input_requested(self, event: events.InputRequested) -> None:
        self._question = event
        if event.call_id is None:
            self._in_phase = False
            choices = (f"- {choice}" for choice in event.choices)
            self._assistant(TextPart("\n".join((event.question, *choices))))
        else:
            self._know(event.call_id, UNANSWERED)

    def input_given(self, event: events.InputGiven) -> None:
        slot = self._slot(self._question.call_id) if self._question else None
        if slot is not None:
            slot.answer = event.text
        elif self._question is None or self._question.call_id is None:
            self._user(event.text if event.text.strip() else EMPTY_MESSAGE)

    def input_timed_out(self, _event: events.InputTimedOut) -> None:
        if self._question is not None and self._question.call_id is None:
            self._user("(No answer came in time.)")
        elif self._question is not None:
            self._know(self._question.call_id, ANSWER_TOO_LATE, settled=True)

    def undone(self, event: events.Undone) -> None:
        self._user(f"(The user undid a change: {event.summary})")

    def stopped(self, event: events.Stopped) -> None:
        self._end(STOPPED)
        self._broken_off(event.text, _STOP_NOTES[event.reason])

    def failed(self, event: events.Failed) -> None:
        self._end(FAILED)
        self._broken_off(event.text, _FAILURE_NOTE)

    def completed(self, event: events.Completed) -> None:
        """Add the answer, and in brackets what it lacks, so that the model knows it when the user says "go on"."""
        if event.text != event.note:
            self.ended(event)
        if event.note:
            self._broken_off("", f"({event.note})")

    def ended(self, event: events.Completed | events.LimitReached) -> None:
        """Add the final text, unless the last reply already said it."""
        if not event.text.strip() or not self._drafts:
            return
        last = self._drafts[-1]
        said = "".join(part.text for part in last.parts if isinstance(part, TextPart))
        if last.role == "user" or said.strip() not in event.text:
            self._assistant(TextPart(event.text))

    def _end(self, why: str) -> None:
        for draft in self._drafts:
            for slot in draft.slots:
                if not slot.settled:
                    slot.why = why

    def _broken_off(self, text: str, note: str) -> None:
        if self._drafts:
            self._assistant(TextPart(f"{text.rstrip()}\n\n{note}" if text.strip() else note))


_TAKES: dict[type, Callable[[TurnFold, Any], None]] = {
    events.UserMessage: TurnFold.user_message,
    events.Steered: TurnFold.steered,
    events.AssistantMessage: TurnFold.reply,
    events.Reason: TurnFold.reason,
    events.Observe: TurnFold.reason,
    events.Plan: TurnFold.plan,
    events.PlanDecided: TurnFold.plan_decided,
    events.ApprovalRequested: TurnFold.approval_requested,
    events.ApprovalDecided: TurnFold.approval_decided,
    events.ApprovalExpired: TurnFold.approval_expired,
    events.ToolStarted: TurnFold.tool_started,
    events.ToolFinished: TurnFold.tool_finished,
    events.InputRequested: TurnFold.input_requested,
    events.InputGiven: TurnFold.input_given,
    events.InputTimedOut: TurnFold.input_timed_out,
    events.Undone: TurnFold.undone,
    events.Stopped: TurnFold.stopped,
    events.Failed: TurnFold.failed,
    events.LimitReached: TurnFold.ended,
    events.Completed: TurnFold.completed,
}


def _present(parts: Iterable[events.ReplyPart]) -> list[Part]:
    """A reply as it goes back while its turn runs. Providers refuse thinking at its end, so that is dropped."""
    kept: list[Part] = [part for part in parts if not _is_void(part)]
    while kept and isinstance(kept[-1], ThinkingPart):
        kept.pop()
    return kept


def _past(parts: Iterable[events.ReplyPart]) -> list[Part]:
    kept = (part for part in parts if not isinstance(part, ThinkingPart) and not _is_void(part))
    return [replace(part, signature=None) if isinstance(part, ToolCall) else part for part in kept]


def _is_void(part: events.ReplyPart) -> bool:
    if isinstance(part, TextPart):
        return not part.text.strip()
    return isinstance(part, ThinkingPart) and not can_go_back(part)


def _numbered(title: str, lines: Iterable[str]) -> str:
    return "\n".join((title, *(f"{number}. {line}" for number, line in enumerate(lines, 1))))
