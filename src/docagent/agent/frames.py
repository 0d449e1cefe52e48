"""What a chat client is sent, one type for each frame.

docs/websocket.md lists them with their fields; a test holds the page to this file. A frame that stands for an event
of the log also carries its number as `seq`, and its place among the frames of that event as `part`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict


class _Update(TypedDict):
    type: Literal["agent_update"]


class AgentStart(_Update):
    update_type: Literal["agent_start"]
    max_steps: int
    strategy: str


class AgentTurnStart(_Update):
    update_type: Literal["agent_turn_start"]
    step: int


class AgentReason(_Update):
    update_type: Literal["agent_reason"]
    content: str
    message: str
    step: int


class AgentObserve(_Update):
    update_type: Literal["agent_observe"]
    content: str
    message: str
    step: int


class PlanStepShown(TypedDict):
    text: str
    done: bool


class AgentPlan(_Update):
    update_type: Literal["agent_plan"]
    steps: list[PlanStepShown]
    revision: int
    waits: bool


class AgentSteered(_Update):
    update_type: Literal["agent_steered"]
    message: str
    step: int


class AgentRequestInput(_Update):
    update_type: Literal["agent_request_input"]
    question: str
    choices: list[str]
    step: int


class AgentRequestInputTimeout(_Update):
    update_type: Literal["agent_request_input_timeout"]
    question: str


class AgentMaxSteps(_Update):
    update_type: Literal["agent_max_steps"]
    message: str
    limit: str


class AgentStopped(_Update):
    update_type: Literal["agent_stopped"]
    reason: str
    kept: list[str]


class AgentCompletion(_Update):
    update_type: Literal["agent_completion"]
    steps: int


class AgentError(_Update):
    update_type: Literal["agent_error"]
    message: str
    error_type: str


class TokenStream(TypedDict):
    type: Literal["token_stream"]
    token: str
    is_first: bool
    is_last: bool


class ThinkingStream(TypedDict):
    type: Literal["thinking_stream"]
    token: str


class ApprovalRequest(TypedDict):
    type: Literal["tool_approval_request"]
    tool_call_id: str
    tool_name: str
    arguments: Any
    summary: str
    preview: Mapping[str, Any] | None
    allow_edit: bool
    admin_required: bool


class ApprovalDecision(TypedDict):
    type: Literal["tool_approval_decided"]
    tool_call_id: str
    approved: bool
    reason: str | None


class ToolStart(TypedDict):
    type: Literal["tool_start"]
    tool_call_id: str
    tool_name: str
    server_name: str
    arguments: Any


class ToolProgressed(TypedDict):
    type: Literal["tool_progress"]
    tool_call_id: str
    tool_name: str
    progress: int
    total: int
    percentage: int
    message: str


class ToolComplete(TypedDict):
    type: Literal["tool_complete"]
    tool_call_id: str
    tool_name: str
    success: bool
    result: str
    summary: str


class ToolError(TypedDict):
    type: Literal["tool_error"]
    tool_call_id: str
    tool_name: str
    error: str


class Warned(TypedDict):
    type: Literal["warning"]
    message: str
    code: str


class ResponseComplete(TypedDict):
    type: Literal["response_complete"]


Update = (
    AgentStart
    | AgentTurnStart
    | AgentReason
    | AgentObserve
    | AgentPlan
    | AgentSteered
    | AgentRequestInput
    | AgentRequestInputTimeout
    | AgentMaxSteps
    | AgentStopped
    | AgentCompletion
    | AgentError
)
TurnFrame = (
    Update
    | TokenStream
    | ThinkingStream
    | ApprovalRequest
    | ApprovalDecision
    | ToolStart
    | ToolProgressed
    | ToolComplete
    | ToolError
    | Warned
    | ResponseComplete
)
