"""A turn as typed updates, for whoever follows it: programs that embed the loop, and the WebSocket.

The only file that knows which event becomes which update. Every update has a `name`; programs and clients see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from docagent.agent.display import for_display, shown, shown_arguments
from docagent.domain.turns import events

SERVER_NAME = "docagent"
ASKED_AGAIN = "The model's reply was empty, so it is asked once more."


@dataclass(frozen=True, slots=True)
class Update:
    """Something that happened in a turn, fit to be shown to a person."""

    name: ClassVar[str]

    def payload(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


class AgentUpdate(Update):
    """What the agent is doing. Plain chat has none of these but errors."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AgentStart(AgentUpdate):
    name = "agent_start"
    max_steps: int
    strategy: str


@dataclass(frozen=True, slots=True)
class AgentTurnStart(AgentUpdate):
    name = "agent_turn_start"
    step: int


@dataclass(frozen=True, slots=True)
class AgentReason(AgentUpdate):
    """`message` repeats `content` for older clients."""

    name = "agent_reason"
    content: str
    message: str
    step: int


@dataclass(frozen=True, slots=True)
class AgentObserve(AgentUpdate):
    name = "agent_observe"
    content: str
    message: str
    step: int


@dataclass(frozen=True, slots=True)
class AgentPlan(AgentUpdate):
    """`steps` have `text` and `done`."""

    name = "agent_plan"
    steps: Sequence[Mapping[str, Any]]
    revision: int
    waits: bool


@dataclass(frozen=True, slots=True)
class AgentSteered(AgentUpdate):
    name = "agent_steered"
    message: str
    step: int


@dataclass(frozen=True, slots=True)
class AgentRequestInput(AgentUpdate):
    name = "agent_request_input"
    question: str
    choices: Sequence[str]
    step: int


@dataclass(frozen=True, slots=True)
class AgentRequestInputTimeout(AgentUpdate):
    name = "agent_request_input_timeout"
    question: str


@dataclass(frozen=True, slots=True)
class AgentMaxSteps(AgentUpdate):
    name = "agent_max_steps"
    message: str
    limit: str


@dataclass(frozen=True, slots=True)
class AgentStopped(AgentUpdate):
    name = "agent_stopped"
    reason: str
    kept: Sequence[str]


@dataclass(frozen=True, slots=True)
class AgentCompletion(AgentUpdate):
    name = "agent_completion"
    steps: int


@dataclass(frozen=True, slots=True)
class AgentError(AgentUpdate):
    name = "agent_error"
    message: str
    error_type: str


@dataclass(frozen=True, slots=True)
class TokenStream(Update):
    name = "token_stream"
    token: str
    is_first: bool
    is_last: bool


@dataclass(frozen=True, slots=True)
class ThinkingStream(Update):
    name = "thinking_stream"
    token: str


@dataclass(frozen=True, slots=True)
class ToolApprovalRequest(Update):
    name = "tool_approval_request"
    tool_call_id: str
    tool_name: str
    arguments: Any
    summary: str
    preview: Mapping[str, Any] | None
    admin_required: bool
    allow_edit: bool = True


@dataclass(frozen=True, slots=True)
class ToolApprovalDecided(Update):
    name = "tool_approval_decided"
    tool_call_id: str
    approved: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class ToolStart(Update):
    name = "tool_start"
    tool_call_id: str
    tool_name: str
    arguments: Any
    server_name: str = SERVER_NAME


@dataclass(frozen=True, slots=True)
class ToolProgress(Update):
    name = "tool_progress"
    tool_call_id: str
    tool_name: str
    progress: int
    total: int
    percentage: int
    message: str


@dataclass(frozen=True, slots=True)
class ToolComplete(Update):
    name = "tool_complete"
    tool_call_id: str
    tool_name: str
    success: bool
    result: str
    summary: str


@dataclass(frozen=True, slots=True)
class ToolError(Update):
    name = "tool_error"
    tool_call_id: str
    tool_name: str
    error: str


@dataclass(frozen=True, slots=True)
class Warned(Update):
    name = "warning"
    message: str
    code: str


@dataclass(frozen=True, slots=True)
class ResponseComplete(Update):
    name = "response_complete"


