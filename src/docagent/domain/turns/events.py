"""What can happen in a turn: the append-only log from which every other view is folded.

An event is written once, numbered within its turn from 1, and never changed. Its class is its type, its fields
are its payload. `Delta`s are shown as they arrive and are not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Literal

from docagent.domain.json_objects import from_json
from docagent.domain.models.llm import TextPart, ThinkingPart, ToolCall, Usage, calls_of, text_of, thinking_of
from docagent.domain.proposals import Rehearsal
from docagent.domain.shown import plain

ReplyPart = TextPart | ThinkingPart | ToolCall


class EventType(StrEnum):
    TURN_STARTED = "turn_started"
    USER_MESSAGE = "user_message"
    STEP_STARTED = "step_started"
    REASON = "reason"
    ASSISTANT_MESSAGE = "assistant_message"
    APPROVAL_REQUESTED = "approval_requested"
    APPROVAL_DECIDED = "approval_decided"
    APPROVAL_EXPIRED = "approval_expired"
    TOOL_STARTED = "tool_started"
    TOOL_PROGRESS = "tool_progress"
    TOOL_RESULT = "tool_result"
    OBSERVE = "observe"
    PLAN = "plan"
    PLAN_DECIDED = "plan_decided"
    STEERED = "steered"
    CONTEXT_TRIMMED = "context_trimmed"
    INPUT_REQUESTED = "input_requested"
    INPUT_GIVEN = "input_given"
    INPUT_TIMED_OUT = "input_timed_out"
    USAGE = "usage"
    ASKED_AGAIN = "asked_again"
    UNDONE = "undone"
    STOPPED = "stopped"
    LIMIT_REACHED = "limit_reached"
    FAILED = "failed"
    COMPLETED = "completed"


class Limit(StrEnum):
    """What a turn may run out of."""

    STEPS = "steps"
    TIME = "time"
    TOKENS = "tokens"
    CREDITS = "credits"
    CALLS_OF_STEP = "calls_per_step"
    CALLS_OF_TURN = "calls_per_turn"


class Shortfall(StrEnum):
    """What a reply of the model lacks."""

    EMPTY = "empty"
    CUT_OFF = "cut_off"
    """It reached the most tokens that one reply may have."""
    FILTERED = "filtered"
    """The provider held it back, or a part of it, under its content rules."""


class GrantKind(StrEnum):
    """Why a call was allowed to run."""

    READ_ONLY = "read_only"
    ORGANIZATION = "organization_rule"
    REMEMBERED = "remembered_rule"
    REQUEST = "request"
    USER = "user"
    PROPOSAL = "proposal"
    """It prepares something that a person accepts or rejects as a whole."""
    ACT = "act"
    """The user asked for it over `POST /api/agent/act`, and nothing is lost by it."""
    LOOP = "loop"
    """A tool of the loop itself, such as a question to the user; it touches nothing."""


@dataclass(frozen=True, slots=True)
class Grant:
    kind: GrantKind
    rule_id: str | None = None
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that the user named with @ in a message."""

    type: Literal["schema", "prompt", "tag", "document", "living_document"]
    id: str


