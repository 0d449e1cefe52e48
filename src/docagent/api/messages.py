"""The answer of operations that have no data to return."""

from __future__ import annotations

from pydantic import BaseModel, Field

from docagent.api.answers import Answer


class MessageOut(BaseModel):
    message: str


class StoppedOut(Answer):
    """What ended with credentials that are gone."""

    turns: int = Field(description="Turns that ran with them. Turns that wait for a decision go on waiting")
    streams: int = Field(description="Streams, sockets and waiting requests that were open with them")


class RevokedOut(MessageOut):
    stopped: StoppedOut
