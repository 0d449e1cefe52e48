"""A turn as updates for a chat client: the frames of the WebSocket, and the events of the loop in a program.

The only file that knows these names. docs/websocket.md lists them; a test holds the page to the code.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from docagent.domain.events import (
    ApprovalDecided,
    ApprovalRequested,
    AssistantMessage,
    Completed,
    ContextTrimmed,
    Delta,
    Event,
    Failed,
    InputRequested,
    InputTimedOut,
    LimitReached,
    Observe,
    Plan,
    Reason,
    Recorded,
    RequestedCall,
    Steered,
    StepStarted,
    Stopped,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnStarted,
)

Frame = dict[str, Any]

MOST_SHOWN = 4000
SERVER_NAME = "docagent"


class AgentUpdates:
    """Takes the items of a turn in order and gives the frames for each."""

    def __init__(self) -> None:
        self._step = 0
        self._speaking = False
        self._agent_mode = True
        self._calls: dict[str, str] = {}

    def frames(self, item: Recorded | Delta) -> Iterator[Frame]:
        if isinstance(item, Delta):
            yield from self._delta(item)
            return
        for frame in self._event(item.event):
            yield {**frame, "seq": item.seq}

    def _delta(self, delta: Delta) -> Iterator[Frame]:
        if delta.phase != "act":
            return
        if delta.kind == "thinking":
            yield {"type": "thinking_stream", "token": delta.text}
            return
        yield {"type": "token_stream", "token": delta.text, "is_first": not self._speaking, "is_last": False}
        self._speaking = True

    def _event(self, event: Event) -> Iterator[Frame]:
        match event:
            case TurnStarted():
                self._agent_mode = event.agent_mode
                yield from self._update("agent_start", max_steps=event.max_steps, strategy=event.strategy)
            case StepStarted():
                self._step = event.step
                yield from self._update("agent_turn_start", step=event.step)
            case Reason() | Observe():
                kind = "agent_reason" if isinstance(event, Reason) else "agent_observe"
                yield from self._update(kind, content=event.text, message=event.text, step=event.step)
            case AssistantMessage():
                yield from self._said(event)
            case Plan():
                steps = [{"text": step.text, "done": step.done} for step in event.steps]
                yield from self._update("agent_plan", steps=steps, revision=event.revision, waits=event.waits)
            case Steered():
                yield from self._update("agent_steered", message=event.text, step=self._step)
            case InputRequested():
                choices = list(event.choices)
                yield from self._update(
                    "agent_request_input", question=event.question, choices=choices, step=self._step
                )
            case InputTimedOut():
                yield from self._update("agent_request_input_timeout", question=event.question)
            case ContextTrimmed():
                left_out = f"{event.dropped_messages} older messages were left out of what the model sees."
                yield {"type": "warning", "message": left_out}
            case _:
                yield from self._tool(event)

    def _tool(self, event: Event) -> Iterator[Frame]:
        match event:
            case ApprovalRequested():
                for call in event.calls:
                    if call.asks:
                        yield _approval(call)
            case ApprovalDecided():
                yield {
                    "type": "tool_approval_decided",
                    "tool_call_id": event.call_id,
                    "approved": event.approved,
                    "reason": event.reason,
                }
            case ToolStarted():
                self._calls[event.call_id] = event.name
                yield {
                    "type": "tool_start",
                    **_tool(event.call_id, event.name),
                    "server_name": SERVER_NAME,
                    "arguments": shown_arguments(event.arguments),
                }
            case ToolProgress():
                yield {
                    "type": "tool_progress",
                    **_tool(event.call_id, self._calls.get(event.call_id, "")),
                    "progress": event.done,
                    "total": event.total,
                    "percentage": round(100 * event.done / event.total) if event.total else 0,
                    "message": for_display(event.message),
                }
            case ToolFinished() if event.is_error:
                yield {
                    "type": "tool_error",
                    **_tool(event.call_id, event.name),
                    "error": for_display(event.summary or event.content),
                }
            case ToolFinished():
                yield {
                    "type": "tool_complete",
                    **_tool(event.call_id, event.name),
                    "success": True,
                    "result": for_display(event.content),
                    "summary": for_display(event.summary),
                }
            case _:
                yield from self._end(event)

    def _end(self, event: Event) -> Iterator[Frame]:
        """How a turn ended, once, and then that nothing more comes."""
        match event:
            case Completed():
                yield from self._update("agent_completion", steps=event.steps)
            case LimitReached():
                yield from self._update("agent_max_steps", message=event.text, limit=event.limit.value)
                yield from self._update("agent_completion", steps=self._step)
            case Stopped():
                yield from self._update("agent_stopped", reason=event.reason, kept=list(event.kept))
            case Failed():
                yield {
                    "type": "agent_update",
                    "update_type": "agent_error",
                    "message": event.error,
                    "error_type": event.code,
                }
            case _:
                return
        yield {"type": "response_complete"}

    def _said(self, event: AssistantMessage) -> Iterator[Frame]:
        """Close the text of this reply; a reply that came in one piece is told whole."""
        if event.text and not self._speaking:
            yield {"type": "token_stream", "token": event.text, "is_first": True, "is_last": False}
            self._speaking = True
        if self._speaking:
            yield {"type": "token_stream", "token": "", "is_first": False, "is_last": True}
        self._speaking = False

    def _update(self, kind: str, **fields: Any) -> Iterator[Frame]:
        """Plain chat has no agent to tell about."""
        if self._agent_mode:
            yield {"type": "agent_update", "update_type": kind, **fields}


def for_display(text: str) -> str:
    """Without characters that turn or hide text, and not longer than a person reads."""
    clean = "".join(
        letter
        for letter in text
        if letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Co", "Cs")
    )
    return clean if len(clean) <= MOST_SHOWN else f"{clean[:MOST_SHOWN]}…"


def shown_arguments(arguments: str) -> Any:
    """Arguments as an object fit to be shown; the text itself when it is no JSON."""
    try:
        value = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        return for_display(arguments)
    return _shown(value)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return for_display(value)
    if isinstance(value, Mapping):
        return {for_display(str(key)): _shown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return value


def _tool(call_id: str, name: str) -> Frame:
    return {"tool_call_id": call_id, "tool_name": for_display(name)}


def _approval(call: RequestedCall) -> Frame:
    return {
        "type": "tool_approval_request",
        **_tool(call.id, call.name),
        "arguments": shown_arguments(call.arguments),
        "summary": for_display(call.summary),
        "preview": call.preview,
        "allow_edit": True,
        "admin_required": False,
    }