@dataclass(frozen=True, slots=True)
class TurnTerms:
    """What a message asks of its turn. The log keeps it as it was asked."""

    auto_approve: bool = False
    auto_approved_tools: tuple[str, ...] = ()
    selected_tools: tuple[str, ...] | None = None
    """Only these tools are offered; None offers all."""
    mentions: tuple[Mention, ...] = ()
    data_sources: tuple[str, ...] = ()
    agent_mode: bool = True
    """False means plain chat: the loop has no tools of its own, such as questions to the user."""
    temperature: float | None = None
    open_document_id: str | None = None
    """The living document that the user has open beside the conversation: what "this document" means."""
    proposes: bool = False
    """No person is in the loop: what is made is a proposal, which a person accepts or rejects as a whole."""
    acts: bool = False
    """The message is the yes to creating documents in the project and to changing them without a loss."""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The terms on which a turn runs. They never change while it does."""

    type: ClassVar[EventType] = EventType.TURN_STARTED
    model: str
    strategy: str
    max_steps: int
    terms: TurnTerms = field(default_factory=TurnTerms)
    """In the payload, the fields of the terms stand beside the others."""
    files: tuple[str, ...] = ()
    """What the turn is about, a line for each file."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """Working state at the start, taken over from the thread."""
    history: tuple[Mapping[str, Any], ...] = ()
    """What the client sent as the conversation so far, cleaned; empty when the thread is the history."""
    proposal_id: str | None = None
    """The proposal that the turn prepares or refines: it sees and changes what is proposed."""

    @property
    def rehearsal(self) -> Rehearsal | None:
        return Rehearsal(self.proposal_id, headless=self.terms.proposes) if self.proposal_id else None


@dataclass(frozen=True, slots=True)
class UserMessage:
    type: ClassVar[EventType] = EventType.USER_MESSAGE
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What a client that put the message into the conversation keeps with it."""


@dataclass(frozen=True, slots=True)
class StepStarted:
    type: ClassVar[EventType] = EventType.STEP_STARTED
    step: int


@dataclass(frozen=True, slots=True)
class Reason:
    """What the model thinks should be done, before it acts (strategies with that phase)."""

    type: ClassVar[EventType] = EventType.REASON
    step: int
    text: str
    decision: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observe:
    """What the model makes of the results, after it acted (strategies with that phase)."""

    type: ClassVar[EventType] = EventType.OBSERVE
    step: int
    text: str
    decision: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """A reply of the model: text, thinking and calls, in its order, exactly as it goes back to the provider."""

    type: ClassVar[EventType] = EventType.ASSISTANT_MESSAGE
    step: int
    parts: tuple[ReplyPart, ...]
    model: str
    closing: bool = False
    """Whether this is the closing answer, which is asked for without tools once a limit is reached."""

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def thinking(self) -> str:
        return thinking_of(self.parts)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return calls_of(self.parts)


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A call that waits with its batch."""

    id: str
    name: str
    arguments: str
    summary: str
    """What would happen, in words for people."""
    preview: Mapping[str, Any] | None = None
    basis: str | None = None
    """The state that the preview was made against. If that state has changed, the user is asked again."""
    asks: bool = True
    """False for a call that needs no verdict and waits only because its batch does."""
    by_policy: bool = False
    """Whether the organisation's policy asks for the verdict. No rule of the user's own can change that."""

    def __post_init__(self) -> None:
        _make_plain(self)


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    type: ClassVar[EventType] = EventType.APPROVAL_REQUESTED
    calls: tuple[RequestedCall, ...]


@dataclass(frozen=True, slots=True)
class ApprovalDecided:
    """The verdict on one call. `arguments` are there when the user changed them."""

    type: ClassVar[EventType] = EventType.APPROVAL_DECIDED
    call_id: str
    approved: bool
    user_id: str
    arguments: str | None = None
    reason: str | None = None
    rule_id: str | None = None
    """The rule that the user asked us to remember with this verdict."""
    hunks: tuple[int, ...] | None = None
    """The hunks of the preview that the user accepted, by number; None for all."""


@dataclass(frozen=True, slots=True)
class ApprovalExpired:
    type: ClassVar[EventType] = EventType.APPROVAL_EXPIRED
    call_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call begins to run, with the arguments that really run and the reason why it may."""

    type: ClassVar[EventType] = EventType.TOOL_STARTED
    call_id: str
    name: str
    arguments: str
    grant: Grant


