"""What goes over the WebSocket beside the frames of a turn (turn_frames.py): what a client sends, and what the
connection itself answers. docs/websocket.md lists them all; a test holds the page to the code."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from docagent.api.fields import SEEN, Seen, ShortText, Text
from docagent.api.rest.turns.approvals import ApprovalIn
from docagent.api.rest.turns.chat import TurnTermsIn
from docagent.api.rest.turns.turns import PlanIn

MOST = 2**31 - 1
Content = Annotated[Text, Field(min_length=1, max_length=100_000)]


class _Frame(BaseModel):
    model_config = ConfigDict(extra="ignore")


class AuthenticateFrame(_Frame):
    """The first frame of a client that cannot set headers; later it brings a newer token."""

    type: Literal["authenticate"]
    token: Annotated[str, Field(min_length=1, max_length=10_000)]


class ChatFrame(TurnTermsIn):
    """A message. While the agent runs, it steers the run."""

    type: Literal["chat"]
    content: Content
    message_id: Annotated[ShortText, Field(min_length=1)] | None = Field(
        None,
        description="Any text that is new for each message: the same frame again is not a second message",
    )
    conversation_id: ShortText | None = Field(None, description="The thread")
    max_steps: Annotated[int, Field(ge=1, le=1000)] | None = Field(None, alias="agent_max_steps")
    data_sources: Annotated[tuple[ShortText, ...], Field(max_length=50)] = Field(
        default=(), alias="selected_data_sources"
    )


class ControlFrame(_Frame):
    type: Literal["agent_control"]
    action: Literal["stop"]


class UserInputFrame(_Frame):
    """The answer to the agent's question."""

    type: Literal["agent_user_input"]
    content: Content
    seen: Seen | None = Field(None, description=SEEN)


class ApprovalFrame(ApprovalIn):
    """The verdict on one call."""

    type: Literal["tool_approval_response"]
    call_id: ShortText = Field(alias="tool_call_id")


class PlanFrame(PlanIn):
    """The verdict on a plan as a whole."""

    type: Literal["plan_response"]


class ResumeFrame(_Frame):
    """Continue watching a turn after a lost connection: after the last frame seen, or from the beginning."""

    type: Literal["resume"]
    turn_id: ShortText
    after: Annotated[int, Field(ge=0, le=MOST)] = Field(0, description="`seq` of the last frame seen")
    part: Annotated[int, Field(ge=0, le=MOST)] | None = Field(
        None, description="Its `part`; without it all frames of that event count as seen"
    )


ClientFrame = Annotated[
    AuthenticateFrame | ChatFrame | ControlFrame | UserInputFrame | ApprovalFrame | PlanFrame | ResumeFrame,
    Field(discriminator="type"),
]
CLIENT_FRAME: TypeAdapter[ClientFrame] = TypeAdapter(ClientFrame)


class Ready(TypedDict):
    """The token is good: chat, or resume."""

    type: Literal["ready"]


class ConversationSaved(TypedDict):
    """The thread that a conversation was given, for later connections."""

    type: Literal["conversation_saved"]
    conversation_id: str


class Heartbeat(TypedDict):
    type: Literal["heartbeat"]


class ErrorFrame(TypedDict):
    """What is wrong with a frame. The connection and the turn continue, unless `error_type` is `authentication`."""

    type: Literal["error"]
    message: str
    error_type: str


ConnectionFrame = Ready | ConversationSaved | Heartbeat | ErrorFrame
