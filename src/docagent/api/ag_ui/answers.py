"""Answers to what interrupted a run of AG-UI: each entry names the turn and what waits in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError
from pydantic.alias_generators import to_camel

from docagent.agent.state import TurnView
from docagent.api.fields import AnyJson, Hunks, JsonObject, Text
from docagent.domain.errors import InvalidInput
from docagent.domain.field_path import FieldPath
from docagent.domain.turns.events import InputRequested
from docagent.services.turns.deciding import Decision

CALL, PLAN, ANSWER = "call", "plan", "answer"
LONGEST_ANSWER = 100_000


class AgUiShape(BaseModel):
    """The protocol writes names in camel case, and clients may send more than we know."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class AgUiResumeIn(AgUiShape):
    interrupt_id: Annotated[Text, Field(max_length=1000)]
    status: Literal["resolved", "cancelled"]
    payload: AnyJson = Field(None, description="What the interrupt's `responseSchema` asks for")


class _Verdict(AgUiShape):
    approved: StrictBool
    reason: Text | None = Field(None, max_length=2000)


class _CallVerdict(_Verdict):
    edited_args: JsonObject | None = None
    always_allow: Literal["document", "project", "organization"] | None = None
    hunks: Hunks | None = None


class PlanVerdict(_Verdict):
    steps: Annotated[list[Text], Field(max_length=100)] | None = None


_Read = TypeVar("_Read", bound=_Verdict)
REJECTED: dict[str, Any] = {"approved": False}


@dataclass(frozen=True, slots=True)
class Answers:
    """What a client answered, about one turn. One of the three is there, or the question was left unanswered."""

    turn_id: str
    decisions: Sequence[Decision] = ()
    plan: PlanVerdict | None = None
    text: str | None = None

    @classmethod
    def of(cls, entries: Sequence[AgUiResumeIn]) -> Self:
        """Raises InvalidInput for entries that do not belong together or whose payload cannot be read."""
        named = [_named(entry.interrupt_id) for entry in entries]
        turn_id, what, _ = named[0]
        if any(other[:2] != (turn_id, what) for other in named) or (what != CALL and len(named) > 1):
            raise InvalidInput(
                "The entries of `resume` belong to different interrupts. Answer those of one run."
            )
        if what == CALL:
            return cls(
                turn_id,
                decisions=[_decision(call, entry) for (*_, call), entry in zip(named, entries, strict=True)],
            )
        entry = entries[0]
        if what == PLAN:
            return cls(turn_id, plan=_verdict(PlanVerdict, entry))
        return cls(turn_id, text=_text(entry.payload) if entry.status == "resolved" else None)


def waiting_ids(turn_id: str, view: TurnView) -> list[str]:
    """The ids of everything that the turn waits for. What is asked again has another id, so no late answer hits it."""
    if view.undecided:
        return [f"{turn_id}:{CALL}:{call.id}" for call in view.undecided]
    if view.waits_for_plan and view.plan is not None:
        return [f"{turn_id}:{PLAN}:{view.plan.revision}"]
    if view.is_waiting and view.question_to_user is not None:
        return [f"{turn_id}:{ANSWER}:{sum(isinstance(event, InputRequested) for event in view.events)}"]
    return []


def _named(interrupt_id: str) -> tuple[str, str, str]:
    turn_id, _, rest = interrupt_id.partition(":")
    what, _, call_id = rest.partition(":")
    if what not in (CALL, PLAN, ANSWER):
        raise InvalidInput(
            f"No interrupt has this id: {interrupt_id[:100]}. Send the ids of `outcome.interrupts`."
        )
    return turn_id, what, call_id


def _decision(call_id: str, entry: AgUiResumeIn) -> Decision:
    read = _verdict(_CallVerdict, entry)
    return Decision(call_id, read.approved, read.edited_args, read.reason, read.always_allow, read.hunks)


def _verdict(kind: type[_Read], entry: AgUiResumeIn) -> _Read:
    """The verdict; an interrupt that was cancelled is a no."""
    payload = REJECTED if entry.status == "cancelled" else entry.payload
    try:
        return kind.model_validate({"approved": payload} if isinstance(payload, bool) else payload)
    except ValidationError as error:
        wrong = error.errors()[0]
        place = FieldPath(wrong["loc"]).dotted
        raise InvalidInput(
            f"The payload for {entry.interrupt_id[:100]} cannot be read: {place} {wrong['msg']}. "
            'Send {"approved": true} or {"approved": false}, or more of what its `responseSchema` allows.'
        ) from error


def _text(payload: Any) -> str:
    """An answer is a text, or an object that holds it as `answer`."""
    given = payload.get("answer") if isinstance(payload, dict) else payload
    if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_ANSWER:
        raise InvalidInput(
            f"The payload of an answer is a text of at most {LONGEST_ANSWER:,} characters that is not empty."
        )
    return given