@dataclass(slots=True)
class AgentUpdates:
    """Takes the items of a turn in order and gives the updates for each.

    They are the same whether the text came in pieces or whole.
    """

    _step: int = 0
    _speaking: bool = False
    _said: str = ""
    _agent_mode: bool = True
    _calls: dict[str, str] = field(default_factory=dict)

    def of(self, item: events.Recorded | events.Delta) -> Iterator[Update]:
        return self._delta(item) if isinstance(item, events.Delta) else self._event(item.event)

    def _delta(self, delta: events.Delta) -> Iterator[Update]:
        """Updates for a piece of the answer. Calls and the texts of other phases come whole, once known."""
        if delta.phase != "act" or delta.kind == "call":
            return
        yield ThinkingStream(delta.text) if delta.kind == "thinking" else self._token(delta.text)

    def _event(self, event: events.Event) -> Iterator[Update]:
        match event:
            case events.AssistantMessage():
                yield from self._whole(event.text)
            case events.ContextTrimmed():
                dropped = f"{event.dropped_messages} older messages were left out of what the model sees."
                yield Warned(dropped, event.type.value)
            case events.AskedAgain():
                yield Warned(ASKED_AGAIN, event.type.value)
            case events.ApprovalRequested():
                yield from (_approval(call) for call in event.calls if call.asks)
            case events.ApprovalDecided():
                yield ToolApprovalDecided(event.call_id, event.approved, event.reason)
            case events.ToolStarted() | events.ToolProgress() | events.ToolFinished():
                yield self._tool(event)
            case events.Completed() | events.LimitReached() | events.Stopped() | events.Failed():
                yield from self._end(event)
            case _:
                update = self._update(event)
                if update is not None and self._agent_mode:
                    yield update

    def _update(self, event: events.Event) -> AgentUpdate | None:
        match event:
            case events.TurnStarted():
                self._agent_mode = event.terms.agent_mode
                return AgentStart(event.max_steps, event.strategy)
            case events.StepStarted():
                self._step = event.step
                return AgentTurnStart(event.step)
            case events.Reason():
                return AgentReason(event.text, event.text, event.step)
            case events.Observe():
                return AgentObserve(event.text, event.text, event.step)
            case events.Plan():
                steps = [{"text": step.text, "done": step.done} for step in event.steps]
                return AgentPlan(steps, event.revision, event.waits)
            case events.Steered():
                return AgentSteered(event.text, self._step)
            case events.InputRequested():
                return AgentRequestInput(event.question, event.choices, self._step)
            case events.InputTimedOut():
                return AgentRequestInputTimeout(event.question)
            case _:
                return None

    def _tool(self, event: events.ToolStarted | events.ToolProgress | events.ToolFinished) -> Update:
        if isinstance(event, events.ToolProgress):
            percentage = round(100 * event.done / event.total) if event.total else 0
            name = self._calls.get(event.call_id, "")
            message = for_display(event.message)
            return ToolProgress(event.call_id, name, event.done, event.total, percentage, message)
        name = for_display(event.name)
        if isinstance(event, events.ToolStarted):
            self._calls[event.call_id] = name
            return ToolStart(event.call_id, name, shown_arguments(event.arguments))
        if event.is_error:
            return ToolError(event.call_id, name, for_display(event.summary or event.content))
        result, summary = for_display(event.content), for_display(event.summary)
        return ToolComplete(event.call_id, name, success=True, result=result, summary=summary)

    def _end(
        self, event: events.Completed | events.LimitReached | events.Stopped | events.Failed
    ) -> Iterator[Update]:
        """Updates for the end: text that was not sent yet, how the turn ended, and that nothing more comes."""
        told_below = isinstance(event, events.LimitReached) and self._agent_mode
        if self._speaking or (event.text != self._said and not told_below):
            yield from self._whole(event.text)
        if isinstance(event, events.Completed) and event.shortfall is not None:
            yield Warned(event.note, event.shortfall.value)
        for update in self._ended(event):
            if self._agent_mode or isinstance(update, AgentError):
                yield update
        yield ResponseComplete()

    def _ended(
        self, event: events.Completed | events.LimitReached | events.Stopped | events.Failed
    ) -> Iterator[AgentUpdate]:
        match event:
            case events.Completed():
                yield AgentCompletion(event.steps)
            case events.LimitReached():
                yield AgentMaxSteps(event.text, event.limit.value)
                yield AgentCompletion(self._step)
            case events.Stopped():
                yield AgentStopped(event.reason, [for_display(line) for line in event.kept])
            case events.Failed():
                yield AgentError(event.error, event.code)

    def _whole(self, text: str) -> Iterator[Update]:
        """Close a text that was sent in pieces, or send one that was not in one piece."""
        self._said = text
        if text and not self._speaking:
            yield self._token(text)
        if self._speaking:
            yield TokenStream("", is_first=False, is_last=True)
        self._speaking = False

    def _token(self, text: str) -> TokenStream:
        first, self._speaking = not self._speaking, True
        return TokenStream(text, is_first=first, is_last=False)


def _approval(call: events.RequestedCall) -> ToolApprovalRequest:
    return ToolApprovalRequest(
        tool_call_id=call.id,
        tool_name=for_display(call.name),
        arguments=shown_arguments(call.arguments),
        summary=for_display(call.summary),
        preview=shown(call.preview),
        admin_required=call.by_policy,
    )
