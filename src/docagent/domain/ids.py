"""Ids of 24 lowercase hex characters that sort by the time they were made."""

from __future__ import annotations

import os
import re
import threading
import time
from datetime import UTC, datetime

ID_LENGTH = 24
_PATTERN = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")
_TICKS_PER_SECOND = 1 << 16
_lock = threading.Lock()
_last_tick = 0


def new_id() -> str:
    """Four bytes of seconds, two of their fraction, six random; strictly rising within one process."""
    global _last_tick
    tick = time.time_ns() * _TICKS_PER_SECOND // 1_000_000_000
    with _lock:
        _last_tick = max(tick, _last_tick + 1)
        tick = _last_tick
    return f"{tick:012x}{os.urandom(6).hex()}"


def time_of(made_id: str) -> datetime:
    """When an id was made."""
    return datetime.fromtimestamp(int(made_id[:12], 16) / _TICKS_PER_SECOND, UTC)


def is_id(text: str) -> bool:
    """True for something that could be one of our ids."""
    return _PATTERN.fullmatch(text) is not None
