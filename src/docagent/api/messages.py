"""The answer of operations that have nothing to show."""

from __future__ import annotations

from pydantic import BaseModel


class MessageOut(BaseModel):
    message: str
