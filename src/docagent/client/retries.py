"""What may be sent again, and when."""

from __future__ import annotations

import random
from collections.abc import Mapping

TRIES = 4
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
_AWAY = frozenset({502, 503, 504})
_NOTHING_DONE = 429


def may_send_again(repeatable: bool, status: int) -> bool:
    """Whether a refused request can be sent again without doing anything twice: what only reads or carries a key, or
    what the server turned away before it looked at it."""
    return status == _NOTHING_DONE or (repeatable and status in _AWAY)


def pause_seconds(tried: int, headers: Mapping[str, str] | None = None) -> float:
    """How long to wait after the given number of tries: what the server says, else longer each time."""
    asked = (headers or {}).get("Retry-After", "")
    if asked.isascii() and asked.isdigit():
        return min(float(asked), LONGEST_PAUSE_SECONDS)
    longest = min(FIRST_PAUSE_SECONDS * 2 ** (tried - 1), LONGEST_PAUSE_SECONDS)
    return random.uniform(longest / 2, longest)
