"""The present time, always aware and in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones


@cache
def is_time_zone(name: str) -> bool:
    """Whether this is the IANA name of a time zone that this machine knows."""
    return name == "UTC" or name in available_timezones()


def now() -> datetime:
    return datetime.now(UTC)


def day_in_words(moment: datetime, time_zone: str | None) -> str:
    """Tell a model which day it is there. A zone that this machine does not know counts as UTC."""
    known = time_zone if time_zone and is_time_zone(time_zone) else "UTC"
    return f"Today is {moment.astimezone(ZoneInfo(known)):%A, %d %B %Y} ({known})."
