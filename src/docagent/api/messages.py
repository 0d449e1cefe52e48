"""The answer of operations that have no data to return."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, Field

from docagent.api.answers import Answer
from docagent.services.accounts.open_streams import Stopped


class MessageOut(BaseModel):
    message: str


class StoppedOut(Answer):
    """What ended with credentials that are gone."""

    turns: int = Field(description="Turns that ran with them. Turns that wait for a decision keep waiting")
    streams: int = Field(description="Streams, sockets and waiting requests that were open with them")

    @classmethod
    def of(cls, stopped: Stopped) -> Self | None:
        return cls.model_validate(stopped) if stopped.turns or stopped.streams else None


class RevokedOut(MessageOut):
    stopped: StoppedOut | None = Field(None, description="Left out where nothing ran")