@dataclass(frozen=True, slots=True)
class ToolProgress:
    type: ClassVar[EventType] = EventType.TOOL_PROGRESS
    call_id: str
    done: int
    total: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """The result of a call, committed together with its effect. `content` is the JSON text that the model gets."""

    type: ClassVar[EventType] = EventType.TOOL_RESULT
    call_id: str
    name: str
    content: str
    is_error: bool = False
    ran: bool = True
    """False when the call was refused, stopped or broken, so that nothing happened."""
    summary: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    """What the call changed in the working state."""
    undo: Mapping[str, Any] | None = None
    """What undoing it needs; None when there is nothing to undo."""
    milliseconds: int = 0
    credits: int = 0

    def __post_init__(self) -> None:
        _make_plain(self)


@dataclass(frozen=True, slots=True)
class PlanStep:
    text: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that the model proposes. `revision` counts re-planning from 1."""

    type: ClassVar[EventType] = EventType.PLAN
    revision: int
    steps: tuple[PlanStep, ...]
    waits: bool = False
    """The plan needs the user's verdict before it is followed."""


@dataclass(frozen=True, slots=True)
class PlanDecided:
    type: ClassVar[EventType] = EventType.PLAN_DECIDED
    revision: int
    approved: bool
    user_id: str
    steps: tuple[str, ...] | None = None
    """The steps as the user changed them."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Steered:
    """A message that the user sent while the agent ran, taken in at a step."""

    type: ClassVar[EventType] = EventType.STEERED
    text: str
    user_id: str


@dataclass(frozen=True, slots=True)
class ContextTrimmed:
    """What was left out of what the model sees. The log keeps everything."""

    type: ClassVar[EventType] = EventType.CONTEXT_TRIMMED
    dropped_messages: int
    dropped_tokens: int
    kept_tokens: int


@dataclass(frozen=True, slots=True)
class InputRequested:
    type: ClassVar[EventType] = EventType.INPUT_REQUESTED
    question: str
    call_id: str | None = None
    choices: tuple[str, ...] = ()
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class InputGiven:
    type: ClassVar[EventType] = EventType.INPUT_GIVEN
    text: str
    user_id: str


@dataclass(frozen=True, slots=True)
class InputTimedOut:
    type: ClassVar[EventType] = EventType.INPUT_TIMED_OUT
    question: str


@dataclass(frozen=True, slots=True)
class UsageCounted:
    """One model call: what it used and what it cost. Committed with its reply."""

    type: ClassVar[EventType] = EventType.USAGE
    model: str
    purpose: str
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = 0
    credits: int = 0
    cost: float = 0
    milliseconds: int = 0
    shortfall: Shortfall | None = None
    """What the reply lacked; None if it was whole."""

    @property
    def usage(self) -> Usage:
        return Usage(self.input_tokens, self.output_tokens, self.cached_input_tokens)


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A reply was empty, so the model is asked once more. Its usage stands before this event."""

    type: ClassVar[EventType] = EventType.ASKED_AGAIN
    step: int
    purpose: str


@dataclass(frozen=True, slots=True)
class Undone:
    type: ClassVar[EventType] = EventType.UNDONE
    call_id: str
    user_id: str
    summary: str

    def __post_init__(self) -> None:
        _make_plain(self)


@dataclass(frozen=True, slots=True)
class Stopped:
    """`kept` says in words what had been done; `text` is what the model had said of its unfinished reply."""

    type: ClassVar[EventType] = EventType.STOPPED
    reason: Literal["user", "input_timed_out", "approval_expired"]
    user_id: str | None = None
    kept: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class LimitReached:
    type: ClassVar[EventType] = EventType.LIMIT_REACHED
    limit: Limit
    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    type: ClassVar[EventType] = EventType.FAILED
    error: str
    code: str
    text: str = ""
    """The part of an unfinished reply that had arrived."""


@dataclass(frozen=True, slots=True)
class Completed:
    type: ClassVar[EventType] = EventType.COMPLETED
    text: str
    """The answer; if the model gave none, the note."""
    steps: int
    shortfall: Shortfall | None = None
    """What the answer lacks, for programs; None if it is whole."""
    note: str = ""
    """What the answer lacks and what to do about it, for people."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What a client that put the answer into the conversation keeps with it."""


