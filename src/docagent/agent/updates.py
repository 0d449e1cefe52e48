"""A turn as updates for a chat client: the frames of the WebSocket, and the events of the loop in a program.

The only file that knows which event becomes which frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docagent.agent import frames
from docagent.agent.display import for_display, shown, shown_arguments
from docagent.agent.frames import TokenStream, TurnFrame, Update
from docagent.domain.turns import events

Frame = dict[str, Any]

SERVER_NAME = "docagent"
ASKED_AGAIN = "The model's reply was empty, so it is asked once more."


class AgentUpdates:
    """Takes the items of a turn in order and gives the frames for each.

    Every frame but a piece of text carries the number of its event and its place among the frames of that event:
    the two say exactly what a client has seen. They are the same whether the text came in pieces or whole.
    """

    def __init__(self) -> None:
        self._step = 0
        self._speaking = False
        self._said = ""
        self._agent_mode = True
        self._calls: dict[str, str] = {}

    def frames(self, item: events.Recorded | events.Delta) -> Iterator[Frame]:
        if isinstance(item, events.Delta):
            for frame in self._delta(item):
                yield {**frame}
            return
        part = 0
        for frame in self._event(item.event):
            if frame["type"] == "token_stream" and not frame["is_last"]:
                yield {**frame}
                continue
            yield {**frame, "seq": item.seq, "part": part}
            part += 1

    def _delta(self, delta: events.Delta) -> Iterator[TurnFrame]:
        """Frames for a piece of the answer. Clients get calls and the texts of other phases whole, once known."""
        if delta.phase != "act" or delta.kind == "call":
            return
        if delta.kind == "thinking":
            yield frames.ThinkingStream(type="thinking_stream", token=delta.text)
        else:
            yield self._token(delta.text)

    def _event(self, event: events.Event) -> Iterator[TurnFrame]:
        match event:
            case events.AssistantMessage():
                yield from self._whole(event.text)
            case events.ContextTrimmed() | events.AskedAgain():
                yield _warning(event)
            case events.ApprovalRequested():
                for call in event.calls:
                    if call.asks:
                        yield _approval(call)
            case events.ApprovalDecided():
                yield frames.ApprovalDecision(
                    type="tool_approval_decided",
                    tool_call_id=event.call_id,
                    approved=event.approved,
                    reason=event.reason,
                )
            case events.ToolStarted() | events.ToolProgress() | events.ToolFinished():
                yield self._tool(event)
            case events.Completed() | events.LimitReached() | events.Stopped() | events.Failed():
                yield from self._end(event)
            case _:
                update = self._update(event)
                if update is not None and self._agent_mode:
                    yield update

    def _update(self, event: events.Event) -> Update | None:
        """Frames about what the agent is doing. Plain chat has none."""
        match event:
            case events.TurnStarted():
                self._agent_mode = event.terms.agent_mode
                return frames.AgentStart(
                    type="agent_update",
                    update_type="agent_start",
                    max_steps=event.max_steps,
                    strategy=event.strategy,
                )
            case events.StepStarted():
                self._step = event.step
                return frames.AgentTurnStart(
                    type="agent_update", update_type="agent_turn_start", step=event.step
                )
            case events.Reason():
                return frames.AgentReason(
                    type="agent_update",
                    update_type="agent_reason",
                    content=event.text,
                    message=event.text,
                    step=event.step,
                )
            case events.Observe():
                return frames.AgentObserve(
                    type="agent_update",
                    update_type="agent_observe",
                    content=event.text,
                    message=event.text,
                    step=event.step,
                )
            case events.Plan():
                return frames.AgentPlan(
                    type="agent_update",
                    update_type="agent_plan",
                    steps=[frames.PlanStepShown(text=step.text, done=step.done) for step in event.steps],
                    revision=event.revision,
                    waits=event.waits,
                )
            case events.Steered():
                return frames.AgentSteered(
                    type="agent_update", update_type="agent_steered", message=event.text, step=self._step
                )
            case events.InputRequested():
                return frames.AgentRequestInput(
                    type="agent_update",
                    update_type="agent_request_input",
                    question=event.question,
                    choices=list(event.choices),
                    step=self._step,
                )
            case events.InputTimedOut():
                return frames.AgentRequestInputTimeout(
                    type="agent_update", update_type="agent_request_input_timeout", question=event.question
                )
            case _:
                return None

    def _tool(self, event: events.ToolStarted | events.ToolProgress | events.ToolFinished) -> TurnFrame:
        match event:
            case events.ToolStarted():
                self._calls[event.call_id] = for_display(event.name)
                return frames.ToolStart(
                    type="tool_start",
                    tool_call_id=event.call_id,
                    tool_name=for_display(event.name),
                    server_name=SERVER_NAME,
                    arguments=shown_arguments(event.arguments),
                )
            case events.ToolProgress():
                return frames.ToolProgressed(
                    type="tool_progress",
                    tool_call_id=event.call_id,
                    tool_name=self._calls.get(event.call_id, ""),
                    progress=event.done,
                    total=event.total,
                    percentage=round(100 * event.done / event.total) if event.total else 0,
                    message=for_display(event.message),
                )
            case events.ToolFinished() if event.is_error:
                return frames.ToolError(
                    type="tool_error",
                    tool_call_id=event.call_id,
                    tool_name=for_display(event.name),
                    error=for_display(event.summary or event.content),
                )
            case events.ToolFinished():
                return frames.ToolComplete(
                    type="tool_complete",
                    tool_call_id=event.call_id,
                    tool_name=for_display(event.name),
                    success=True,
                    result=for_display(event.content),
                    summary=for_display(event.summary),
                )

    def _end(
        self, event: events.Completed | events.LimitReached | events.Stopped | events.Failed
    ) -> Iterator[TurnFrame]:
        """Frames for the end: text that was not sent yet, how the turn ended, and that nothing more comes."""
        told_below = isinstance(event, events.LimitReached) and self._agent_mode
        if self._speaking or (event.text != self._said and not told_below):
            yield from self._whole(event.text)
        if isinstance(event, events.Completed) and event.shortfall is not None:
            yield frames.Warned(type="warning", message=event.note, code=event.shortfall.value)
        for update in self._ended(event):
            if self._agent_mode or update["update_type"] == "agent_error":
                yield update
        yield frames.ResponseComplete(type="response_complete")

    def _ended(
        self, event: events.Completed | events.LimitReached | events.Stopped | events.Failed
    ) -> Iterator[Update]:
        match event:
            case events.Completed():
                yield frames.AgentCompletion(
                    type="agent_update", update_type="agent_completion", steps=event.steps
                )
            case events.LimitReached():
                yield frames.AgentMaxSteps(
                    type="agent_update",
                    update_type="agent_max_steps",
                    message=event.text,
                    limit=event.limit.value,
                )
                yield frames.AgentCompletion(
                    type="agent_update", update_type="agent_completion", steps=self._step
                )
            case events.Stopped():
                yield frames.AgentStopped(
                    type="agent_update",
                    update_type="agent_stopped",
                    reason=event.reason,
                    kept=[for_display(line) for line in event.kept],
                )
            case events.Failed():
                yield frames.AgentError(
                    type="agent_update",
                    update_type="agent_error",
                    message=event.error,
                    error_type=event.code,
                )

    def _whole(self, text: str) -> Iterator[TurnFrame]:
        """Close a text that was sent in pieces, or send one that was not in one piece."""
        self._said = text
        if text and not self._speaking:
            yield self._token(text)
        if self._speaking:
            yield TokenStream(type="token_stream", token="", is_first=False, is_last=True)
        self._speaking = False

    def _token(self, text: str) -> TokenStream:
        first, self._speaking = not self._speaking, True
        return TokenStream(type="token_stream", token=text, is_first=first, is_last=False)


def _warning(event: events.ContextTrimmed | events.AskedAgain) -> frames.Warned:
    message = ASKED_AGAIN
    if isinstance(event, events.ContextTrimmed):
        message = f"{event.dropped_messages} older messages were left out of what the model sees."
    return frames.Warned(type="warning", message=message, code=event.type.value)


def _approval(call: events.RequestedCall) -> frames.ApprovalRequest:
    return frames.ApprovalRequest(
        type="tool_approval_request",
        tool_call_id=call.id,
        tool_name=for_display(call.name),
        arguments=shown_arguments(call.arguments),
        summary=for_display(call.summary),
        preview=shown(call.preview),
        allow_edit=True,
        admin_required=call.by_policy,
    )
