"""The answer of operations that have no data to return."""

from __future__ import annotations

from pydantic import BaseModel


class MessageOut(BaseModel):
    message: str
