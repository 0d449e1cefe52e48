"""Requests that may be repeated: whoever got no answer sends the same again, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

KEPT = timedelta(hours=24)
"""How long a key is remembered."""
MOST_KEY_CHARACTERS = 255
OTHER_REQUEST = (
    "This Idempotency-Key was used for another request. Use a new key for each request, and the same one only to "
    "repeat it."
)
STILL_RUNNING = "The first request with this Idempotency-Key is still running. Send it again in a moment."


@dataclass(frozen=True, slots=True)
class Repeat:
    """A request with the key that its sender chose. In its organisation the key holds for one asker and one route."""

    asker: str
    """The API token, else the user."""
    route: str
    key: str
    request: str
    """A hash of all that was asked: another request under the same key is a mistake of the sender."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is remembered about the first request with a key."""

    request: str
    made: Mapping[str, Any] | None
    """Ids of what it made; None while it runs."""
    owner: str | None
    """The process that runs it, if its effect comes long after its begin."""
    created_at: datetime
