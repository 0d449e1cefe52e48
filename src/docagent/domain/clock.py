"""The present time, always aware and in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from zoneinfo import available_timezones


@cache
def is_time_zone(name: str) -> bool:
    """Whether this is the IANA name of a time zone that this machine knows."""
    return name == "UTC" or name in available_timezones()


def now() -> datetime:
    return datetime.now(UTC)