Event = (
    TurnStarted
    | UserMessage
    | StepStarted
    | Reason
    | Observe
    | AssistantMessage
    | ApprovalRequested
    | ApprovalDecided
    | ApprovalExpired
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | Plan
    | PlanDecided
    | Steered
    | ContextTrimmed
    | InputRequested
    | InputGiven
    | InputTimedOut
    | UsageCounted
    | AskedAgain
    | Undone
    | Stopped
    | LimitReached
    | Failed
    | Completed
)

Terminal = Stopped | LimitReached | Failed | Completed


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its number in the turn."""

    seq: int
    at: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply that is still arriving. `step` and `phase` say where it belongs."""

    kind: Literal["text", "thinking", "call"]
    text: str
    step: int
    phase: Literal["act", "reason", "observe", "plan"] = "act"
    call: int = 0
    """Of a piece of a call, whose text is JSON: which call of the reply it is, counted from 0."""
    begins: str | None = None
    """The tool's name, in the first piece of a call. A call that begins again takes the place of the former pieces."""

    def followed_by(self, other: Delta) -> Delta | None:
        """Both as one piece; None if the other is not the next piece of the same text."""
        is_next = (
            other.begins is None
            and self.kind == other.kind
            and self.step == other.step
            and self.phase == other.phase
            and self.call == other.call
        )
        if not is_next:
            return None
        return Delta(self.kind, self.text + other.text, self.step, self.phase, self.call, self.begins)


def payload_fields(cls: Any) -> Iterator[Field[Any]]:
    """Yield the fields that the payload of an event of this class holds."""
    for item in fields(cls):
        yield from fields(TurnTerms) if item.name == "terms" else (item,)


def payload(event: Event) -> dict[str, Any]:
    """The fields of an event as JSON values."""
    values = {item.name: getattr(event, item.name) for item in fields(event)}
    if isinstance(event, TurnStarted):
        terms = values.pop("terms")
        values |= {item.name: getattr(terms, item.name) for item in fields(terms)}
    if isinstance(event, AssistantMessage):
        values["parts"] = [_part_json(part) for part in event.parts]
    if isinstance(event, InputRequested) and event.expires_at is not None:
        values["expires_at"] = event.expires_at.isoformat()
    return values


def decode(kind: str, values: Mapping[str, Any]) -> Event:
    """An event from its stored fields. Fields that this version does not know are left out."""
    if kind == EventType.TURN_STARTED:
        values = {**values, "terms": values}
    if kind == EventType.ASSISTANT_MESSAGE:
        values = {**values, "parts": map(_part, values["parts"])}
    event: Event = _reader(kind)(values)
    return event


@cache
def _reader(kind: str) -> Callable[[Mapping[str, Any]], Any]:
    return from_json(_CLASSES[kind])


def _part_json(part: ReplyPart) -> dict[str, Any]:
    match part:
        case TextPart():
            return {"type": "text", "text": part.text}
        case ThinkingPart():
            written: dict[str, Any] = {"type": "thinking", "text": part.text}
            if part.signature is not None:
                written["signature"] = part.signature
            if part.redacted is not None:
                written["redacted"] = part.redacted
            return written
        case ToolCall():
            written = {"type": "call", "id": part.id, "name": part.name, "arguments": part.arguments}
            if part.signature is not None:
                written["signature"] = part.signature
            return written


def _part(values: Mapping[str, Any]) -> ReplyPart:
    match values["type"]:
        case "text":
            return TextPart(values["text"])
        case "thinking":
            return ThinkingPart(values["text"], values.get("signature"), values.get("redacted"))
        case _:
            return ToolCall(values["id"], values["name"], values["arguments"], values.get("signature"))


def _make_plain(event: RequestedCall | ToolFinished | Undone) -> None:
    """Whoever made the summary, nothing hidden is in it, also where an earlier version stored it."""
    object.__setattr__(event, "summary", plain(event.summary))


_CLASSES: dict[str, Any] = {cls.type.value: cls for cls in Event.__args__}
