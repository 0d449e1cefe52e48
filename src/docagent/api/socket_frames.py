"""What a client may send over the WebSocket, one class for each type. What it gets is made in agent/updates.py."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from docagent.api.fields import JsonObject, ShortText, Text
from docagent.domain.events import Mention

Content = Annotated[Text, Field(min_length=1, max_length=100_000)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="ignore")


class AuthenticateFrame(_Frame):
    """The first frame of a client that cannot set headers."""

    type: Literal["authenticate"]
    token: Annotated[str, Field(min_length=1, max_length=10_000)]


class ChatFrame(_Frame):
    """A message. While the agent runs, it steers the run."""

    type: Literal["chat"]
    content: Content
    model: ShortText | None = None
    conversation_id: ShortText | None = Field(None, description="The thread")
    agent_mode: bool = True
    agent_max_steps: Annotated[int, Field(ge=1, le=1000)] | None = None
    agent_loop_strategy: ShortText | None = None
    selected_tools: Annotated[list[ShortText], Field(max_length=256)] | None = None
    selected_data_sources: Annotated[list[ShortText], Field(max_length=50)] = []
    mentions: Annotated[list[Mention], Field(max_length=50)] = []
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    auto_approve: bool = False
    auto_approved_tools: Annotated[list[ShortText], Field(max_length=256)] = []


class ControlFrame(_Frame):
    type: Literal["agent_control"]
    action: Literal["stop"]


class UserInputFrame(_Frame):
    """The answer to the agent's question."""

    type: Literal["agent_user_input"]
    content: Content


class ApprovalFrame(_Frame):
    """The verdict on one call."""

    type: Literal["tool_approval_response"]
    tool_call_id: ShortText
    approved: bool
    arguments: JsonObject | None = None
    reason: Annotated[Text, Field(max_length=2000)] | None = None
    always_allow: Literal["document", "organization"] | None = None


class PlanFrame(_Frame):
    """The verdict on a plan as a whole."""

    type: Literal["plan_response"]
    approved: bool
    steps: Annotated[list[Text], Field(max_length=100)] | None = None
    reason: Annotated[Text, Field(max_length=2000)] | None = None


class ResumeFrame(_Frame):
    """Go on watching a turn after a lost connection, from the last number seen."""

    type: Literal["resume"]
    turn_id: ShortText
    after: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0


ClientFrame = Annotated[
    AuthenticateFrame | ChatFrame | ControlFrame | UserInputFrame | ApprovalFrame | PlanFrame | ResumeFrame,
    Field(discriminator="type"),
]
CLIENT_FRAME: TypeAdapter[ClientFrame] = TypeAdapter(ClientFrame)
