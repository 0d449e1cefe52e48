"""A verdict on a call, as clients send it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from docagent.api.fields import Hunks, JsonObject, ShortText, Text
from docagent.services.turns.deciding import Decision

MOST_CALLS = 256


class ApprovalIn(BaseModel):
    call_id: ShortText
    approved: bool
    arguments: JsonObject | None = Field(None, description="Run with these instead; they are checked again")
    reason: Text | None = Field(None, max_length=2000, description="Told to the model")
    always_allow: Literal["document", "project", "organization"] | None = Field(
        None,
        description="Remember the approval of this tool: for what the conversation is about, or everywhere",
    )
    hunks: Hunks | None = Field(
        None, description="Accept only these hunks of the preview, by number from 0; none is a rejection"
    )

    @property
    def decision(self) -> Decision:
        return Decision(
            self.call_id, self.approved, self.arguments, self.reason, self.always_allow, self.hunks
        )
